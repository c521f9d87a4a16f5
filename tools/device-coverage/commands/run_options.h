// Options that `run` and `show-env` share.
#pragma once

#include <string>

#include "../run_environment.h"

namespace CLI {
class App;
}

namespace device_coverage {

struct RunOptions {
  std::string profiles = "profiles", name = RunSettings().name, drain;

  RunSettings settings() const;
};

void addRunOptions(CLI::App& command, RunOptions& options);

} // namespace device_coverage

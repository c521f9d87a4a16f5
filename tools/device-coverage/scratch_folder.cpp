#include "scratch_folder.h"

#include <cerrno>
#include <cstdlib>
#include <string>

#include "output_file.h"

namespace device_coverage {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder(fs::path parent) : parent_(std::move(parent)) {
  std::error_code error;
  fs::create_directories(parent_, error);
  if (error)
    failToWrite(parent_, error.value());
  std::string name = (parent_ / ".incomplete-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    failToWrite(parent_, errno);
  path_ = name;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored; // nothing better can be done while another error may be on its way
  fs::remove_all(path_, ignored);
  if (fs::is_empty(parent_, ignored))
    fs::remove(parent_, ignored);
}

} // namespace device_coverage

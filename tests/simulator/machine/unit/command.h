// Runs a command and keeps what it printed.
#pragma once

#include <cstdio>
#include <string>

#include <sys/wait.h>

struct Outcome {
  int status;         ///< -1 when a signal ended it
  std::string output; ///< both streams
};

inline Outcome runCommand(const std::string& command) {
  FILE* pipe = popen((command + " 2>&1").c_str(), "r");
  std::string output;
  for (int character = 0; (character = fgetc(pipe)) != EOF;)
    output.push_back(static_cast<char>(character));
  const int status = pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
}

#include "command.h"

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include <sys/wait.h>
#include <unistd.h>

namespace {

[[noreturn]] void become(const Command& command) {
  if (chdir(command.directory.c_str()) != 0)
    _exit(126);
  for (const std::string& name : command.unset)
    unsetenv(name.c_str());
  for (const auto& [name, value] : command.environment)
    setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& argument : command.arguments)
    arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  _exit(127);
}

std::string readAll(int descriptor) {
  std::string text;
  char buffer[4096];
  for (ssize_t count; (count = read(descriptor, buffer, sizeof buffer)) != 0;) {
    if (count > 0)
      text.append(buffer, static_cast<size_t>(count));
    else if (errno != EINTR)
      break;
  }
  return text;
}

} // namespace

CommandResult Command::run() const {
  int ends[2];
  if (pipe(ends) != 0)
    throw std::system_error(errno, std::generic_category(), "pipe");
  const pid_t child = fork();
  if (child < 0)
    throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    become(*this);
  }
  close(ends[1]);
  CommandResult result;
  result.output = readAll(ends[0]);
  close(ends[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  result.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  return result;
}

#include "child_process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <string_view>
#include <sys/wait.h>
#include <system_error>

#include "file_descriptor.h"

extern char** environ;

namespace device_coverage {
namespace {

constexpr int kSignalStatusBase = 128;

[[noreturn]] void fail(int error) {
  throw std::system_error(error, std::generic_category());
}

struct Pipe {
  FileDescriptor read, write;

  Pipe() {
    std::array<int, 2> ends{};
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
      fail(errno);
    read = FileDescriptor(ends[0]);
    write = FileDescriptor(ends[1]);
  }
};

class FileActions {
public:
  FileActions() { posix_spawn_file_actions_init(&actions_); }
  ~FileActions() { posix_spawn_file_actions_destroy(&actions_); }
  FileActions(const FileActions&) = delete;
  FileActions& operator=(const FileActions&) = delete;

  void open(int target, const char* path, int flags) {
    constexpr mode_t kMode = 0666; // the umask decides
    posix_spawn_file_actions_addopen(&actions_, target, path, flags, kMode);
  }
  void duplicate(int from, int target) {
    posix_spawn_file_actions_adddup2(&actions_, from, target);
  }
  const posix_spawn_file_actions_t* get() const { return &actions_; }

private:
  posix_spawn_file_actions_t actions_{};
};

/// Appends what can be read now; false at the end of the stream.
bool readSome(const FileDescriptor& from, std::string& to) {
  std::array<char, 65536> buffer{};
  const ssize_t size = read(from.get(), buffer.data(), buffer.size());
  if (size > 0)
    to.append(buffer.data(), static_cast<size_t>(size));
  return size > 0 || (size < 0 && errno == EINTR);
}

/// Reads both streams as they come, so that neither can fill its pipe while the other is waited
/// for.
void drainPipes(Pipe& output, Pipe& errors, ChildResult& result) {
  std::array<pollfd, 2> waits{{{output.read.get(), POLLIN, 0}, {errors.read.get(), POLLIN, 0}}};
  const std::array<std::pair<FileDescriptor*, std::string*>, 2> streams{
      {{&output.read, &result.output}, {&errors.read, &result.errorOutput}}};
  while (waits[0].fd >= 0 || waits[1].fd >= 0) {
    if (poll(waits.data(), waits.size(), -1) < 0 && errno != EINTR)
      fail(errno);
    for (size_t i = 0; i < waits.size(); ++i)
      if (waits[i].fd >= 0 && waits[i].revents != 0 &&
          !readSome(*streams[i].first, *streams[i].second))
        waits[i].fd = -1;
  }
}

/// The pointers that posix_spawn wants; it does not write to the strings.
std::vector<char*> pointersTo(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  for (const std::string& text : texts)
    pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

int waitFor(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      fail(errno);
  return WIFEXITED(status) ? WEXITSTATUS(status) : kSignalStatusBase + WTERMSIG(status);
}

/// This process's environment with some variables set.
std::vector<std::string>
environmentWith(const std::vector<std::pair<std::string, std::string>>& added) {
  std::vector<std::string> result;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text = *variable;
    const bool replaced = std::any_of(added.begin(), added.end(), [&](const auto& pair) {
      return text.substr(0, text.find('=')) == pair.first;
    });
    if (!replaced)
      result.emplace_back(text);
  }
  for (const auto& [name, value] : added)
    result.push_back(name + "=" + value);
  return result;
}

/// While it lives, this process ignores the terminal's interrupt and quit.
class TerminalSignalsIgnored {
public:
  TerminalSignalsIgnored()
      : interrupt_(std::signal(SIGINT, SIG_IGN)), quit_(std::signal(SIGQUIT, SIG_IGN)) {}
  ~TerminalSignalsIgnored() {
    std::signal(SIGINT, interrupt_);
    std::signal(SIGQUIT, quit_);
  }
  TerminalSignalsIgnored(const TerminalSignalsIgnored&) = delete;
  TerminalSignalsIgnored& operator=(const TerminalSignalsIgnored&) = delete;

private:
  void (*interrupt_)(int);
  void (*quit_)(int);
};

/// Lets the child have the signals that this process is ignoring meanwhile.
class SpawnAttributes {
public:
  SpawnAttributes() {
    posix_spawnattr_init(&attributes_);
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGINT);
    sigaddset(&defaults, SIGQUIT);
    posix_spawnattr_setsigdefault(&attributes_, &defaults);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF);
  }
  ~SpawnAttributes() { posix_spawnattr_destroy(&attributes_); }
  SpawnAttributes(const SpawnAttributes&) = delete;
  SpawnAttributes& operator=(const SpawnAttributes&) = delete;

  const posix_spawnattr_t* get() const { return &attributes_; }

private:
  posix_spawnattr_t attributes_{};
};

} // namespace

int runForeground(const std::vector<std::string>& arguments,
                  const std::vector<std::pair<std::string, std::string>>& environment) {
  const std::vector<std::string> variables = environmentWith(environment);
  const std::vector<char*> argv = pointersTo(arguments);
  const std::vector<char*> envp = pointersTo(variables);
  const TerminalSignalsIgnored ignored;
  const SpawnAttributes attributes;
  pid_t child = 0;
  if (const int error =
          posix_spawnp(&child, argv[0], nullptr, attributes.get(), argv.data(), envp.data());
      error != 0)
    fail(error);
  return waitFor(child);
}

ChildResult runChild(const std::vector<std::string>& arguments,
                     const std::optional<std::filesystem::path>& outputFile) {
  Pipe output;
  Pipe errors;
  FileActions actions;
  actions.open(STDIN_FILENO, "/dev/null", O_RDONLY);
  if (outputFile)
    actions.open(STDOUT_FILENO, outputFile->c_str(), O_WRONLY | O_CREAT | O_TRUNC);
  else
    actions.duplicate(output.write.get(), STDOUT_FILENO);
  actions.duplicate(errors.write.get(), STDERR_FILENO);

  const std::vector<char*> argv = pointersTo(arguments);
  pid_t child = 0;
  if (const int error = posix_spawnp(&child, argv[0], actions.get(), nullptr, argv.data(), environ);
      error != 0)
    fail(error);

  output.write.reset();
  errors.write.reset();
  ChildResult result;
  drainPipes(output, errors, result);
  result.status = waitFor(child);
  return result;
}

} // namespace device_coverage

#include "child_process.h"

#include <array>
#include <cerrno>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
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

} // namespace

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

  std::vector<char*> argv;
  for (const std::string& argument : arguments)
    argv.push_back(const_cast<char*>(argument.c_str())); // posix_spawn does not write to them
  argv.push_back(nullptr);
  pid_t child = 0;
  if (const int error = posix_spawnp(&child, argv[0], actions.get(), nullptr, argv.data(), environ);
      error != 0)
    fail(error);

  output.write.reset();
  errors.write.reset();
  ChildResult result;
  drainPipes(output, errors, result);
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR)
      fail(errno);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : kSignalStatusBase + WTERMSIG(status);
  return result;
}

} // namespace device_coverage

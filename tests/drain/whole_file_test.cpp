// Files are whole or not there, and nobody's file is written over.
#include "test_files.h"
#include "whole_file.h"

#include <csignal>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

using namespace device_coverage;

namespace {

Bytes bytesOf(const std::string& text) {
  return Bytes{reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

std::string contentOf(const std::filesystem::path& path) {
  const std::vector<uint8_t> bytes = readFile(path);
  return {bytes.begin(), bytes.end()};
}

// Runs `action` where files cannot grow beyond so many bytes, as on a full disk.
int exitStatusWithFilesUpTo(rlim_t size, bool (*action)(const char*), const char* path) {
  const pid_t child = fork();
  if (child == 0) {
    signal(SIGXFSZ, SIG_IGN);
    const rlimit limit = {size, size};
    setrlimit(RLIMIT_FSIZE, &limit);
    _exit(action(path) ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

TEST(WholeFile, foldersAreCreated) {
  const ScratchFolder scratch;
  Path written;
  Reason reason;
  EXPECT_TRUE(writeNewFile(Path((scratch.path() / "a/b/x.profraw").c_str()), bytesOf("content"),
                           written, reason))
      << reason.c_str();
  EXPECT_EQ(contentOf(scratch.path() / "a/b/x.profraw"), "content");
  EXPECT_EQ(scratch.files(), std::vector<std::string>{"a/b/x.profraw"});
}

TEST(WholeFile, anotherProcessesFileIsNeverWrittenOver) {
  const ScratchFolder scratch;
  const Path wanted((scratch.path() / "x.profraw").c_str());
  Path first;
  Path second;
  Path third;
  Reason reason;
  EXPECT_TRUE(writeNewFile(wanted, bytesOf("first"), first, reason));
  EXPECT_TRUE(writeNewFile(wanted, bytesOf("second"), second, reason));
  EXPECT_TRUE(writeNewFile(wanted, bytesOf("third"), third, reason));
  const std::string own = std::string("x-").append(std::to_string(getpid()));
  EXPECT_EQ(contentOf(scratch.path() / "x.profraw"), "first");
  EXPECT_EQ(contentOf(scratch.path() / (own + ".profraw")), "second");
  EXPECT_EQ(contentOf(scratch.path() / (own + "-2.profraw")), "third");
  EXPECT_EQ(scratch.files().size(), 3u);
}

TEST(WholeFile, processesThatWriteOneNameAtOnceAllKeepTheirFiles) {
  constexpr int kProcesses = 16;
  const ScratchFolder scratch;
  const Path wanted((scratch.path() / "x.profraw").c_str());
  for (int i = 0; i < kProcesses; ++i) {
    if (fork() == 0) {
      Path written;
      Reason reason;
      _exit(writeNewFile(wanted, bytesOf(std::to_string(i)), written, reason) ? 0 : 1);
    }
  }
  for (int i = 0; i < kProcesses; ++i) {
    int status = 0;
    wait(&status);
    EXPECT_EQ(status, 0);
  }
  int sum = 0;
  for (const std::string& name : scratch.files())
    sum += std::stoi(contentOf(scratch.path() / name));
  EXPECT_EQ(scratch.files().size(), size_t{kProcesses});
  EXPECT_EQ(sum, kProcesses * (kProcesses - 1) / 2);
}

TEST(WholeFile, aFullDiskLeavesNothingBehind) {
  const ScratchFolder scratch;
  const std::string path = (scratch.path() / "x.profraw").string();
  const auto write = [](const char* name) {
    const std::string content(100'000, 'x');
    Path written;
    Reason reason;
    return writeNewFile(Path(name), bytesOf(content), written, reason);
  };
  EXPECT_EQ(exitStatusWithFilesUpTo(1000, write, path.c_str()), 1);
  EXPECT_TRUE(scratch.files().empty());
  EXPECT_EQ(exitStatusWithFilesUpTo(1'000'000, write, path.c_str()), 0);
  EXPECT_EQ(scratch.files().size(), 1u);
}

TEST(WholeFile, aFullDiskKeepsTheOldFile) {
  const ScratchFolder scratch;
  const std::string path = (scratch.path() / "x.profraw").string();
  writeFile(path, "old", 3);
  const auto write = [](const char* name) {
    const std::string content(100'000, 'x');
    Reason reason;
    return replaceFile(Path(name), bytesOf(content), reason);
  };
  EXPECT_EQ(exitStatusWithFilesUpTo(1000, write, path.c_str()), 1);
  EXPECT_EQ(contentOf(path), "old");
  EXPECT_EQ(scratch.files().size(), 1u);
}

TEST(WholeFile, aTemporaryFileOfAKilledProcessIsNoObstacle) {
  const ScratchFolder scratch;
  const std::string stale = ".device-coverage-" + std::to_string(getpid()) + "-1.tmp";
  writeFile(scratch.path() / stale, "half", 4);
  Path written;
  Reason reason;
  EXPECT_TRUE(writeNewFile(Path((scratch.path() / "x.profraw").c_str()), bytesOf("whole"), written,
                           reason));
  EXPECT_EQ(contentOf(scratch.path() / "x.profraw"), "whole");
}

TEST(WholeFile, aFolderThatCannotBeMadeIsNamedWithItsError) {
  const ScratchFolder scratch;
  writeFile(scratch.path() / "file", "", 0);
  Path written;
  Reason reason;
  EXPECT_FALSE(writeNewFile(Path((scratch.path() / "file/sub/x.profraw").c_str()), bytesOf("x"),
                            written, reason));
  EXPECT_NE(std::string(reason.c_str()).find("creating folder"), std::string::npos);
  EXPECT_NE(std::string(reason.c_str()).find(strerror(ENOTDIR)), std::string::npos)
      << reason.c_str();
}

} // namespace

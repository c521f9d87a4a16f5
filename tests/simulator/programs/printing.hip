// Device printf and assert: the host's service thread and the waves talk through packets in host
// memory.
#include <algorithm>
#include <cassert>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

constexpr int kBlocks = 3;
constexpr int kThreads = 100;

__device__ const char* wordFor(int item) {
  return item % 2 == 0
             ? "even"
             : "a text that is longer than what one packet of seven words can carry at once";
}

__global__ void speak(int* returned) {
  const int item = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (item % 3 == 0) {
    returned[item] = printf("item %d %s %.2f\n", item, wordFor(item), item * 0.25);
  }
}

__global__ void insist(const int* limit) {
  assert(static_cast<int>(threadIdx.x) < *limit);
}

/// What `run` writes to the file descriptor `stream` in a process of its own, whose status goes to
/// `status`.
template <typename Function>
std::string outputOf(int stream, int& status, Function run) {
  int ends[2];
  EXPECT(pipe(ends) == 0, "no pipe");
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], stream);
    close(ends[0]);
    close(ends[1]);
    run();
    std::fflush(stdout);
    _exit(0);
  }
  close(ends[1]);
  std::string output;
  char buffer[4096];
  for (ssize_t count; (count = read(ends[0], buffer, sizeof buffer)) > 0;) {
    output.append(buffer, static_cast<size_t>(count));
  }
  close(ends[0]);
  EXPECT(waitpid(child, &status, 0) == child, "the child is lost");
  return output;
}

std::string lineOf(int item) {
  char line[200];
  std::snprintf(line, sizeof line, "item %d %s %.2f\n", item,
                item % 2 == 0
                    ? "even"
                    : "a text that is longer than what one packet of seven words can carry at once",
                item * 0.25);
  return line;
}

/// Every active lane's text arrives whole and once, and printf returns its length, as on AMD's
/// GPUs.
void printsEachLanesText() {
  int status = 0;
  const std::string output = outputOf(STDOUT_FILENO, status, [] {
    int* returned = deviceZeros<int>(kBlocks * kThreads);
    speak<<<kBlocks, kThreads>>>(returned);
    const std::vector<int> lengths = toHost(returned, kBlocks * kThreads);
    for (int item = 0; item < kBlocks * kThreads; item += 3) {
      EXPECT(lengths[item] == static_cast<int>(lineOf(item).size()), "item %d: %d", item,
             lengths[item]);
    }
  });
  EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %d after: %s", status,
         output.c_str());
  size_t length = 0;
  for (int item = 0; item < kBlocks * kThreads; item += 3) {
    EXPECT(output.find(lineOf(item)) != std::string::npos, "item %d is missing", item);
    length += lineOf(item).size();
  }
  EXPECT(output.size() == length, "%zu characters, not %zu", output.size(), length);
}

/// A failed assertion names its condition and ends the process, by abort() or, from HIP 7 on, by an error of
/// what waits for the kernel; one that holds does nothing.
void assertionsEndTheProcess() {
  for (const int limit : {64, 63}) {
    int status = 0;
    const std::string output = outputOf(STDERR_FILENO, status, [limit] {
      insist<<<1, 64>>>(toDevice(std::vector<int>{limit}));
      HIP_OK(hipDeviceSynchronize());
    });
    const bool named = output.find("threadIdx.x) < *limit' failed") != std::string::npos;
    if (limit == 64) {
      EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0 && !named, "status %d: %s", status,
             output.c_str());
    } else {
      EXPECT(status != 0 && named, "status %d: %s", status, output.c_str());
    }
  }
}

int main() {
  printsEachLanesText();
  assertionsEndTheProcess();
  std::printf("printing: ok\n");
  return 0;
}

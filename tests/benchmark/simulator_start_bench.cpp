// What the software GPU adds to the start of a program, and what a short kernel costs until the
// host knows that it ended. CPU time of the programs, since the machine may be busy.
#include <cstdio>
#include <string>

#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <sys/wait.h>

namespace {

double secondsOf(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

double cpuOfChildren() {
  rusage usage{};
  getrusage(RUSAGE_CHILDREN, &usage);
  return secondsOf(usage.ru_utime) + secondsOf(usage.ru_stime);
}

/// Runs the command to its end; what it printed.
std::string run(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  std::string output;
  for (int character = 0; (character = fgetc(pipe)) != EOF;)
    output.push_back(static_cast<char>(character));
  const int status = pclose(pipe);
  return status == -1 || WIFSIGNALED(status) ? "" : output;
}

/// The program starts HSA and says how many GPUs there are, `gpus` unless that is empty.
void start(benchmark::State& state, const std::string& launcher, const std::string& gpus) {
  for (auto _ : state) {
    const double before = cpuOfChildren();
    const std::string found = run(launcher + " '" STARTING "'");
    if (!gpus.empty() && found != gpus + "\n")
      return state.SkipWithError("the program did not find the GPUs");
    state.SetIterationTime(cpuOfChildren() - before);
  }
}

/// The program prints the CPU time, in microseconds, of a launch and the wait for it.
void launchAndWait(benchmark::State& state, const std::string& waits) {
  for (auto _ : state) {
    double microseconds = 0;
    const std::string output = run("'" LAUNCHER "' --waits " + waits + " -- '" LAUNCHING "'");
    if (std::sscanf(output.c_str(), "%lf", &microseconds) != 1)
      return state.SkipWithError("the program failed");
    state.SetIterationTime(1e-6 * microseconds);
  }
}

BENCHMARK_CAPTURE(start, bare, "", "")
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(10);
BENCHMARK_CAPTURE(start, oneGpu, "'" LAUNCHER "'", "1")
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(10);
BENCHMARK_CAPTURE(start, eightGpus, "'" LAUNCHER "' --gpus gfx90a:8", "8")
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->Iterations(10);
BENCHMARK_CAPTURE(launchAndWait, blocked, "blocked")
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond)
    ->Iterations(3);
BENCHMARK_CAPTURE(launchAndWait, active, "active")
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond)
    ->Iterations(3);

} // namespace

BENCHMARK_MAIN();

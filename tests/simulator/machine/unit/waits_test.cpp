// A thread that waits for a kernel leaves its core to it, also where HIP asks to wait actively.

#include <string>

#include <gtest/gtest.h>

#include "command.h"

namespace {

Outcome run(const std::string& command) {
  return runCommand("'" LAUNCHER "' " + command);
}

/// How many per cent of the CPU time the waiting thread took.
int shareOfTheWaiter(const std::string& options) {
  const Outcome outcome = run(options + " -- '" WAITING "'");
  EXPECT_EQ(0, outcome.status) << outcome.output;
  int share = -1;
  EXPECT_EQ(1, std::sscanf(outcome.output.c_str(), "%d", &share)) << outcome.output;
  return share;
}

} // namespace

TEST(Waits, AnActiveWaitLeavesTheCoreToTheKernel) {
  const int share = shareOfTheWaiter("");
  EXPECT_GE(share, 0);
  EXPECT_LT(share, 10);
}

TEST(Waits, AnActiveWaitPollsWhenTheLauncherIsToldSo) {
  EXPECT_GT(shareOfTheWaiter("--waits active"), 20);
}

TEST(Waits, ARuntimeThatIsLoadedOutOfSightIsFound) {
  const Outcome outcome = run("-- '" OUT_OF_SIGHT "' '" HIP_LIBRARY "'");
  EXPECT_EQ(0, outcome.status) << outcome.output;
  EXPECT_EQ("done\n", outcome.output);
}

TEST(Waits, AWordThatIsNeitherBlockedNorActiveIsRefused) {
  const Outcome outcome = run("--waits often true");
  EXPECT_EQ(2, outcome.status);
  EXPECT_NE(std::string::npos, outcome.output.find("--waits")) << outcome.output;
}

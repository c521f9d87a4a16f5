#include "gate.h"

#include <gtest/gtest.h>

#include "support/report_fixture.h"

using namespace device_coverage;
using test_support::runProgram;

namespace {

StoredReport reportWith(Ratio lines) {
  StoredReport report;
  report.sides = {
      {"host", {.lines = {1, 1}, .functions = {}, .regions = {}, .branches = {}}},
      {"gfx90a:xnack+", {.lines = lines, .functions = {}, .regions = {}, .branches = {}}}};
  return report;
}

/// Whether a gate on the device side's lines holds.
bool holds(Ratio lines, const std::string& percent) {
  return applyGates(reportWith(lines), {Gate::parse(GateScope::Side, "device:lines=" + percent)},
                    {})
      .fallen.empty();
}

} // namespace

TEST(GateTest, AlmostAHundredIsNotAHundred) {
  EXPECT_FALSE(holds({1999, 2000}, "100"));
  EXPECT_TRUE(holds({1999, 2000}, "99.95"));
  EXPECT_FALSE(holds({1999, 2000}, "99.9501"));
  EXPECT_TRUE(holds({2000, 2000}, "100"));
}

TEST(GateTest, ThresholdsAreMetExactlyWithoutRounding) {
  EXPECT_TRUE(holds({2, 3}, "66.6666"));
  EXPECT_FALSE(holds({2, 3}, "66.6667"));
  EXPECT_TRUE(holds({0, 3}, "0"));
  const uint64_t large = 10'000'000'000'000'000ULL;
  EXPECT_FALSE(holds({large - 1, large}, "100"));
  EXPECT_TRUE(holds({large / 2, large}, "50"));
}

TEST(GateTest, WhatIsNoGateIsAUsageError) {
  for (const char* text : {"lines", "lines=", "lines=101", "lines=-1", "lines=100.0001",
                           "lines=1e2", "lines=80%", "words=80", "lines=1.23456"})
    EXPECT_THROW(Gate::parse(GateScope::Side, text), Failure) << text;
  EXPECT_THROW(Gate::parse(GateScope::ChangedLines, "branches=80"), Failure);
}

TEST(GateTest, SideMayContainColons) {
  EXPECT_EQ(Gate::parse(GateScope::Side, "gfx90a:xnack+:lines=80").side, "gfx90a:xnack+");
}

TEST(GateTest, FallenGateSaysHowMuchIsMissing) {
  const auto result =
      applyGates(reportWith({7, 10}), {Gate::parse(GateScope::Side, "lines=95")}, {});
  EXPECT_EQ(result.passed.size(), 1U) << "the host";
  ASSERT_EQ(result.fallen.size(), 1U);
  EXPECT_EQ(result.fallen[0].fact, "gfx90a:xnack+ lines: 70.00% (7/10), below the 95% asked for");
  EXPECT_EQ(result.fallen[0].remedy, "cover at least 3 more");
}

TEST(GateTest, GateOnASideThatWasNotMeasuredIsNotPassed) {
  StoredReport report = reportWith({1, 1});
  report.missing = {{"gfx908", "it never ran"}};
  try {
    applyGates(report, {Gate::parse(GateScope::Side, "gfx908:lines=0")}, {});
    FAIL() << "the gate was decided";
  } catch (const Failure& failure) {
    EXPECT_NE(failure.message().fact.find("it never ran"), std::string::npos);
  }
}

TEST(GateTest, GateOnNothingIsNotPassed) {
  EXPECT_THROW(
      applyGates(reportWith({1, 1}), {Gate::parse(GateScope::Side, "host:branches=0")}, {}),
      Failure);
}

TEST(GateTest, EachFileIsComparedOnItsOwn) {
  StoredReport report = reportWith({10, 11});
  report.files = {
      {"/good.h",
       {{"host", {.lines = {10, 10}, .functions = {}, .regions = {}, .branches = {}}}},
       {}},
      {"/bad.h", {{"host", {.lines = {0, 1}, .functions = {}, .regions = {}, .branches = {}}}}, {}},
      {"/empty.h", {{"host", {}}}, {}}};
  const auto result = applyGates(report, {Gate::parse(GateScope::EachFile, "host:lines=50")}, {});
  ASSERT_EQ(result.fallen.size(), 1U);
  EXPECT_NE(result.fallen[0].fact.find("/bad.h"), std::string::npos);
}

TEST(GateTest, ChangedLinesCountWhereTheyHoldCode) {
  StoredReport report = reportWith({1, 1});
  report.files = {{"/a.h", {}, {{"host", {{1, 5}, {2, 0}, {3, 0}}}}}};
  const auto fallen = [&](const char* percent) {
    return applyGates(report,
                      {Gate::parse(GateScope::ChangedLines, std::string("host:lines=") + percent)},
                      {{"/a.h", {1, 2, 9}}})
        .fallen.size();
  };
  EXPECT_EQ(fallen("50"), 0U);
  EXPECT_EQ(fallen("51"), 1U);
}

TEST(GateTest, ChangesWithoutCodeAreSaidToHaveNothingToCover) {
  StoredReport report = reportWith({1, 1});
  report.files = {{"/a.h", {}, {{"host", {{1, 5}}}}}};
  const Gate gate = Gate::parse(GateScope::ChangedLines, "host:lines=100");
  for (const ChangedLines& changed : {ChangedLines{}, ChangedLines{{"/README", {1, 2}}}}) {
    const auto result = applyGates(report, {gate}, changed);
    EXPECT_TRUE(result.fallen.empty());
    ASSERT_EQ(result.passed.size(), 1U);
    EXPECT_NE(result.passed[0].find("nothing to cover"), std::string::npos) << result.passed[0];
    EXPECT_NE(result.passed[0].find(std::to_string(changed.size()) + " changed files"),
              std::string::npos);
  }
}

using CheckCommandTest = test_support::ReportFixture;

TEST_F(CheckCommandTest, StatusTellsFallenGatesFromDataAndUsage) {
  runHost("program");
  writeDevice("gfx90a", {{"kernel", {64}}});
  ASSERT_EQ(reportProgram().status, 0);
  const auto check = [&](const std::string& gate) {
    return runProgram({"check", "--report", output().string(), "--minimum", gate});
  };
  EXPECT_EQ(check("gfx90a:lines=1").status, 0);
  const auto fallen = check("gfx90a:lines=99.5");
  EXPECT_EQ(fallen.status, 1);
  EXPECT_NE(fallen.errorOutput.find("below the 99.5% asked for"), std::string::npos)
      << fallen.errorOutput;
  EXPECT_EQ(check("gfx942:lines=0").status, 3);
  EXPECT_EQ(check("gfx90a:lines").status, 2);
  EXPECT_EQ(
      runProgram({"check", "--report", folder().path().string(), "--minimum", "lines=1"}).status,
      3);
}

TEST_F(CheckCommandTest, IncompleteReportPassesNoGate) {
  runHost("program");
  ASSERT_EQ(reportProgram().status, 3);
  const auto result =
      runProgram({"check", "--report", output().string(), "--minimum", "host:lines=0"});
  EXPECT_EQ(result.status, 3);
  EXPECT_NE(result.errorOutput.find("incomplete"), std::string::npos);
}

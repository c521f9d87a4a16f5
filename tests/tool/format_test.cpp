// The report's other forms: LCOV, Cobertura, pages.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "cobertura_format.h"
#include "html_index.h"
#include "html_source_page.h"
#include "lcov_format.h"
#include "markup.h"
#include "missed_code.h"
#include "source_text.h"
#include "support/report_fixture.h"

using namespace device_coverage;

namespace {

Segment entry(uint32_t line, uint32_t column, uint64_t count) {
  return {.line = line, .column = column, .count = count, .hasCount = true, .isRegionEntry = true};
}

SideCoverage sample(const char* target = nullptr) {
  SideCoverage side;
  if (target != nullptr)
    side.side = Side::device(TargetId::parse(target).value());
  FileCoverage file;
  file.path = "/src/lib/a<b>.h";
  file.lines = {{1, 3}, {2, 0}, {4, 7}};
  file.segments = {entry(1, 1, 3), entry(2, 3, 0), {.line = 2, .column = 9}};
  file.branches = {{1, 5, 3, 0}, {2, 7, 0, 0}};
  file.functions = {{"_Z1fi", 1, 2, 3, {1, 2}}, {"main", 4, 4, 7, {1, 1}}};
  file.metrics = {.lines = {2, 3}, .functions = {2, 2}, .regions = {2, 3}, .branches = {1, 4}};
  side.totals = file.metrics;
  side.files = {file};
  return side;
}

} // namespace

TEST(LcovTest, AllRecordsOfAFile) {
  EXPECT_EQ(lcovText(sample("gfx90a:xnack+")),
            "TN:gfx90a_xnack_on\n"
            "SF:/src/lib/a<b>.h\n"
            "FN:1,_Z1fi\nFN:4,main\n"
            "FNDA:3,_Z1fi\nFNDA:7,main\nFNF:2\nFNH:2\n"
            "BRDA:1,0,0,3\nBRDA:1,0,1,0\nBRDA:2,1,0,-\nBRDA:2,1,1,-\nBRF:4\nBRH:1\n"
            "DA:1,3\nDA:2,0\nDA:4,7\nLF:3\nLH:2\nend_of_record\n");
}

TEST(CoberturaTest, RatesAreCutAndNamesEscapedAndRelative) {
  const std::string text = coberturaText(sample(), "/src", 1700000000);
  EXPECT_NE(text.find(R"(filename="lib/a&lt;b&gt;.h" line-rate="0.6666" branch-rate="0.2500")"),
            std::string::npos)
      << text;
  EXPECT_NE(
      text.find(R"x(<line number="1" hits="3" branch="true" condition-coverage="50% (1/2)"/>)x"),
      std::string::npos);
  EXPECT_NE(text.find(R"(timestamp="1700000000")"), std::string::npos);
  EXPECT_NE(coberturaText(sample(), "/elsewhere", 0).find(R"(filename="/src/lib/)"),
            std::string::npos);
}

TEST(MarkupTest, NothingInASourceCanBecomeMarkup) {
  EXPECT_EQ(escapeMarkup("<a href=\"x\">&\x01"), "&lt;a href=&quot;x&quot;&gt;&amp;\xef\xbf\xbd");
}

TEST(ReadableNameTest, MangledAndLocalNamesAreDemangled) {
  EXPECT_EQ(readableName("_Z1fi"), "f(int)");
  EXPECT_EQ(readableName("a.cpp:_ZL1gv"), "g()");
  EXPECT_EQ(readableName("kernel"), "kernel");
}

TEST(MissedCodeTest, PiecesOfTwoSidesOverlap) {
  const auto pieces = splitByMissed(10, {{3, 7, 0}, {5, 4'000'000'000U, 1}});
  ASSERT_EQ(pieces.size(), 4U);
  const auto sidesAt = [&](size_t i) { return pieces[i].sides; };
  EXPECT_TRUE(sidesAt(0).empty());
  EXPECT_EQ(sidesAt(1), std::vector<size_t>{0});
  EXPECT_EQ(sidesAt(2), (std::vector<size_t>{0, 1}));
  EXPECT_EQ(sidesAt(3), std::vector<size_t>{1});
  EXPECT_EQ(pieces[3].end, 10U);
}

TEST(MissedCodeTest, ColumnsBeyondAShorterLineAreNotFollowed) {
  for (const TextPiece& piece : splitByMissed(4, {{9, 12, 0}}))
    EXPECT_TRUE(piece.sides.empty());
}

TEST(HtmlTest, MissedPiecesAreMarkedWithTheirSide) {
  const std::vector<SideCoverage> sides{sample("gfx90a")};
  const std::string page = htmlSourcePage(joinSides(sides).at(0), {"gfx90a"},
                                          std::vector<std::string>{"if (x)", "  y < 1;", "", "}"});
  EXPECT_NE(page.find(R"(data-missed="gfx90a" title="never ran on gfx90a">y &lt; 1;</span>)"),
            std::string::npos)
      << page;
  EXPECT_NE(page.find("gfx90a: [true 3, false 0]"), std::string::npos);
  EXPECT_NE(page.find("f(int)"), std::string::npos);
}

TEST(HtmlTest, PageWithoutSourceStillHasCounts) {
  const std::vector<SideCoverage> sides{sample("gfx90a")};
  const std::string page = htmlSourcePage(joinSides(sides).at(0), {"gfx90a"}, std::nullopt);
  EXPECT_NE(page.find("not on the machine"), std::string::npos);
  EXPECT_NE(page.find(R"(id="L4")"), std::string::npos);
}

class FormatReportTest : public test_support::ReportFixture {
protected:
  void makeReport() {
    runHost("program");
    writeDevice("gfx90a", {{"kernel", {6421}}});
    const auto result = report({"--object", test_support::fixture("program").string(), "--format",
                                "lcov", "--format", "cobertura"});
    ASSERT_EQ(result.status, 0) << result.errorOutput;
  }

  /// The index or a page as a browser shows it after its script has run; `address` may have a
  /// query.
  std::string inBrowser(const std::string& address, const std::string& windowSize) {
    const auto result = device_coverage::runChild(
        {BROWSER, "--headless", "--no-sandbox", "--disable-gpu", "--virtual-time-budget=5000",
         "--user-data-dir=" + (folder().path() / "browser").string(), "--window-size=" + windowSize,
         "--dump-dom", "file://" + output().string() + "/html/" + address});
    EXPECT_EQ(result.status, 0) << result.errorOutput;
    return result.output;
  }

  /// The opening tag of the first element whose tag contains `text`.
  static std::string tagWith(const std::string& page, const std::string& text) {
    const size_t at = page.find(text);
    if (at == std::string::npos)
      return "nothing with " + text;
    const size_t begin = page.rfind('<', at);
    return page.substr(begin, page.find('>', at) - begin + 1);
  }
};

TEST_F(FormatReportTest, EachSideHasFilesOfItsOwn) {
  makeReport();
  EXPECT_NE(test_support::readText(output() / "lcov" / "gfx90a.info").find("DA:25,6421\n"),
            std::string::npos);
  EXPECT_EQ(test_support::readText(output() / "lcov" / "host.info").find("6421"),
            std::string::npos);
  EXPECT_NE(test_support::readText(output() / "cobertura" / "gfx90a.xml").find(R"(hits="6421")"),
            std::string::npos);
}

TEST_F(FormatReportTest, TemplateInstancesAreOneConditionAndTwoFunctions) {
  makeReport();
  const std::string lcov = test_support::readText(output() / "lcov" / "gfx90a.info");
  EXPECT_NE(lcov.find("BRF:10\n"), std::string::npos) << "as many as in the totals";
  EXPECT_NE(lcov.find("FN:10,_Z7squaredIiET_S0_\n"), std::string::npos);
  EXPECT_NE(lcov.find("FN:10,_Z7squaredIfET_S0_\n"), std::string::npos);
  const auto branches = coverage().at("sides").at("gfx90a").at("branches");
  EXPECT_EQ(branches.at("count"), 10);
}

TEST_F(FormatReportTest, CoberturaFitsItsDocumentType) {
  if (std::string_view(XMLLINT).empty())
    GTEST_SKIP() << "xmllint is not installed";
  makeReport();
  for (const char* side : {"host", "gfx90a"}) {
    const auto result =
        device_coverage::runChild({XMLLINT, "--noout", "--nonet", "--dtdvalid", COBERTURA_DTD,
                                   (output() / "cobertura" / side).string() + ".xml"});
    EXPECT_EQ(result.status, 0) << result.errorOutput;
  }
}

TEST_F(FormatReportTest, CTestReadsTheCoberturaFileForCDash) {
  makeReport();
  const auto place = folder().path() / "cdash";
  std::filesystem::create_directories(place);
  std::filesystem::copy_file(output() / "cobertura" / "gfx90a.xml", place / "coverage.xml");
  folder().write("cdash/CTestTestfile.cmake", "");
  folder().write("cdash/DartConfiguration.tcl",
                 fmt::format("SourceDirectory: {}\nBuildDirectory: {}\nSite: a\nBuildName: b\n",
                             FIXTURE_SOURCES, place.string()));
  const auto result =
      device_coverage::runChild({"sh", "-c",
                                 "cd '" + place.string() + "' && COBERTURADIR=$PWD exec '" + CTEST +
                                     "' -M Experimental -T Start -T Coverage"});
  size_t covered = 0;
  size_t lines = 0;
  const nlohmann::json counted = programLines();
  for (const auto& [line, counts] : counted.items())
    if (counts.contains("gfx90a")) {
      ++lines;
      covered += counts.at("gfx90a") != 0 ? 1 : 0;
    }
  const auto expect = [&](const std::string& title, size_t number) {
    const size_t at = result.output.find(title);
    ASSERT_NE(at, std::string::npos) << result.output << result.errorOutput;
    EXPECT_EQ(std::stoull(result.output.substr(at + title.size())), number) << result.output;
  };
  expect("\tCovered LOC:", covered);
  expect("Total LOC:", lines);
}

TEST_F(FormatReportTest, LcovReadsTheNumbersThatTheReportStates) {
  if (std::string_view(LCOV).empty())
    GTEST_SKIP() << "lcov is not installed";
  makeReport();
  for (const char* side : {"host", "gfx90a"}) {
    const auto result =
        device_coverage::runChild({LCOV, "--summary", (output() / "lcov" / side).string() + ".info",
                                   "--rc", "lcov_branch_coverage=1"});
    ASSERT_EQ(result.status, 0) << result.errorOutput;
    const auto totals = coverage().at("sides").at(side);
    const auto expect = [&](const char* metric) {
      const auto& ratio = totals.at(metric);
      const std::string words = fmt::format("({} of {} {})", ratio.at("covered").get<uint64_t>(),
                                            ratio.at("count").get<uint64_t>(), metric);
      EXPECT_NE((result.output + result.errorOutput).find(words), std::string::npos)
          << words << " is not in\n"
          << result.output << result.errorOutput;
    };
    expect("lines");
    expect("branches");
  }
}

TEST_F(FormatReportTest, PagesNeedNoNetwork) {
  makeReport();
  for (const auto& entry : std::filesystem::directory_iterator(output() / "html"))
    if (entry.is_regular_file()) {
      const std::string text = test_support::readText(entry.path());
      EXPECT_EQ(text.find("http:"), std::string::npos) << entry.path();
      EXPECT_EQ(text.find("https:"), std::string::npos) << entry.path();
    }
}

TEST_F(FormatReportTest, BrowserFiltersFollowsLinksAndShowsCounts) {
  if (std::string_view(BROWSER).empty())
    GTEST_SKIP() << "no chromium is installed";
  makeReport();
  for (const char* size : {"1280,900", "390,844"}) {
    SCOPED_TRACE(size);
    const std::string index = inBrowser("index.html?side=gfx90a&uncovered=1", size);
    EXPECT_NE(tagWith(index, "<tr data-side=\"host\"").find("hidden"), std::string::npos);
    EXPECT_EQ(tagWith(index, "<tr data-side=\"gfx90a\"").find("hidden"), std::string::npos);
    // The link takes the choice of a side along.
    const std::string link = tagWith(index, "href=\"files/");
    const std::string address =
        link.substr(link.find("files/"), link.rfind('"') - link.find("files/"));
    EXPECT_NE(address.find("?side=gfx90a&amp;uncovered=1"), std::string::npos) << link;
    const std::string page =
        inBrowser(address.substr(0, address.find('?')) + "?side=gfx90a&uncovered=1", size);
    EXPECT_NE(page.find(">6421</td>"), std::string::npos);
    EXPECT_NE(tagWith(page, "id=\"L25\"").find("hidden"), std::string::npos)
        << "covered, hence not shown";
    EXPECT_EQ(tagWith(page, "id=\"L7\"").find("hidden"), std::string::npos)
        << "uncovered, hence shown";
  }
}

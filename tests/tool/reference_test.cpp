// Man page and shell completion say what the help says.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <system_error>

#include "llvm_tool.h"
#include "support/program.h"

using namespace test_support;

namespace {

const std::vector<std::string> kCommands{"report", "check",         "run",     "show-env",
                                         "merge",  "inspect",       "extract", "doctor",
                                         "clean",  "show-reference"};

std::string reference(const std::string& form) {
  return runProgram({"show-reference", form}).output;
}

/// The long options in a help text.
std::set<std::string> optionsIn(const std::string& help) {
  static const std::regex option("(?:^|\n)  (?:-., ?)?(--[a-z-]+)");
  std::set<std::string> options;
  for (std::sregex_iterator match(help.begin(), help.end(), option), end; match != end; ++match)
    options.insert((*match)[1]);
  return options;
}

std::string helpOf(const std::string& command) {
  return runProgram({command, "--help"}).output;
}

std::string withoutSpace(std::string text) {
  text.erase(std::remove_if(text.begin(), text.end(),
                            [](unsigned char c) { return std::isspace(c) != 0; }),
             text.end());
  return text;
}

/// What bash offers after these words.
std::set<std::string> completions(const std::string& words) {
  const auto result =
      device_coverage::runChild({"bash", "-c",
                                 reference("bash") + "COMP_WORDS=(device-coverage " + words +
                                     ")\nCOMP_CWORD=$((${#COMP_WORDS[@]} - 1))\n_device_coverage\n"
                                     "printf '%s\\n' \"${COMPREPLY[@]}\"\n"});
  EXPECT_EQ(result.status, 0) << result.errorOutput;
  const auto lines = device_coverage::splitLines(result.output);
  return {lines.begin(), lines.end()};
}

/// What a help text says of each option, without its spaces.
std::map<std::string, std::string> descriptionsIn(const std::string& help) {
  static const std::regex option("^  (?:-., ?)?(--[a-z-]+)(.*)$");
  static const std::regex kind(
      "^(?: [A-Z]{2,}(?:[:=][^ ]*)?(?= |$)(?: x [0-9]+)?| \\[[^\\]]*\\]| \\.\\.\\.| REQUIRED)*");
  std::map<std::string, std::string> descriptions;
  std::string current;
  std::istringstream stream(help);
  for (std::string line; std::getline(stream, line);) {
    std::smatch match;
    if (std::regex_match(line, match, option)) {
      current = match[1];
      descriptions[current] = std::regex_replace(match[2].str(), kind, "");
    } else if (!current.empty() && line.starts_with("          ")) {
      descriptions[current] += line;
    } else {
      current.clear();
    }
  }
  for (auto& [name, text] : descriptions)
    text = withoutSpace(text);
  return descriptions;
}

/// A man page's text without troff's escapes.
std::string manText() {
  std::string page = reference("man");
  for (const auto& [from, to] :
       {std::pair{"\\-", "-"}, std::pair{"\\&", ""}, std::pair{"\\e", "\\"}})
    for (size_t at = page.find(from); at != std::string::npos; at = page.find(from, at))
      page.replace(at, 2, to);
  return page;
}

} // namespace

TEST(ReferenceTest, HelpListsTheCommandsThatTheseTestsKnow) {
  const std::string help = runProgram({"--help"}).output;
  for (const std::string& command : kCommands)
    EXPECT_NE(help.find("\n  " + command), std::string::npos) << command;
}

TEST(ReferenceTest, ManPageHasEveryCommandWithEveryOptionOfItsHelp) {
  const std::string page = manText();
  for (const std::string& command : kCommands) {
    const size_t begin = page.find("\n.SS " + command + "\n");
    ASSERT_NE(begin, std::string::npos) << command;
    const std::string section = page.substr(begin, page.find("\n.S", begin + 1) - begin);
    for (const std::string& option : optionsIn(helpOf(command)))
      EXPECT_NE(section.find(option), std::string::npos) << command << " " << option;
  }
  EXPECT_NE(page.find("Exit statuses: 0 fine, 1 a gate fell, 2 usage, 3 data"), std::string::npos);
}

TEST(ReferenceTest, ManPageAndZshDescribeEveryOptionInTheWordsOfTheHelp) {
  const std::string page = withoutSpace(manText());
  const std::string zsh = withoutSpace(reference("zsh"));
  size_t compared = 0;
  for (const std::string& command : kCommands)
    for (const auto& [option, text] : descriptionsIn(helpOf(command))) {
      if (option == "--help")
        continue;
      ASSERT_FALSE(text.empty()) << command << " " << option;
      EXPECT_NE(page.find(text), std::string::npos) << command << " " << option << ": " << text;
      const std::string begin = text.substr(0, text.find_first_of(".:;([`'"));
      EXPECT_NE(zsh.find(option + "[" + begin), std::string::npos) << command << " " << option;
      ++compared;
    }
  EXPECT_GT(compared, 30U);
}

TEST(ReferenceTest, ManFormatsThePageWithoutWarnings) {
  const TemporaryFolder folder;
  const auto page = folder.write("device-coverage.1", reference("man"));
  try {
    const auto result =
        device_coverage::runChild({"groff", "-man", "-Tutf8", "-ww", page.string()});
    EXPECT_EQ(result.status, 0);
    EXPECT_EQ(result.errorOutput, "");
    EXPECT_NE(withoutSpace(result.output).find("code-object"), std::string::npos);
  } catch (const std::system_error&) {
    GTEST_SKIP() << "groff is not installed";
  }
}

TEST(ReferenceTest, BashOffersTheCommandsAndTheOptionsOfTheHelp) {
  EXPECT_EQ(completions("re"), std::set<std::string>{"report"});
  for (const std::string& command : kCommands)
    EXPECT_EQ(completions(command + " --"), optionsIn(helpOf(command))) << command;
}

TEST(ReferenceTest, BashOffersFilesForArguments) {
  const TemporaryFolder folder;
  const auto file = folder.write("libfoo.so", "");
  EXPECT_EQ(completions("inspect " + (folder.path() / "lib").string()),
            std::set<std::string>{file.string()});
}

TEST(ReferenceTest, ZshReadsTheCompletion) {
  const TemporaryFolder folder;
  const auto script = folder.write("_device-coverage", reference("zsh"));
  const std::string text = readText(script);
  EXPECT_TRUE(text.starts_with("#compdef device-coverage\n"));
  for (const std::string& command : kCommands)
    for (const std::string& option : optionsIn(helpOf(command)))
      EXPECT_NE(text.find("'*" + option + "["), std::string::npos) << command << " " << option;
  try {
    const auto result = device_coverage::runChild({"zsh", "-n", script.string()});
    EXPECT_EQ(result.status, 0) << result.errorOutput;
  } catch (const std::system_error&) {
    GTEST_SKIP() << "zsh is not installed";
  }
}

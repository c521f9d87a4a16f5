// Every command against every kind of bad input: one clear line, the data status, nothing left
// behind.
#include <functional>

#include <sys/stat.h>
#include <unistd.h>

#include "support/bundle_builder.h"
#include "support/report_fixture.h"

using namespace test_support;

namespace {

using Arguments = std::vector<std::string>;

/// What a command is given in place of a good file.
struct Input {
  std::string name;
  std::filesystem::path path;
};

struct Command {
  const char* name;
  std::function<Arguments(const std::string& input)> arguments;
};

/// Puts 2 GiB where a number of 8 bytes stands.
std::string withHugeNumber(std::string content, size_t offset) {
  std::string number;
  appendNumber(number, uint64_t{1} << 31, 8);
  return content.replace(offset, number.size(), number);
}

class BadInputTest : public ReportFixture {
protected:
  void SetUp() override {
    runHost("program");
    goodProfile_ = profiles() / "host.profraw";
  }

  Input file(const std::string& name, const std::string& content) {
    return {name, folder().write("bad/" + name, content)};
  }

  /// Bad whatever was expected.
  std::vector<Input> anyInputs() {
    const auto place = folder().path() / "a folder";
    std::filesystem::create_directories(place);
    return {{"missing", folder().path() / "missing"},
            {"folder", place},
            file("empty.profraw", ""),
            file("text.profraw", "this is text\n"),
            file("truncated-elf.profraw", readText(fixture("program")).substr(0, 3000))};
  }

  std::vector<Input> imageInputs() {
    std::vector<Input> inputs = anyInputs();
    // The place of an ELF file's section table, the size of its names, and of a bundle's first
    // entry.
    const std::string elf = tinyCodeObject(0x53f, "x");
    inputs.push_back(file("huge-table", withHugeNumber(elf, 40)));
    inputs.push_back(file("huge-section", withHugeNumber(elf, elf.size() - 2 * 64 + 32)));
    inputs.push_back(file(
        "huge-entry", withHugeNumber(plainBundle({{"hipv4-amdgcn-amd-amdhsa--gfx90a", "x"}}), 40)));
    inputs.push_back(file("header-only", readText(fixture("program")).substr(0, 40)));
    inputs.push_back(
        file("cut-bundle", compressedBundle(plainBundle({{"hipv4-amdgcn-amd-amdhsa--gfx90a", "x"}}),
                                            3, Method::Zstd)
                               .substr(0, 50)));
    return inputs;
  }

  std::vector<Input> profileInputs() {
    constexpr size_t kVersion = 8; // the raw header: magic, version, size of binary IDs, records
    constexpr size_t kBinaryIds = 16;
    constexpr size_t kRecords = 24;
    const std::string good = readText(goodProfile_);
    std::string foreign = good;
    foreign[kVersion] = 99;
    std::vector<Input> inputs = anyInputs();
    inputs.push_back(file("other-llvm.profraw", foreign));
    inputs.push_back(file("huge-ids.profraw", withHugeNumber(good, kBinaryIds)));
    inputs.push_back(file("huge-records.profraw", withHugeNumber(good, kRecords)));
    return inputs;
  }

  std::string outside() const { return (folder().path() / "out").string(); }

  Command merge() const {
    return {"merge", [this](const std::string& input) {
              return Arguments{"merge",
                               "--quiet",
                               input,
                               "-o",
                               outside(),
                               "--llvm-profdata",
                               llvmTool("llvm-profdata")};
            }};
  }

  Command reportWith(const char* name, std::string object, std::string profile) const {
    return {name, [this, object = std::move(object),
                   profile = std::move(profile)](const std::string& input) {
              return Arguments{"report",
                               "--quiet",
                               "--object",
                               object.empty() ? input : object,
                               "--profiles",
                               profile.empty() ? input : profile,
                               "-o",
                               outside(),
                               "--llvm-profdata",
                               llvmTool("llvm-profdata"),
                               "--llvm-cov",
                               llvmTool("llvm-cov")};
            }};
  }

  std::vector<Command> imageCommands() const {
    return {{"inspect",
             [](const std::string& input) {
               return Arguments{"inspect", input};
             }},
            {"extract",
             [this](const std::string& input) {
               return Arguments{"extract", input, "-o", outside()};
             }},
            {"doctor", [](const std::string& input) {
               return Arguments{"doctor", input};
             }}};
  }

  std::vector<Command> documentCommands() const {
    return {{"clean",
             [](const std::string& input) {
               return Arguments{"clean", "--manifest", input};
             }},
            {"report by manifest",
             [](const std::string& input) {
               return Arguments{"report", "--manifest", input};
             }},
            {"check",
             [](const std::string& input) {
               return Arguments{"check", "--report", input, "--minimum", "lines=1"};
             }},
            {"check by manifest", [](const std::string& input) {
               return Arguments{"check", "--manifest", input, "--minimum", "lines=1"};
             }}};
  }

  void expectRefusal(const device_coverage::ChildResult& result, const Input& input) const {
    EXPECT_EQ(result.status, 3) << result.errorOutput;
    EXPECT_LT(result.errorOutput.find(input.path.string()), result.errorOutput.find('\n'))
        << result.errorOutput;
    for (const std::string& line : device_coverage::splitLines(result.errorOutput))
      EXPECT_TRUE(line.starts_with("DeviceCoverage: ")) << line;
    EXPECT_FALSE(std::filesystem::exists(outside()));
  }

  /// The first message names the input. A report goes on to say what follows for each side.
  void tryAll(const std::vector<Command>& commands, const std::vector<Input>& inputs,
              bool moreFollows = false) {
    for (const Command& command : commands)
      for (const Input& input : inputs) {
        SCOPED_TRACE(std::string(command.name) + " with " + input.name);
        const auto result = runProgram(command.arguments(input.path.string()));
        expectRefusal(result, input);
        if (!moreFollows) {
          EXPECT_EQ(countLines(result.errorOutput), 1U) << result.errorOutput;
        }
      }
  }

  std::filesystem::path goodProfile_;
};

/// As somebody who may not read everything; empty where that cannot be tried.
std::optional<Arguments> unprivileged() {
  if (geteuid() != 0)
    return Arguments{};
  const Arguments prefix{"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"};
  Arguments trial = prefix;
  trial.insert(trial.end(), {DEVICE_COVERAGE_PROGRAM, "--version"});
  try {
    if (device_coverage::runChild(trial).status == 0)
      return prefix;
  } catch (const std::system_error&) {
    return std::nullopt; // no setpriv
  }
  return std::nullopt;
}

} // namespace

TEST_F(BadInputTest, Images) {
  tryAll(imageCommands(), imageInputs());
}

TEST_F(BadInputTest, ManifestsAndReports) {
  tryAll(documentCommands(), anyInputs());
}

TEST_F(BadInputTest, MergedProfiles) {
  tryAll({merge()}, profileInputs());
}

TEST_F(BadInputTest, ReportedProfiles) {
  tryAll({reportWith("report on a profile", fixture("program").string(), "")}, profileInputs(),
         true);
}

TEST_F(BadInputTest, ReportedObjects) {
  tryAll({reportWith("report on an object", "", goodProfile_.string())}, imageInputs(), true);
}

TEST_F(BadInputTest, ProgramsThatCannotBeRun) {
  const auto program = [](const std::string& input) { return Arguments{"run", "--", input}; };
  tryAll({{"run", program}}, anyInputs());
  const auto drain = [](const std::string& input) {
    return Arguments{"show-env", "--drain", input};
  };
  tryAll({{"show-env", drain}}, {{"missing", folder().path() / "missing"}});
}

TEST_F(BadInputTest, FilesWithoutPermission) {
  const auto prefix = unprivileged();
  if (!prefix)
    GTEST_SKIP() << "root cannot give up its rights here (no setpriv, or a build folder that is "
                    "not for all)";
  const Input input = file("secret.profraw", readText(goodProfile_));
  ASSERT_EQ(chmod(input.path.c_str(), 0), 0);
  for (const auto& place : {folder().path(), input.path.parent_path()})
    ASSERT_EQ(chmod(place.c_str(), 0777), 0);
  std::vector<Command> commands = imageCommands();
  for (const Command& command : documentCommands())
    if (std::string_view(command.name) != "check")
      commands.push_back(command);
  commands.push_back(merge());
  for (const Command& command : commands) {
    SCOPED_TRACE(command.name);
    Arguments arguments = *prefix;
    arguments.push_back(DEVICE_COVERAGE_PROGRAM);
    const Arguments more = command.arguments(input.path.string());
    arguments.insert(arguments.end(), more.begin(), more.end());
    const auto result = device_coverage::runChild(arguments);
    expectRefusal(result, input);
    EXPECT_NE(result.errorOutput.find("permission denied"), std::string::npos)
        << result.errorOutput;
  }
}

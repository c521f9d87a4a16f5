// Lines that changed since a git revision, and the gate on them.
#include "changed_lines.h"

#include <gtest/gtest.h>

#include "gate.h"
#include "message.h"
#include "support/program.h"

using namespace device_coverage;
using namespace test_support;

namespace {

class ChangedLinesTest : public ::testing::Test {
protected:
  void SetUp() override {
    git({"init", "-q"});
    write("a.h", "one\ntwo\nthree\nfour\nfive\nsix\n");
    write("gone.h", "to be deleted\n");
    commit();
  }

  void git(std::vector<std::string> arguments) const { git(root(), std::move(arguments)); }

  static void git(const std::filesystem::path& folder, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(),
                     {"git", "-C", folder.string(), "-c", "user.name=t", "-c",
                      "user.email=t@example.org", "-c", "protocol.file.allow=always"});
    const auto result = runChild(arguments);
    ASSERT_EQ(result.status, 0) << result.errorOutput;
  }

  void commit() const {
    git({"add", "-A"});
    git({"commit", "-q", "-m", "a commit"});
  }

  std::string write(const std::string& name, const std::string& content) const {
    return folder_.write("work tree/" + name, content).string();
  }

  std::filesystem::path root() const {
    std::filesystem::create_directories(folder_.path() / "work tree");
    return folder_.path() / "work tree";
  }

  /// The message that a revision in a folder is refused with.
  static std::string refusal(const std::string& revision, const std::filesystem::path& folder) {
    try {
      changedSince(revision, folder);
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.status(), ExitStatus::Data);
      return failure.message().text();
    }
    return "not refused";
  }

  const TemporaryFolder& folder() const { return folder_; }

private:
  TemporaryFolder folder_;
};

} // namespace

TEST(PatchTest, NewLinesOfEachFile) {
  const std::string patch =
      "diff --git a/x.h b/x.h\n--- a/x.h\n+++ b/x.h\n@@ -1 +1 @@\n-old\n+new\n"
      "@@ -5,0 +6,2 @@\n++++ b/not-a-file\n+++ b/nor-this\n"
      "@@ -9,2 +11,0 @@\n-gone\n-gone\n"
      "diff --git a/with space.h b/with space.h\n--- /dev/null\n+++ b/with space.h\t\n@@ -0,0 +1 "
      "@@\n+a\n"
      "diff --git a/gone.h b/gone.h\n--- a/gone.h\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n";
  EXPECT_EQ(readPatch(patch, "/root"),
            (ChangedLines{{"/root/x.h", {1, 6, 7}}, {"/root/with space.h", {1}}}));
}

TEST(PatchTest, QuotedNamesAreReadAsCWouldReadThem) {
  const auto changed = readPatch("diff --git \"a/x\" \"b/x\"\n--- /dev/null\n"
                                 "+++ \"b/a \\\"q\\\" \\\\ \\t \\303\\244.h\"\n@@ -0,0 +1 @@\n+a\n",
                                 "/root");
  EXPECT_EQ(changed, (ChangedLines{{"/root/a \"q\" \\ \t \xc3\xa4.h", {1}}}));
}

TEST_F(ChangedLinesTest, EditedLinesOfTheWorkTreeAndOfCommits) {
  const std::string file = write("a.h", "one\n2\nthree\nfour\nfive\nsix\nseven\n");
  EXPECT_EQ(changedSince("HEAD", root()), (ChangedLines{{file, {2, 7}}}));
  commit();
  EXPECT_EQ(changedSince("HEAD", root()), ChangedLines{});
  EXPECT_EQ(changedSince("HEAD~1", root()), (ChangedLines{{file, {2, 7}}}));
}

TEST_F(ChangedLinesTest, RenamedFileHasOnlyTheLinesThatWereEdited) {
  git({"mv", "a.h", "b.h"});
  const std::string file = write("b.h", "one\ntwo\nthree\nfour\nfive\n6\n");
  commit();
  EXPECT_EQ(changedSince("HEAD~1", root()), (ChangedLines{{file, {6}}}));
}

TEST_F(ChangedLinesTest, DeletedFilesAndLinesAskForNothing) {
  git({"rm", "-q", "gone.h"});
  const std::string file = write("a.h", "one\nfour\nfive\nsix\n");
  commit();
  EXPECT_EQ(changedSince("HEAD~1", root()), (ChangedLines{{file, {}}}));
}

TEST_F(ChangedLinesTest, NamesWithSpacesQuotesAndOtherLetters) {
  ChangedLines expected;
  for (const char* name : {"with space.h", "ü/ä.h", "say \"x\".h", "tab\t.h"})
    expected[write(name, "new\n")] = {1};
  commit();
  EXPECT_EQ(changedSince("HEAD~1", root()), expected);
}

TEST_F(ChangedLinesTest, FolderBelowTheRootOrBehindALinkGivesThePathsOfItsSpelling) {
  const std::string file = write("sub/b.h", "new\n");
  commit();
  EXPECT_EQ(changedSince("HEAD~1", root() / "sub"), (ChangedLines{{file, {1}}}));
  const auto link = folder().path() / "link";
  std::filesystem::create_directory_symlink(root(), link);
  EXPECT_EQ(changedSince("HEAD~1", link), (ChangedLines{{(link / "sub/b.h").string(), {1}}}));
}

TEST_F(ChangedLinesTest, ShallowCloneWithoutTheRevisionIsRefused) {
  write("a.h", "new\n");
  commit();
  const auto clone = folder().path() / "clone";
  git(folder().path(),
      {"clone", "-q", "--depth", "1", "file://" + root().string(), clone.string()});
  const std::string message = refusal("HEAD~1", clone);
  EXPECT_NE(message.find("HEAD~1"), std::string::npos) << message;
  EXPECT_NE(message.find("name a revision that this clone has"), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos) << message;
}

TEST_F(ChangedLinesTest, UnknownRevisionsAndOptionsInTheirPlaceAreRefused) {
  EXPECT_NE(refusal("no-such-revision", root()).find("no-such-revision"), std::string::npos);
  const auto output = folder().path() / "written by git";
  EXPECT_NE(refusal("--output=" + output.string(), root()), "not refused");
  EXPECT_FALSE(std::filesystem::exists(output));
}

TEST_F(ChangedLinesTest, FolderThatIsNoWorkTreeIsRefused) {
  setenv("GIT_CEILING_DIRECTORIES", folder().path().c_str(), 1);
  const auto elsewhere = folder().path() / "elsewhere";
  std::filesystem::create_directories(elsewhere);
  EXPECT_NE(refusal("HEAD", elsewhere).find("not a git repository"), std::string::npos);
  unsetenv("GIT_CEILING_DIRECTORIES");
}

TEST_F(ChangedLinesTest, MachineWithoutGitIsTold) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", folder().path().c_str(), 1);
  const std::string message = refusal("HEAD", root());
  setenv("PATH", path.c_str(), 1);
  EXPECT_NE(message.find("git cannot be run (no such file or directory)"), std::string::npos)
      << message;
}

// Names of device profiles: LLVM_PROFILE_FILE's patterns, and what to do when a name is taken.
#include "profile_name.h"

#include <gtest/gtest.h>
#include <string>

using namespace device_coverage;

namespace {

constexpr ProfileNameContext kContext = {"/start", "/scratch", "node7", "c0ffee", 42};

std::string expand(const std::string& pattern, const char* target = "gfx90a",
                   const ProfileNameContext& context = kContext) {
  Path path;
  Reason reason;
  if (!expandProfileName(pattern.c_str(), TargetId(target), context, path, reason))
    return std::string("refused: ") + reason.c_str();
  return path.c_str();
}

TEST(ProfileName, theTargetStandsBeforeTheFilesOwnName) {
  EXPECT_EQ(expand("/out/x.profraw"), "/out/gfx90a.x.profraw");
  EXPECT_EQ(expand("/out/x.profraw", "gfx90a:xnack+"), "/out/gfx90a.xnack-on.x.profraw");
}

TEST(ProfileName, relativeNamesStartAtTheFolderTheProcessStartedIn) {
  EXPECT_EQ(expand("x.profraw"), "/start/gfx90a.x.profraw");
  EXPECT_EQ(expand("a/x.profraw"), "/start/a/gfx90a.x.profraw");
}

TEST(ProfileName, noPatternIsTheToolchainsDefault) {
  EXPECT_EQ(expand(""), "/start/gfx90a.default.profraw");
}

TEST(ProfileName, patternsAreExpanded) {
  EXPECT_EQ(expand("/o/%p.profraw"), "/o/gfx90a.42.profraw");
  EXPECT_EQ(expand("/o/%h-%p.profraw"), "/o/gfx90a.node7-42.profraw");
  EXPECT_EQ(expand("%t/x.profraw"), "/scratch/gfx90a.x.profraw");
  EXPECT_EQ(expand("/o/%b.profraw"), "/o/gfx90a.c0ffee.profraw");
  EXPECT_EQ(expand("/o/%p/x%p.profraw"), "/o/42/gfx90a.x42.profraw");
}

TEST(ProfileName, continuousModeAndUnknownPatternsLeaveNoTrace) {
  EXPECT_EQ(expand("/o/%cx%q.profraw"), "/o/gfx90a.x.profraw");
  EXPECT_EQ(expand("/o/x.profraw%"), "/o/gfx90a.x.profraw");
  EXPECT_EQ(expand("/o/%12.profraw"), "/o/gfx90a.2.profraw");
}

TEST(ProfileName, mergePoolsDifferByExecutableAndByProcess) {
  ProfileNameContext other = kContext;
  other.binaryId = "decade";
  EXPECT_NE(expand("/o/%m.profraw"), expand("/o/%m.profraw", "gfx90a", other));
  EXPECT_EQ(expand("/o/%m.profraw").substr(expand("/o/%m.profraw").rfind('_')), "_0.profraw");
  EXPECT_EQ(expand("/o/%5m.profraw").substr(expand("/o/%5m.profraw").rfind('_')), "_2.profraw");
}

TEST(ProfileName, aForkedChildGetsItsOwnName) {
  ProfileNameContext child = kContext;
  child.process = 43;
  EXPECT_EQ(expand("/o/%p.profraw", "gfx90a", child), "/o/gfx90a.43.profraw");
}

TEST(ProfileName, aFolderIsRefused) {
  EXPECT_EQ(expand("/out/"),
            "refused: the profile name pattern `/out/` names a folder, not a file");
}

TEST(ProfileName, aNameThatIsTooLongIsRefusedAndNotCut) {
  EXPECT_EQ(expand(std::string(5000, 'x')).rfind("refused: the profile name made from", 0), 0u);
}

TEST(ProfileName, aTakenNameIsMadeUniqueBeforeTheSuffix) {
  EXPECT_STREQ(alternativeName(Path("/o.d/gfx90a.x.profraw"), 42, 1).c_str(),
               "/o.d/gfx90a.x-42.profraw");
  EXPECT_STREQ(alternativeName(Path("/o.d/gfx90a.x.profraw"), 42, 2).c_str(),
               "/o.d/gfx90a.x-42-2.profraw");
}

} // namespace

#include "target_id.h"

#include <gtest/gtest.h>

#include "side.h"

using device_coverage::matchStrength;
using device_coverage::Side;
using device_coverage::TargetId;

namespace {

TargetId target(const char* text) {
  return TargetId::parse(text).value();
}

} // namespace

TEST(TargetIdTest, ReadsFeaturesInAnyOrderAndWritesThemInOne) {
  EXPECT_EQ(target("gfx90a:xnack-:sramecc+").text(), "gfx90a:sramecc+:xnack-");
  EXPECT_EQ(target("gfx9-4-generic").text(), "gfx9-4-generic");
}

TEST(TargetIdTest, FileNameHasNoCharacterThatArtefactStoresRefuse) {
  EXPECT_EQ(target("gfx90a:sramecc+:xnack-").fileName(), "gfx90a.sramecc-on.xnack-off");
}

TEST(TargetIdTest, RefusesWhatIsNoTargetId) {
  for (const char* text : {"", "gfx", "sm_90", "gfx90a:", "gfx90a:xnack", "gfx90a:+", "GFX90A",
                           "gfx90a:xnack+:xnack-", "gfx90a xnack+"})
    EXPECT_FALSE(TargetId::parse(text).has_value()) << text;
}

TEST(TargetIdTest, ObjectThatDemandsAFeatureFitsOnlyAGpuThatHasItSetSo) {
  EXPECT_EQ(matchStrength(target("gfx90a"), target("gfx90a:sramecc+:xnack-")), 0);
  EXPECT_EQ(matchStrength(target("gfx90a:xnack-"), target("gfx90a:sramecc+:xnack-")), 1);
  EXPECT_FALSE(matchStrength(target("gfx90a:xnack+"), target("gfx90a:sramecc+:xnack-")));
  EXPECT_FALSE(matchStrength(target("gfx90a:xnack-"), target("gfx90a")));
  EXPECT_FALSE(matchStrength(target("gfx908"), target("gfx90a")));
}

TEST(SideTest, DeviceProfilesAreToldByTheirPrefix) {
  EXPECT_EQ(Side::ofProfile("gfx90a.test_12.profraw").name(), "gfx90a");
  EXPECT_EQ(Side::ofProfile("gfx90a.sramecc-on.xnack-off.a.b.profraw").name(),
            "gfx90a:sramecc+:xnack-");
  EXPECT_EQ(Side::ofProfile("gfx9-4-generic.x.profraw").name(), "gfx9-4-generic");
}

TEST(SideTest, WordsThatOnlyLookLikeAFeatureBelongToTheFileName) {
  EXPECT_EQ(Side::ofProfile("gfx90a.always-on-top.profraw").name(), "gfx90a");
  EXPECT_EQ(Side::ofProfile("gfx90a.profraw").name(), "gfx90a");
  EXPECT_EQ(Side::ofProfile("gfx90a.xnack-on.xnack-on.profraw").name(), "gfx90a:xnack+");
}

TEST(SideTest, HostProfilesThatSpeakOfGfxStayWithTheHost) {
  for (const char* name : {"gfx_test.profraw", "default.profraw", "my.gfx90a.profraw", "gfx90a",
                           "gfx.profraw", "gfxInfo.profraw"})
    EXPECT_TRUE(Side::ofProfile(name).isHost()) << name;
}

TEST(SideTest, FileNameOfASideLeadsBackToIt) {
  for (const char* text : {"gfx90a", "gfx942:sramecc+:xnack+", "gfx11-generic"}) {
    const Side side = Side::device(target(text));
    EXPECT_EQ(Side::ofProfile(side.fileName() + ".x.profraw"), side);
  }
}

// The raw-profile writer against the toolchain's reader and the toolchain's own writer.
#include "profile_format.h"
#include "raw_profile.h"
#include "test_files.h"

#include <cstring>
#include <gtest/gtest.h>

using namespace device_coverage;

namespace {

class Fixture {
public:
  explicit Fixture(const std::string& name) : file_(deviceElf(name)) {
    Reason reason;
    if (inspectCodeObject(Bytes{file_.data(), file_.size()}, object, reason) !=
        Inspection::Instrumented)
      throw std::runtime_error(reason.c_str());
    clearReading(object, reading);
  }
  void setCounter(size_t index, uint64_t value) {
    std::memcpy(reading.data() + index * sizeof value, &value, sizeof value);
  }
  CodeObject object;
  Buffer reading;

private:
  std::vector<uint8_t> file_;
};

std::string shown(const std::filesystem::path& profile) {
  return run("'" LLVM_PROFDATA "' show --all-functions --counts '" + profile.string() + "'").output;
}

TEST(RawProfile, theToolchainsWriterAndTheDrainsAgree) {
  const ScratchFolder scratch;
  Fixture fixture("exact");
  for (size_t i = 0; i < 8; ++i)
    fixture.setCounter(i, 1000 + i * i);
  Buffer profile;
  ASSERT_TRUE(appendRawProfile(fixture.object, fixture.reading, profile));
  writeFile(scratch.path() / "ours.profraw", profile.data(), profile.size());

  const auto store = [&](const char* name, const Bytes& bytes) {
    writeFile(scratch.path() / name, bytes.data, bytes.size);
    return " '" + (scratch.path() / name).string() + "'";
  };
  const std::string files =
      store("data", fixture.object.records.view()) +
      store("counters", Bytes{fixture.reading.data(), partOffset(fixture.object, kBitmapPart)}) +
      store("names", fixture.object.names.view());
  const CommandResult written = run(
      "LLVM_PROFILE_FILE='" + (scratch.path() / "x.profraw").string() +
      "' '" TOOLCHAIN_WRITER "' gfx90a" + files + " " + std::to_string(fixture.object.rawVersion));
  ASSERT_EQ(written.status, 0) << written.output;
  const std::string theirs = shown(scratch.path() / "gfx90a.x.profraw");
  EXPECT_EQ(shown(scratch.path() / "ours.profraw"), theirs);
  EXPECT_NE(theirs.find("Total functions: 3"), std::string::npos) << theirs;
}

TEST(RawProfile, severalCodeObjectsStandOneAfterAnotherInOneFile) {
  const ScratchFolder scratch;
  Buffer profile;
  for (const char* name : {"exact", "other"}) {
    Fixture fixture(name);
    fixture.setCounter(0, 7);
    ASSERT_TRUE(appendRawProfile(fixture.object, fixture.reading, profile));
  }
  writeFile(scratch.path() / "x.profraw", profile.data(), profile.size());
  const std::string counts = countsIn(scratch.path() / "x.profraw");
  EXPECT_EQ(std::count(counts.begin(), counts.end(), '\n'), 4) << counts;
  EXPECT_EQ(std::count(counts.begin(), counts.end(), '7'), 2) << counts;
}

TEST(RawProfile, theDevicesBuildIdIsTheBinaryId) {
  const ScratchFolder scratch;
  Fixture fixture("exact");
  Buffer profile;
  ASSERT_TRUE(appendRawProfile(fixture.object, fixture.reading, profile));
  writeFile(scratch.path() / "x.profraw", profile.data(), profile.size());
  std::string id;
  for (size_t i = 0; i < fixture.object.binaryId.size(); ++i) {
    char digits[3];
    std::snprintf(digits, sizeof digits, "%02x", fixture.object.binaryId.data()[i]);
    id += digits;
  }
  ASSERT_EQ(id.size(), 40u);
  const CommandResult ids = run("'" LLVM_PROFDATA "' show --binary-ids '" +
                                (scratch.path() / "x.profraw").string() + "'");
  EXPECT_NE(ids.output.find(id), std::string::npos) << ids.output;
}

TEST(RawProfile, coveredOrNotCountersKeepTheirVersionWord) {
  const ScratchFolder scratch;
  Fixture fixture("covered");
  fixture.reading.data()[0] = 0;
  Buffer profile;
  ASSERT_TRUE(appendRawProfile(fixture.object, fixture.reading, profile));
  writeFile(scratch.path() / "x.profraw", profile.data(), profile.size());
  const std::string text = shown(scratch.path() / "x.profraw");
  EXPECT_NE(text.find("Total functions: 3"), std::string::npos) << text;
  EXPECT_NE(text.find("Maximum function count: 1"), std::string::npos) << text;
}

TEST(RawProfile, everyPartIsPaddedSoThatTheNextProfileStartsAligned) {
  for (const char* name : {"exact", "covered", "mcdc", "other"}) {
    Fixture fixture(name);
    Buffer profile;
    ASSERT_TRUE(appendRawProfile(fixture.object, fixture.reading, profile));
    EXPECT_EQ(profile.size() % sizeof(uint64_t), 0u) << name;
  }
}

} // namespace

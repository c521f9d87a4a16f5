// The drain against an HSA runtime made of host memory: what it counts, and when.
#include "code_object_files.h"
#include "device_coverage/device_note.h"
#include "drain.h"
#include "fake_hsa.h"
#include "profile_format.h"
#include "test_files.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <numeric>
#include <sstream>
#include <sys/mman.h>
#include <thread>
#include <unistd.h>

using namespace device_coverage;

namespace {

Drain* current = nullptr;

class DrainTest : public testing::Test {
protected:
  DrainTest() {
    setenv("DEVICE_COVERAGE_SAVE_CODE_OBJECTS", "0", 1); // the ELFs of these tests are in memory
    setenv("LLVM_PROFILE_FILE", (scratch.path() / "run.profraw").c_str(), 1);
    drain = createForever<Drain>();
    current = drain;
    const HsaRuntime::Hooks hooks = {
        [] { return current->shutDown(); }, nullptr,
        [](HsaExecutable executable, const char* options) {
          return current->freeze(executable, options);
        },
        [](HsaExecutable executable) { return current->destroy(executable); }};
    EXPECT_TRUE(drain->attach(hsa.table(), hooks));
  }
  ~DrainTest() override {
    unsetenv("DEVICE_COVERAGE_TIMEOUT");
    unsetenv("LLVM_PROFILE_FILE");
    unsetenv("DEVICE_COVERAGE_SAVE_CODE_OBJECTS");
  }

  std::string counts(const std::string& file = "gfx90a.run.profraw") {
    return countsIn(scratch.path() / file);
  }
  device_coverage_status_t status() {
    device_coverage_status_t status = {};
    status.size = sizeof status;
    drain->status(&status);
    return status;
  }

  ScratchFolder scratch;
  FakeHsa hsa;
  Drain* drain;
  const std::vector<uint8_t> exact = deviceElf("exact");
};

// What kernels change in "exact": eight counters, and from LLVM 23 on as many uniform ones and
// three records.
constexpr size_t kBytesRead = INSTR_PROF_RAW_VERSION >= 11 ? 128 + 3 * sizeof(ProfileRecord) : 64;

constexpr const char kNothingCounted[] = "_Z10clampToTeni: 0 0\n"
                                         "_Z12bothPositiveii: 0 0 0\n"
                                         "_Z4fillPii: 0 0 0\n";

std::string sumOf(const std::string& text) {
  unsigned long long sum = 0;
  std::istringstream words(text);
  for (std::string word; words >> word;)
    if (isdigit(static_cast<unsigned char>(word[0])))
      sum += std::stoull(word);
  return std::to_string(sum);
}

void waitForOtherThreads() {
  const auto count = [] {
    const std::filesystem::directory_iterator threads("/proc/self/task");
    return std::distance(begin(threads), end(threads));
  };
  // A sanitizer may have a thread of its own, so this waits for the number not to change any more.
  for (auto before = count() + 1; before != count(); usleep(200'000))
    before = count();
}

TEST_F(DrainTest, aCodeObjectThatNeverRanHasAProfileOfZeros) {
  hsa.load(exact);
  EXPECT_EQ(drain->flush(), DEVICE_COVERAGE_OK);
  EXPECT_EQ(counts(), kNothingCounted);
}

TEST_F(DrainTest, nothingLoadedWritesNothing) {
  EXPECT_EQ(drain->flush(), DEVICE_COVERAGE_NOTHING);
  EXPECT_TRUE(scratch.files().empty());
}

TEST_F(DrainTest, uninstrumentedCodeWritesNothing) {
  const std::vector<uint8_t> plain = deviceElf("plain");
  hsa.load(plain);
  EXPECT_EQ(drain->flush(), DEVICE_COVERAGE_NOTHING);
  EXPECT_TRUE(scratch.files().empty());
  EXPECT_EQ(status().code_objects, 1u);
  EXPECT_EQ(status().instrumented, 0u);
  EXPECT_EQ(status().refused, 0u);
}

TEST_F(DrainTest, everyCounterReachesItsOwnFunction) {
  const uint64_t executable = hsa.load(exact);
  for (size_t i = 0; i < 8; ++i)
    hsa.count(executable, i, uint64_t{1} << (4 * i));
  drain->flush();
  EXPECT_EQ(sumOf(counts()), std::to_string(0x11111111u));
  EXPECT_EQ(counts().find(" 0"), std::string::npos);
}

TEST_F(DrainTest, countsBeyond32BitsSurvive) {
  const uint64_t executable = hsa.load(exact);
  hsa.count(executable, 0, 5'000'000'000);
  drain->flush();
  EXPECT_EQ(sumOf(counts()), "5000000000");
}

TEST_F(DrainTest, oneCopyPerCodeObject) {
  hsa.load(exact);
  drain->flush();
  EXPECT_EQ(hsa.copies(), 1u);
  EXPECT_EQ(status().copies, 1u);
  EXPECT_EQ(status().bytes_copied, kBytesRead);
}

TEST_F(DrainTest, severalDrainsNeverDouble) {
  const uint64_t executable = hsa.load(exact);
  hsa.count(executable, 0, 3);
  drain->flush();
  drain->flush();
  EXPECT_EQ(sumOf(counts()), "3");
  hsa.count(executable, 0, 4);
  drain->flushAtExit();
  EXPECT_EQ(sumOf(counts()), "7");
  EXPECT_EQ(scratch.files(), std::vector<std::string>{"gfx90a.run.profraw"});
}

TEST_F(DrainTest, identicalCodeOnTwoGpusIsSummed) {
  hsa.count(hsa.load(exact, FakeHsa::kFirstGpu), 0, 3);
  hsa.count(hsa.load(exact, FakeHsa::kSecondGpu), 0, 40);
  drain->flush();
  EXPECT_EQ(sumOf(counts()), "43");
  EXPECT_EQ(status().agents, 2u);
}

TEST_F(DrainTest, codeLoadedForACpuIsLeftAlone) {
  hsa.load(exact, FakeHsa::kCpu);
  EXPECT_EQ(drain->flush(), DEVICE_COVERAGE_NOTHING);
}

TEST_F(DrainTest, unloadBeforeExitKeepsTheCounts) {
  const uint64_t executable = hsa.load(exact);
  hsa.count(executable, 0, 3);
  hsa.unload(executable);
  EXPECT_EQ(drain->flush(), DEVICE_COVERAGE_OK);
  EXPECT_EQ(sumOf(counts()), "3");
}

TEST_F(DrainTest, drainThenUnloadThenDrainDoesNotDouble) {
  const uint64_t executable = hsa.load(exact);
  hsa.count(executable, 0, 3);
  drain->flush();
  hsa.count(executable, 0, 4);
  hsa.unload(executable);
  drain->flush();
  EXPECT_EQ(sumOf(counts()), "7");
}

TEST_F(DrainTest, aHandleUsedAgainIsANewLifetime) {
  for (uint64_t run = 1; run <= 3; ++run) {
    hsa.loadAs(7, exact, FakeHsa::kFirstGpu);
    hsa.count(7, 0, run);
    hsa.unload(7);
  }
  drain->flush();
  EXPECT_EQ(sumOf(counts()), "6");
}

TEST_F(DrainTest, otherCodeAtAUsedAddressAndHandleIsNotTakenForTheOldOne) {
  const std::vector<uint8_t> other = deviceElf("other");
  hsa.loadAs(7, exact, FakeHsa::kFirstGpu);
  hsa.count(7, 0, 3);
  drain->flush();
  const uint8_t* const address = hsa.section(7, "__llvm_prf_names");
  hsa.unload(7);
  hsa.loadAs(7, other, FakeHsa::kFirstGpu);
  ASSERT_LT(std::abs(hsa.section(7, "__llvm_prf_names") - address), 4096)
      << "the memory is used again";
  hsa.count(7, 0, 40);
  drain->flush();
  EXPECT_EQ(sumOf(counts()), "43");
  EXPECT_NE(counts().find("_Z9otherFillPi: 40"), std::string::npos) << counts();
}

TEST_F(DrainTest, aFailedDestroyDoesNotEndALifetime) {
  const uint64_t executable = hsa.load(exact);
  hsa.count(executable, 0, 3);
  hsa.unload(executable + 1000);
  drain->flush();
  EXPECT_EQ(sumOf(counts()), "3");
}

TEST_F(DrainTest, bytesFreedAfterLoadingAreNotNeeded) {
  auto elf = std::make_unique<std::vector<uint8_t>>(exact);
  const uint64_t executable = hsa.load(*elf);
  hsa.count(executable, 0, 3);
  std::fill(elf->begin(), elf->end(), uint8_t{0xdd});
  drain->flush();
  EXPECT_EQ(sumOf(counts()), "3");
}

TEST_F(DrainTest, twoDifferentCodeObjectsShareOneFile) {
  const std::vector<uint8_t> other = deviceElf("other");
  hsa.count(hsa.load(exact), 0, 3);
  hsa.count(hsa.load(other), 0, 40);
  drain->flush();
  EXPECT_EQ(scratch.files(), std::vector<std::string>{"gfx90a.run.profraw"});
  EXPECT_EQ(sumOf(counts()), "43");
  EXPECT_NE(counts().find("_Z9otherFillPi"), std::string::npos);
}

TEST_F(DrainTest, eachTargetIdHasAFileOfItsOwn) {
  const std::vector<uint8_t> xnack = deviceElf("xnack");
  const std::vector<uint8_t> gfx908 = deviceElf("gfx908");
  hsa.count(hsa.load(exact), 0, 1);
  hsa.count(hsa.load(xnack), 0, 2);
  hsa.count(hsa.load(gfx908, FakeHsa::kSecondGpu), 0, 3);
  drain->flush();
  EXPECT_EQ(scratch.files(), (std::vector<std::string>{"gfx908.run.profraw", "gfx90a.run.profraw",
                                                       "gfx90a.xnack-on.run.profraw"}));
  EXPECT_EQ(sumOf(counts()), "1");
  EXPECT_EQ(sumOf(counts("gfx90a.xnack-on.run.profraw")), "2");
  EXPECT_EQ(sumOf(counts("gfx908.run.profraw")), "3");
}

TEST_F(DrainTest, coveredOrNotCountersAreUnitedOverGpus) {
  const std::vector<uint8_t> covered = deviceElf("covered");
  const uint64_t one = hsa.load(covered, FakeHsa::kFirstGpu);
  const uint64_t two = hsa.load(covered, FakeHsa::kSecondGpu);
  hsa.section(one, "__llvm_prf_cnts")[0] = 0;
  hsa.section(two, "__llvm_prf_cnts")[0] = 0;
  hsa.section(two, "__llvm_prf_cnts")[1] = 0;
  EXPECT_EQ(drain->flush(), DEVICE_COVERAGE_OK);
  EXPECT_EQ(sumOf(counts()), "2") << counts();
}

TEST_F(DrainTest, bitmapsOfMcDcAreUnitedOverGpusAndTravelWithTheCounters) {
  const std::vector<uint8_t> mcdc = deviceElf("mcdc");
  const uint64_t one = hsa.load(mcdc, FakeHsa::kFirstGpu);
  const uint64_t two = hsa.load(mcdc, FakeHsa::kSecondGpu);
  hsa.section(one, "__llvm_prf_bits")[0] = 0x1;
  hsa.section(two, "__llvm_prf_bits")[0] = 0x4;
  EXPECT_EQ(drain->flush(), DEVICE_COVERAGE_OK);
  EXPECT_EQ(hsa.copies(), 2u);
  const CommandResult text = run("'" LLVM_PROFDATA "' merge --text -o - '" +
                                 (scratch.path() / "gfx90a.run.profraw").string() + "'");
  EXPECT_EQ(text.status, 0) << text.output;
  EXPECT_NE(text.output.find("# Bitmap Byte Values:\n0x5\n"), std::string::npos) << text.output;
}

#if INSTR_PROF_RAW_VERSION >= 11

// Neither is shown by llvm-profdata, so the file is read here. "mcdc" has all parts of a profile.
TEST_F(DrainTest, waveSizesAndUniformCountersTravelWithTheCounters) {
  const std::vector<uint8_t> mcdc = deviceElf("mcdc");
  const uint64_t one = hsa.load(mcdc, FakeHsa::kFirstGpu);
  const uint64_t two = hsa.load(mcdc, FakeHsa::kSecondGpu);
  const size_t uniformSize = hsa.sectionSize(one, kUniformCountersSection);
  reinterpret_cast<ProfileRecord*>(hsa.section(two, kDataSection))[1].OffloadDeviceWaveSize = 64;
  reinterpret_cast<uint64_t*>(hsa.section(one, kUniformCountersSection))[2] = 5;
  reinterpret_cast<uint64_t*>(hsa.section(two, kUniformCountersSection))[2] = 6;
  EXPECT_EQ(drain->flush(), DEVICE_COVERAGE_OK);
  const std::vector<uint8_t> file = readFile(scratch.path() / "gfx90a.run.profraw");
  const auto& header = *reinterpret_cast<const RawProfileHeader*>(file.data());
  const auto* records =
      reinterpret_cast<const ProfileRecord*>(file.data() + sizeof header + header.BinaryIdsSize);
  EXPECT_EQ(records[0].OffloadDeviceWaveSize, 0u) << "its code never ran";
  EXPECT_EQ(records[1].OffloadDeviceWaveSize, 64u);
  const uint64_t* counters = reinterpret_cast<const uint64_t*>(records + header.NumData);
  const uint64_t* uniform =
      counters + header.NumCounters +
      (header.NumBitmapBytes + header.PaddingBytesAfterBitmapBytes) / sizeof(uint64_t);
  ASSERT_GT(header.NumBitmapBytes, 0u);
  ASSERT_EQ(header.NumUniformCounters, uniformSize / sizeof(uint64_t));
  EXPECT_EQ(std::accumulate(uniform, uniform + header.NumUniformCounters, uint64_t{0}), 11u);
  EXPECT_EQ(uniform[2], 11u);
}

#endif

TEST_F(DrainTest, thousandsOfLoadsAreCountedOnceEach) {
  constexpr size_t kLoads = 3000;
  std::vector<uint64_t> executables;
  for (size_t i = 0; i < kLoads; ++i) {
    executables.push_back(hsa.load(exact));
    hsa.count(executables.back(), 0, 1);
    if (i % 3 == 0)
      hsa.unload(executables[i]);
  }
  drain->flush();
  drain->flush();
  EXPECT_EQ(sumOf(counts()), std::to_string(kLoads));
  EXPECT_EQ(status().instrumented, kLoads);
}

TEST_F(DrainTest, loadingCodeDoesNotListAllThatIsLoaded) {
  hsa.load(exact);
  hsa.load(exact);
  EXPECT_EQ(hsa.listings(), 0u);
  drain->flush();
  EXPECT_EQ(hsa.listings(), 1u);
  EXPECT_EQ(status().code_objects, 2u) << "found once, at loading or by the list";
}

TEST_F(DrainTest, aLoaderThatCannotBeAskedForOneExecutableIsListed) {
  hsa.answerLikeAnOldLoader();
  hsa.count(hsa.load(exact), 0, 3);
  EXPECT_EQ(hsa.listings(), 1u);
  drain->flush();
  EXPECT_EQ(sumOf(counts()), "3");
  EXPECT_EQ(status().code_objects, 1u);
}

TEST_F(DrainTest, resetMeasuresAPhase) {
  const uint64_t executable = hsa.load(exact);
  const uint64_t gone = hsa.load(exact);
  hsa.count(executable, 0, 3);
  hsa.count(gone, 0, 10);
  hsa.unload(gone);
  drain->flush();
  EXPECT_EQ(drain->setProfileName((scratch.path() / "phase.profraw").c_str()), DEVICE_COVERAGE_OK);
  EXPECT_EQ(drain->reset(), DEVICE_COVERAGE_OK);
  hsa.count(executable, 0, 5);
  drain->flush();
  EXPECT_EQ(sumOf(counts()), "13");
  EXPECT_EQ(sumOf(counts("gfx90a.phase.profraw")), "5");
}

TEST_F(DrainTest, resetOfCoveredOrNotCountersIsAllOnes) {
  const std::vector<uint8_t> covered = deviceElf("covered");
  const uint64_t executable = hsa.load(covered);
  hsa.section(executable, "__llvm_prf_cnts")[0] = 0;
  EXPECT_EQ(drain->reset(), DEVICE_COVERAGE_OK);
  EXPECT_EQ(hsa.section(executable, "__llvm_prf_cnts")[0], 0xff);
}

TEST_F(DrainTest, countsAfterTheDrainAtExitAreWrittenWhenTheCodeIsUnloaded) {
  const uint64_t executable = hsa.load(exact);
  hsa.count(executable, 0, 3);
  drain->flushAtExit();
  hsa.count(executable, 0, 4);
  hsa.unload(executable);
  EXPECT_EQ(sumOf(counts()), "7");
}

TEST_F(DrainTest, unloadAfterTheDrainAtExitDoesNotWriteTheSameAgain) {
  const uint64_t executable = hsa.load(exact);
  hsa.count(executable, 0, 3);
  drain->flushAtExit();
  const uint64_t written = status().files_written;
  hsa.unload(executable);
  EXPECT_EQ(status().files_written, written);
}

TEST_F(DrainTest, hsaShutDownBeforeExitKeepsTheCounts) {
  const uint64_t executable = hsa.load(exact);
  hsa.count(executable, 0, 3);
  hsa.shutDown();
  drain->flushAtExit();
  EXPECT_EQ(sumOf(counts()), "3");
  EXPECT_EQ(status().failed_copies, 0u);
}

TEST_F(DrainTest, hsaUnloadingTheDrainKeepsTheCounts) {
  hsa.count(hsa.load(exact), 0, 3);
  hsa.shutDown();
  drain->detach();
  drain->flushAtExit();
  EXPECT_EQ(sumOf(counts()), "3");
}

TEST_F(DrainTest, aFailedCopyIsCountedAndTheRestIsDrained) {
  const std::vector<uint8_t> other = deviceElf("other");
  hsa.count(hsa.load(exact), 0, 3);
  hsa.count(hsa.load(other), 0, 40);
  int calls = 0;
  hsa.beforeCopy = [&]() { return ++calls == 1 ? HsaStatus{0x1000} : kHsaSuccess; };
  testing::internal::CaptureStderr();
  drain->flush();
  const std::string message = testing::internal::GetCapturedStderr();
  EXPECT_EQ(status().failed_copies, 1u);
  EXPECT_EQ(sumOf(counts()), "40");
  EXPECT_NE(message.find("DeviceCoverage: drain: copying " + std::to_string(kBytesRead) + " bytes"),
            std::string::npos)
      << message;
}

TEST_F(DrainTest, aDeviceThatDoesNotAnswerEndsInAMessageAndKeepsWhatWasCollected) {
  setenv("DEVICE_COVERAGE_TIMEOUT", "1", 1);
  const uint64_t gone = hsa.load(exact);
  hsa.count(gone, 0, 3);
  hsa.unload(gone);
  const std::vector<uint8_t> plain = deviceElf("plain");
  const uint64_t idle = hsa.load(plain);
  hsa.load(exact);
  std::atomic<bool> goOn{false};
  hsa.beforeCopy = [&] {
    while (!goOn)
      usleep(1000);
    return kHsaSuccess;
  };
  testing::internal::CaptureStderr();
  EXPECT_EQ(drain->flush(), DEVICE_COVERAGE_FAILED);
  const std::string message = testing::internal::GetCapturedStderr();
  EXPECT_NE(message.find("did not let their counters be copied"), std::string::npos) << message;
  EXPECT_EQ(sumOf(counts()), "3");
  hsa.unload(idle); // must not wait for the thread that is stuck
  EXPECT_EQ(drain->flush(), DEVICE_COVERAGE_OK);
  goOn = true;
  waitForOtherThreads();
  EXPECT_EQ(sumOf(counts()), "3");
}

// A GPU whose queues were stopped, as after a memory fault that HIP handed to the program, never ends
// a copy. Whatever copies has to give up: at the end of the process nobody could end it.
class DeviceThatNeverAnswers : public DrainTest, public testing::WithParamInterface<const char*> {
protected:
  void doIt(uint64_t executable) {
    const std::string what = GetParam();
    if (what == "unloading")
      hsa.unload(executable);
    else if (what == "shuttingDown")
      hsa.shutDown();
    else
      EXPECT_EQ(drain->reset(), DEVICE_COVERAGE_FAILED);
  }
};

TEST_P(DeviceThatNeverAnswers, costsATimeoutAndAMessage) {
  setenv("DEVICE_COVERAGE_TIMEOUT", "1", 1);
  const uint64_t gone = hsa.load(exact);
  hsa.count(gone, 0, 3);
  hsa.unload(gone);
  const uint64_t stuck = hsa.load(exact);
  std::atomic<bool> goOn{false};
  hsa.beforeCopy = [&] {
    while (!goOn)
      usleep(1000);
    return HsaStatus{0x1000};
  };
  testing::internal::CaptureStderr();
  doIt(stuck);
  const std::string message = testing::internal::GetCapturedStderr();
  EXPECT_NE(message.find("did not let their counters be copied within 1 s"), std::string::npos)
      << message;
  EXPECT_EQ(drain->flush(), DEVICE_COVERAGE_OK);
  EXPECT_EQ(sumOf(counts()), "3") << "what was collected before";
  goOn = true;
  waitForOtherThreads();
  EXPECT_EQ(status().failed_copies, 0u) << "what comes after the end of the wait counts for nothing";
  EXPECT_EQ(sumOf(counts()), "3");
}

INSTANTIATE_TEST_SUITE_P(DrainTest, DeviceThatNeverAnswers,
                         testing::Values("unloading", "shuttingDown", "resetting"),
                         [](const auto& info) { return std::string(info.param); });

TEST_F(DrainTest, aRefusedCodeObjectDoesNotTakeTheOthersWithIt) {
  const char* noteName = DEVICE_COVERAGE_NOTE_NAME;
  std::vector<uint8_t> damaged = exact;
  const auto note = std::search(damaged.begin(), damaged.end(), noteName, noteName + 14);
  ASSERT_NE(note, damaged.end());
  *note = 'X';
  testing::internal::CaptureStderr();
  hsa.load(damaged);
  hsa.load(damaged, FakeHsa::kSecondGpu);
  const std::string message = testing::internal::GetCapturedStderr();
  hsa.count(hsa.load(exact), 0, 3);
  EXPECT_EQ(drain->flush(), DEVICE_COVERAGE_OK);
  EXPECT_EQ(sumOf(counts()), "3");
  EXPECT_EQ(status().refused, 2u);
  EXPECT_NE(message.find("no DeviceCoverage note"), std::string::npos);
  EXPECT_EQ(message.find("no DeviceCoverage note"), message.rfind("no DeviceCoverage note"))
      << "the same reason is told once";
}

TEST_F(DrainTest, anUnwritableFolderIsOneMessageAndAFailure) {
  const std::filesystem::path file = scratch.path() / "file";
  writeFile(file, "", 0);
  drain->setProfileName((file / "below" / "x.profraw").c_str());
  hsa.load(exact);
  testing::internal::CaptureStderr();
  EXPECT_EQ(drain->flush(), DEVICE_COVERAGE_FAILED);
  const std::string message = testing::internal::GetCapturedStderr();
  EXPECT_EQ(std::count(message.begin(), message.end(), '\n'), 1) << message;
  EXPECT_EQ(message.rfind("DeviceCoverage: drain: the device profile of gfx90a was not written", 0),
            0u)
      << message;
  EXPECT_EQ(std::count(message.begin(), message.end(), ';'), 2) << message;
}

TEST_F(DrainTest, aFailedWriteCanBeRepeated) {
  const std::filesystem::path folder = scratch.path() / "later";
  writeFile(folder, "", 0);
  drain->setProfileName((folder / "x.profraw").c_str());
  hsa.count(hsa.load(exact), 0, 3);
  testing::internal::CaptureStderr();
  EXPECT_EQ(drain->flush(), DEVICE_COVERAGE_FAILED);
  testing::internal::GetCapturedStderr();
  std::filesystem::remove(folder);
  EXPECT_EQ(drain->flush(), DEVICE_COVERAGE_OK);
  EXPECT_EQ(sumOf(counts("later/gfx90a.x.profraw")), "3");
}

TEST_F(DrainTest, aChildForgetsWhatItInheritedAndWritesNothing) {
  hsa.count(hsa.load(exact), 0, 3);
  Drain* child = createForever<Drain>();
  drain->continueInChild(*child);
  const size_t copies = hsa.copies();
  EXPECT_EQ(child->flush(), DEVICE_COVERAGE_INACTIVE);
  child->flushAtExit();
  EXPECT_EQ(hsa.copies(), copies);
  EXPECT_TRUE(scratch.files().empty());
}

TEST_F(DrainTest, threadsMayFlushLoadAndUnloadAtTheSameTime) {
  constexpr int kRounds = 20;
  std::vector<std::thread> threads;
  const uint64_t executable = hsa.load(exact);
  hsa.count(executable, 0, 5);
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      for (int round = 0; round < kRounds; ++round)
        EXPECT_EQ(drain->flush(), DEVICE_COVERAGE_OK);
    });
  for (std::thread& thread : threads)
    thread.join();
  EXPECT_EQ(sumOf(counts()), "5");
  EXPECT_EQ(scratch.files(), std::vector<std::string>{"gfx90a.run.profraw"});
}

TEST_F(DrainTest, codeWithoutAFileIsStoredOnceUnderItsBinaryId) {
  unsetenv("DEVICE_COVERAGE_SAVE_CODE_OBJECTS");
  auto elf = std::make_unique<std::vector<uint8_t>>(exact);
  hsa.load(*elf);
  hsa.load(*elf, FakeHsa::kSecondGpu);
  std::fill(elf->begin(), elf->end(), uint8_t{0xdd});
  drain->flush();
  drain->flush();
  ASSERT_EQ(scratch.files().size(), 2u);
  const std::string stored = scratch.files()[0];
  EXPECT_EQ(stored.rfind("code-objects/gfx90a-", 0), 0u) << stored;
  EXPECT_EQ(readFile(scratch.path() / stored), exact);
  const std::string id = std::filesystem::path(stored).stem().string().substr(7);
  const CommandResult ids = run("'" LLVM_PROFDATA "' show --binary-ids '" +
                                (scratch.path() / "gfx90a.run.profraw").string() + "'");
  EXPECT_NE(ids.output.find(id), std::string::npos) << ids.output;
}

TEST_F(DrainTest, codeWithoutABuildIdIsTiedToItsProfileByAHash) {
  unsetenv("DEVICE_COVERAGE_SAVE_CODE_OBJECTS");
  const std::vector<uint8_t> anonymous = deviceElf("no-build-id");
  hsa.load(anonymous);
  drain->flush();
  ASSERT_EQ(scratch.files().size(), 2u);
  const std::string id =
      std::filesystem::path(scratch.files()[0]).stem().string().substr(sizeof "gfx90a-" - 1);
  EXPECT_EQ(id.size(), 32u);
  const CommandResult ids = run("'" LLVM_PROFDATA "' show --binary-ids '" +
                                (scratch.path() / "gfx90a.run.profraw").string() + "'");
  EXPECT_NE(ids.output.find(id), std::string::npos) << ids.output;
}

TEST_F(DrainTest, codeThatIsInAFileIsStoredOnRequestOnly) {
  const std::filesystem::path file = deviceElfPath("exact");
  const int descriptor = open(file.c_str(), O_RDONLY);
  void* mapped = mmap(nullptr, exact.size(), PROT_READ, MAP_PRIVATE, descriptor, 0);
  close(descriptor);
  ASSERT_NE(mapped, MAP_FAILED);
  EXPECT_TRUE(isMappedFromFile(static_cast<char*>(mapped) + 100));
  EXPECT_FALSE(isMappedFromFile(exact.data()));
  unsetenv("DEVICE_COVERAGE_SAVE_CODE_OBJECTS");
  EXPECT_FALSE(isToBeStored(mapped));
  EXPECT_TRUE(isToBeStored(exact.data()));
  setenv("DEVICE_COVERAGE_SAVE_CODE_OBJECTS", "1", 1);
  EXPECT_TRUE(isToBeStored(mapped));
  setenv("DEVICE_COVERAGE_SAVE_CODE_OBJECTS", "0", 1);
  EXPECT_FALSE(isToBeStored(exact.data()));
  munmap(mapped, exact.size());
}

TEST_F(DrainTest, aTableOfAnUnknownVersionIsRefusedAndLeftAsItWas) {
  FakeHsa other;
  other.table()->core->version.minorId = 100;
  void* before = other.table()->core->functions[kHsaSlotExecutableFreeze];
  Drain* fresh = createForever<Drain>();
  testing::internal::CaptureStderr();
  EXPECT_FALSE(fresh->attach(other.table(), {}));
  EXPECT_NE(testing::internal::GetCapturedStderr().find("with 100 bytes"), std::string::npos);
  EXPECT_EQ(other.table()->core->functions[kHsaSlotExecutableFreeze], before);
  EXPECT_EQ(fresh->flush(), DEVICE_COVERAGE_INACTIVE);
}

TEST_F(DrainTest, theTablesOfNewerRuntimesAreUnderstoodAndThoseOfUnknownOnesRefused) {
  const auto attaches = [](uint32_t apiMajor, uint32_t coreMajor) {
    FakeHsa other;
    other.table()->version.majorId = apiMajor;
    other.table()->core->version.majorId = coreMajor;
    return createForever<Drain>()->attach(other.table(), {});
  };
  EXPECT_TRUE(attaches(3, 2)) << "ROCr 6.1 to 7.2";
  testing::internal::CaptureStderr();
  EXPECT_FALSE(attaches(4, 2));
  EXPECT_FALSE(attaches(3, 3));
  EXPECT_FALSE(attaches(0, 1));
  testing::internal::GetCapturedStderr();
}

TEST_F(DrainTest, statusFillsNoMoreThanTheCallerKnows) {
  device_coverage_status_t status;
  std::memset(&status, 0xab, sizeof status);
  status.size = 16;
  EXPECT_EQ(drain->status(&status), DEVICE_COVERAGE_OK);
  EXPECT_EQ(status.abi, 1u);
  EXPECT_EQ(status.active, 1u);
  EXPECT_EQ(status.code_objects, 0xabababababababab);
  EXPECT_EQ(drain->status(nullptr), DEVICE_COVERAGE_NOTHING);
}

} // namespace

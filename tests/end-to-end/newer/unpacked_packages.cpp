// Skips all tests of the program where the packages that they need could not be unpacked.
#include <gtest/gtest.h>

#include <filesystem>

namespace {

class UnpackedPackages : public testing::Environment {
public:
  void SetUp() override {
    for (const char* root : {ROCM_ROOT, LLVM_ROOT})
      if (!std::filesystem::exists(std::filesystem::path(root) / "request"))
        GTEST_SKIP() << root << " holds no unpacked packages; see tests/debian-root";
  }
};

testing::Environment* const kPackages =
    testing::AddGlobalTestEnvironment(new UnpackedPackages); // NOLINT: owned by GoogleTest

} // namespace

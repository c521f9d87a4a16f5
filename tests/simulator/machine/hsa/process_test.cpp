// Processes: fork, exec and exit at any time, and the device files themselves.

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <dirent.h>
#include <fcntl.h>
#include <linux/ioctl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "hsa_machine.h"

namespace {

struct KfdVersion {
  uint32_t major;
  uint32_t minor;
};
constexpr unsigned long kGetVersion = _IOR('K', 0x01, KfdVersion);

int versionRequest(int descriptor) {
  KfdVersion version{};
  return ioctl(descriptor, kGetVersion, &version);
}

/// Runs `body` in a forked child; the child's exit status.
template <typename Body>
int inChild(Body body) {
  const pid_t child = fork();
  if (child == 0)
    _exit(body());
  int status = 0;
  EXPECT_EQ(child, waitpid(child, &status, 0));
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/// Initialises HSA, leaves it so, and runs one packet; 0 when all went well. For children only:
/// HSA does not survive a fork.
int runOnePacket() {
  if (hsa_init() != HSA_STATUS_SUCCESS)
    return 1;
  hsa_agent_t gpu{};
  hsa_iterate_agents(
      [](hsa_agent_t agent, void* data) {
        hsa_device_type_t type{};
        hsa_agent_get_info(agent, HSA_AGENT_INFO_DEVICE, &type);
        if (type == HSA_DEVICE_TYPE_GPU)
          *static_cast<hsa_agent_t*>(data) = agent;
        return HSA_STATUS_SUCCESS;
      },
      &gpu);
  TestQueue queue(gpu);
  hsa_signal_t done{};
  hsa_signal_create(1, 0, nullptr, &done);
  queue.submit(barrier(HSA_PACKET_TYPE_BARRIER_AND, done));
  hsa_signal_wait_scacquire(done, HSA_SIGNAL_CONDITION_EQ, 0, UINT64_MAX, HSA_WAIT_STATE_BLOCKED);
  return testing::Test::HasFailure() ? 2 : 0;
}

} // namespace

TEST(Fork, ChildrenForkedBeforeUseHaveWorkingGpusOfTheirOwn) {
  EXPECT_EQ(0, inChild([] {
    const bool children = inChild(runOnePacket) == 0 && inChild(runOnePacket) == 0;
    return children ? runOnePacket() : 3;
  }));
}

TEST(Fork, ADeviceOpenedByTheParentIsRefusedInTheChild) {
  const int kfd = open("/dev/kfd", O_RDWR | O_CLOEXEC);
  ASSERT_GE(kfd, 0);
  ASSERT_EQ(0, versionRequest(kfd));
  EXPECT_EQ(0, inChild([&] { return versionRequest(kfd) == -1 && errno == EBADF ? 0 : 1; }));
  EXPECT_EQ(0, inChild([&] {
              close(kfd);
              const int fresh = open("/dev/kfd", O_RDWR);
              return versionRequest(fresh) == 0 ? 0 : 1;
            }));
  EXPECT_EQ(0, versionRequest(kfd)) << "the child's close() must not concern the parent";
  close(kfd);
}

TEST(Fork, AForkWhileQueuesRunLeavesTheParentUndisturbed) {
  EXPECT_EQ(0, inChild([] {
    const bool before = runOnePacket() == 0;
    const bool child = inChild([] { return 7; }) == 7;
    return before && child ? runOnePacket() : 3;
  }));
}

TEST(Fork, VforkedChildrenThatCloseEverythingKeepTheParentsDevicesOpen) {
  const int kfd = open("/dev/kfd", O_RDWR | O_CLOEXEC);
  ASSERT_GE(kfd, 0);
  const pid_t child = vfork();
  if (child == 0) {
    close(kfd);
    execl("/bin/true", "true", nullptr);
    _exit(1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_EQ(0, status);
  EXPECT_EQ(0, versionRequest(kfd));
  close(kfd);
}

TEST(Exit, LeavingWithoutShutdownWhilePacketsWaitIsClean) {
  EXPECT_EQ(3, inChild([] {
              runOnePacket();
              exit(3);
              return 0;
            }));
}

TEST(DeviceFiles, DuplicatesServeRequestsAndClosedOnesDoNot) {
  const int kfd = open("/dev/kfd", O_RDWR);
  const int copy = dup(kfd);
  const int high = fcntl(kfd, F_DUPFD_CLOEXEC, 100);
  const int chosen = dup2(kfd, 200);
  for (const int descriptor : {copy, high, chosen}) {
    EXPECT_EQ(0, versionRequest(descriptor)) << descriptor;
    close(descriptor);
    EXPECT_EQ(-1, versionRequest(descriptor));
    EXPECT_EQ(EBADF, errno);
  }
  const int plain = open("/dev/null", O_RDONLY);
  ASSERT_EQ(copy, plain) << "the number is used again";
  EXPECT_EQ(-1, versionRequest(plain));
  EXPECT_EQ(ENOTTY, errno) << "and is no device any more";
  close(plain);
  close(kfd);
}

TEST(DeviceFiles, UnknownRequestsFailAloud) {
  const int kfd = open("/dev/kfd", O_RDWR);
  uint64_t argument = 0;
  testing::internal::CaptureStderr();
  EXPECT_EQ(-1, ioctl(kfd, _IOWR('K', 0x7e, uint64_t), &argument));
  EXPECT_EQ(ENOTTY, errno);
  EXPECT_NE(std::string::npos,
            testing::internal::GetCapturedStderr().find("request 0x7e of /dev/kfd"));
  close(kfd);
}

TEST(DeviceFiles, RenderNodesAreCharacterDevicesWithTheirNumbers) {
  struct stat status {};
  ASSERT_EQ(0, stat("/dev/dri/renderD129", &status));
  EXPECT_TRUE(S_ISCHR(status.st_mode));
  EXPECT_EQ(226u, major(status.st_rdev));
  EXPECT_EQ(129u, minor(status.st_rdev));
  const int node = open("/dev/dri/renderD129", O_RDWR);
  ASSERT_EQ(0, fstat(node, &status));
  EXPECT_EQ(129u, minor(status.st_rdev));
  close(node);
  EXPECT_EQ(-1, access("/dev/dri/renderD150", R_OK));
  EXPECT_EQ(-1, open("/dev/accel/accel0", O_RDWR));
}

TEST(Sysfs, EveryWayOfReadingSeesTheSameTree) {
  const std::string nodes = "/sys/devices/virtual/kfd/kfd/topology/nodes";
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(nodes)) {
    EXPECT_TRUE(std::filesystem::is_directory(entry.path()));
    ++count;
  }
  EXPECT_EQ(4u, count) << "a CPU and three GPUs";
  size_t listed = 0;
  DIR* stream = opendir((nodes + "/").c_str());
  ASSERT_NE(nullptr, stream);
  while (const dirent* entry = readdir(stream))
    listed += entry->d_name[0] != '.' ? 1 : 0;
  closedir(stream);
  EXPECT_EQ(count, listed);
  std::ifstream file("/sys/class/kfd//kfd/topology/nodes/3/properties");
  std::string name;
  uint64_t value = 0, version = 0;
  while (file >> name >> value)
    if (name == "gfx_target_version")
      version = value;
  EXPECT_EQ(90008u, version);
  EXPECT_EQ(-1, open((nodes + "/3/properties").c_str(), O_RDWR));
  EXPECT_EQ(-1, open((nodes + "/9/properties").c_str(), O_RDONLY));
  EXPECT_EQ(ENOENT, errno);
}

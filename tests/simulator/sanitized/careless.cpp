// Asks the driver wrongly, so that the simulator itself does what a sanitizer reports: proof that
// the simulator under the program is the instrumented one. Argument: `overflow`, `misalignment` or
// `race`.

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <thread>

#include <fcntl.h>
#include <linux/kfd_ioctl.h>
#include <sys/ioctl.h>

namespace {

constexpr size_t kApertures = sizeof(kfd_process_device_apertures);

void askForApertures(int driver, char* room) {
  kfd_ioctl_get_process_apertures_new_args arguments{};
  arguments.kfd_process_device_apertures_ptr = reinterpret_cast<uint64_t>(room);
  arguments.num_of_nodes = 1;
  ioctl(driver, AMDKFD_IOC_GET_PROCESS_APERTURES_NEW, &arguments);
}

void waitForAnEvent(int driver, char* room) {
  kfd_ioctl_wait_events_args arguments{};
  arguments.events_ptr = reinterpret_cast<uint64_t>(room);
  arguments.num_events = 1;
  ioctl(driver, AMDKFD_IOC_WAIT_EVENTS, &arguments);
}

/// Two threads have the driver write to one place.
void race(int driver, char* room) {
  const auto ask = [=] {
    for (int i = 0; i < 1000; ++i)
      askForApertures(driver, room);
  };
  std::thread other(ask);
  ask();
  other.join();
}

} // namespace

int main(int argc, char** argv) {
  const char* mistake = argc == 2 ? argv[1] : "";
  const int driver = open("/dev/kfd", O_RDWR);
  const auto room = std::make_unique<char[]>(kApertures + 1);
  if (std::strcmp(mistake, "overflow") == 0)
    askForApertures(driver, std::make_unique<char[]>(kApertures - 8).get());
  else if (std::strcmp(mistake, "misalignment") == 0)
    waitForAnEvent(driver, room.get() + 1);
  else if (std::strcmp(mistake, "race") == 0)
    race(driver, room.get());
  std::puts(driver < 0 ? "no driver" : "nobody minded");
}

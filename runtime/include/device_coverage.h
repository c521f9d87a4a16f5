/* Public interface of DeviceCoverage's drain, for programs that want more than the profile written
 * when they exit. Nothing needs to be called for that one.
 *
 * Link with the CMake target DeviceCoverage::runtime. Where coverage is off, define
 * DEVICE_COVERAGE_DISABLED to get the same functions as inline no-ops that return
 * DEVICE_COVERAGE_INACTIVE; nothing has to be linked then.
 *
 * All functions may be called at any time from any thread, before HIP or HSA was used and after it
 * was shut down. They never start HSA, never abort, and leave errno and the current HIP device as
 * they were. They must not be called from a signal handler or a stream's callback, nor while a
 * stream is being captured. */
#ifndef DEVICE_COVERAGE_H
#define DEVICE_COVERAGE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Grows when a function or a field is added; nothing is ever removed or changes its meaning. */
#define DEVICE_COVERAGE_ABI_VERSION 1

typedef enum device_coverage_result {
  DEVICE_COVERAGE_OK = 0,
  DEVICE_COVERAGE_NOTHING = 1,  /* no instrumented device code was loaded: nothing to write */
  DEVICE_COVERAGE_INACTIVE = 2, /* HSA never loaded the drain, or belongs to a parent process */
  DEVICE_COVERAGE_FAILED = 3    /* something was not done; a message on stderr says what and why */
} device_coverage_result;

/* What the drain found and did in this process so far. */
typedef struct device_coverage_status_t {
  uint32_t size;          /* in: sizeof(device_coverage_status_t) as the caller knows it */
  uint32_t abi;           /* DEVICE_COVERAGE_ABI_VERSION of the library */
  uint32_t active;        /* 1: the HSA runtime has loaded the drain and serves this process */
  uint32_t agents;        /* GPUs on which instrumented code was loaded */
  uint64_t code_objects;  /* loads of code objects seen */
  uint64_t instrumented;  /* of these, with counters that are drained */
  uint64_t refused;       /* of these, with counters that cannot be drained */
  uint64_t failed_copies; /* copies from a device that failed */
  uint64_t copies;        /* copies from a device */
  uint64_t bytes_copied;  /* in these copies */
  uint64_t drains;        /* flushes, the one at exit included */
  uint64_t files_written; /* profile files, each counted every time it was written */
} device_coverage_status_t;

#ifndef DEVICE_COVERAGE_DISABLED

/* Waits for the GPUs (bounded by DEVICE_COVERAGE_TIMEOUT seconds, 30 by default), reads all
 * counters and writes the profiles: one file per target ID. A later flush, and the drain at exit,
 * write the same files again with the counts of the whole run, so no count is ever there twice.
 * Needed before _exit(), which ends a process without its exit handlers. */
device_coverage_result device_coverage_flush(void);

/* Sets all counters back to their start, on the devices and in what was collected, so that the next
 * profile holds only what runs from now on. Together with device_coverage_set_profile_name() a
 * phase of a program gets a profile of its own: device_coverage_flush();
 * device_coverage_set_profile_name("phase2.profraw"); device_coverage_reset(); */
device_coverage_result device_coverage_reset(void);

/* The name pattern of profiles written from now on, as LLVM_PROFILE_FILE has it: relative to the
 * folder the process started in, the target put before the file's own name. Null goes back to
 * LLVM_PROFILE_FILE. Files written before keep their content. FAILED when the pattern has 4096
 * bytes or more. */
device_coverage_result device_coverage_set_profile_name(const char* pattern);

/* Fills `status` up to the smaller of its size and the library's; NOTHING when it is null or its
 * size is below 8. Otherwise OK while active and INACTIVE while not; the numbers are valid either
 * way. */
device_coverage_result device_coverage_status(device_coverage_status_t* status);

/* DEVICE_COVERAGE_ABI_VERSION of the library that is loaded. */
uint32_t device_coverage_abi_version(void);

#else

static inline device_coverage_result device_coverage_flush(void) {
  return DEVICE_COVERAGE_INACTIVE;
}
static inline device_coverage_result device_coverage_reset(void) {
  return DEVICE_COVERAGE_INACTIVE;
}
static inline device_coverage_result device_coverage_set_profile_name(const char* pattern) {
  (void)pattern;
  return DEVICE_COVERAGE_INACTIVE;
}
static inline device_coverage_result device_coverage_status(device_coverage_status_t* status) {
  const uint32_t size = status ? status->size : 0;
  uint32_t i;
  for (i = 4; i < size; ++i)
    ((unsigned char*)status)[i] = 0;
  return DEVICE_COVERAGE_INACTIVE;
}
static inline uint32_t device_coverage_abi_version(void) {
  return DEVICE_COVERAGE_ABI_VERSION;
}

#endif

#ifdef __cplusplus
}
#endif

#endif /* DEVICE_COVERAGE_H */

// Kernels of the interpreter tests. No HIP headers: everything is in the compiler.
#include "functions.h"

#define KERNEL extern "C" __attribute__((global)) void
#define SHARED __attribute__((shared))

static WORK_ITEM Word localId() {
  return __builtin_amdgcn_workitem_id_x();
}
static WORK_ITEM Word globalId() {
  return __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() + localId();
}
static WORK_ITEM void barrier() {
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
}

KERNEL scrambleKernel(Word* out, const Word* in, Word count) {
  const Word id = globalId();
  if (id < count) {
    out[id] = scramble(in[id]);
  }
}
KERNEL wideKernel(Wide* out) {
  out[globalId()] = wideArithmetic(globalId());
}
KERNEL divisionKernel(Wide* out) {
  out[globalId()] = divisions(globalId());
}
KERNEL bitKernel(Word* out) {
  out[globalId()] = bitTricks(globalId());
}
KERNEL scratchKernel(Word* out) {
  out[globalId()] = scratchArray(globalId());
}
KERNEL ackermannKernel(Word* out) {
  out[globalId()] = ackermann(globalId() % 3, globalId() % 5);
}

/// Where every work-item of a three-dimensional grid believes to be.
KERNEL shapeKernel(Word* out, Word sizeX, Word sizeY) {
  const Word x = __builtin_amdgcn_workgroup_id_x() * __builtin_amdgcn_workgroup_size_x() +
                 __builtin_amdgcn_workitem_id_x();
  const Word y = __builtin_amdgcn_workgroup_id_y() * __builtin_amdgcn_workgroup_size_y() +
                 __builtin_amdgcn_workitem_id_y();
  const Word z = __builtin_amdgcn_workgroup_id_z() * __builtin_amdgcn_workgroup_size_z() +
                 __builtin_amdgcn_workitem_id_z();
  __atomic_fetch_add(&out[(z * sizeY + y) * sizeX + x], 1 + (x | y << 10 | z << 20),
                     __ATOMIC_RELAXED);
}

/// Tree reduction in LDS: wrong without the barriers.
KERNEL reduceKernel(Word* out, const Word* in) {
  SHARED static Word partial[256];
  const Word id = localId();
  partial[id] = in[globalId()];
  barrier();
  for (Word step = 128; step != 0; step >>= 1) {
    if (id < step) {
      partial[id] += partial[id + step];
    }
    barrier();
  }
  if (id == 0) {
    out[__builtin_amdgcn_workgroup_id_x()] = partial[0];
  }
}

/// Whole waves leave before the barrier, which must not wait for them.
KERNEL leaveKernel(Word* out) {
  SHARED static Word shared[128];
  const Word id = localId();
  if (id >= 128) {
    out[id] = id;
    return;
  }
  shared[id] = id * 3;
  barrier();
  out[id] = shared[127 - id];
}

KERNEL histogramKernel(Word* bins, Wide* total, const Word* in) {
  const Word value = scramble(in[globalId()]);
  __atomic_fetch_add(&bins[value % 61], 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(total, static_cast<Wide>(value), __ATOMIC_RELAXED);
}

/// A counter without atomics: waves that interleave lose updates.
KERNEL racyKernel(volatile Word* counter) {
  if (localId() % 64 == 0) {
    for (Word turn = 0; turn < 200; ++turn) {
      *counter = *counter + 1;
    }
  }
}

/// Work-group 0 waits for the others: they must make progress.
KERNEL waitKernel(Word* flags, Word others) {
  if (localId() != 0) {
    return;
  }
  if (__builtin_amdgcn_workgroup_id_x() == 0) {
    while (__atomic_load_n(&flags[0], __ATOMIC_ACQUIRE) != others) {
      __builtin_amdgcn_s_sleep(1);
    }
    __atomic_store_n(&flags[1], 1, __ATOMIC_RELEASE);
  } else {
    __atomic_fetch_add(&flags[0], 1, __ATOMIC_RELEASE);
  }
}

/// Spins until the host writes.
KERNEL spinKernel(Word* flag) {
  while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) == 0) {
  }
}

/// The compiler cannot know what the pointer refers to, so it uses flat instructions.
static NOT_INLINED Word sumThrough(const Word* pointer, Word count) {
  Word sum = 0;
  for (Word index = 0; index < count; ++index) {
    sum = sum * 33 + pointer[index];
  }
  return sum;
}
KERNEL flatKernel(Word* out, const Word* in) {
  SHARED static Word shared[8];
  Word own[8];
  if (localId() < 8) {
    shared[localId()] = in[localId()] + 1;
  }
  for (Word index = 0; index < 8; ++index) {
    own[index] = in[index] + localId();
  }
  barrier();
  const Word* pointer = localId() % 3 == 0 ? in : localId() % 3 == 1 ? shared : own;
  out[localId()] = sumThrough(pointer, 8);
}

/// A switch over functions whose addresses are taken.
static NOT_INLINED Word timesThree(Word value) {
  return value * 3;
}
static NOT_INLINED Word plusSeven(Word value) {
  return value + 7;
}
KERNEL indirectKernel(Word* out) {
  Word (*function)(Word) = globalId() % 2 == 0 ? timesThree : plusSeven;
  out[globalId()] = function(globalId());
}

KERNEL permuteKernel(int* out) {
  const int id = static_cast<int>(localId());
  out[id] = __builtin_amdgcn_ds_bpermute(4 * (63 - id), id * 3);
  out[64 + id] = __builtin_amdgcn_ds_permute(4 * ((id + 5) % 64), id);
  out[128 + id] = __builtin_amdgcn_ds_swizzle(id, 0x041f); // lane ^ 1
  out[192 + id] =
      static_cast<int>(__builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0)));
  out[256 + id] = __builtin_amdgcn_readlane(id * 5, 17);
  out[320 + id] = __builtin_amdgcn_readfirstlane(id + 9);
}

KERNEL trapKernel(const Word* in) {
  if (in[0] != 0) {
    __builtin_trap();
  }
}

/// Copies 16 bytes a work-item, as the runtime's copy kernels do.
struct Quad {
  Word word[4];
};
KERNEL copyKernel(Quad* to, const Quad* from, Wide count) {
  for (Wide index = globalId(); index < count; index += 256) {
    to[index] = from[index];
  }
}

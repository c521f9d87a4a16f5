// What HIP 5.2.3's headers and Debian's device libraries lack for a clang that is years younger
// than they are. toolchain.cmake has it included before everything else; a newer HIP needs none of
// it.
#pragma once

// Code of a system header is not instrumented: none of this belongs into a coverage report.
#pragma clang system_header

#if defined(__HIP__)

// The headers read the wavefront size from this macro, which clang no longer defines.
#if !defined(__AMDGCN_WAVEFRONT_SIZE)
#if defined(__GFX10__) || defined(__GFX11__) || defined(__GFX12__)
#define __AMDGCN_WAVEFRONT_SIZE 32
#else
#define __AMDGCN_WAVEFRONT_SIZE 64
#endif
#endif

// Half-precision reciprocals, which the headers take from names the compiler used to know.
typedef _Float16 hip_compat_half2 __attribute__((ext_vector_type(2)));
__attribute__((device, always_inline)) static inline _Float16 __llvm_amdgcn_rcp_f16(_Float16 x) {
#if defined(__HIP_DEVICE_COMPILE__)
  return __builtin_amdgcn_rcph(x);
#else
  return static_cast<_Float16>(1.0f / static_cast<float>(x));
#endif
}
__attribute__((device, always_inline)) static inline hip_compat_half2
__llvm_amdgcn_rcp_2f16(hip_compat_half2 x) {
  return hip_compat_half2{__llvm_amdgcn_rcp_f16(x.x), __llvm_amdgcn_rcp_f16(x.y)};
}

// The device libraries of this release ask whether denormals are flushed, which newer clangs do not
// tell them any more: they are not.
#if defined(__HIP_DEVICE_COMPILE__)
extern "C" __attribute__((constant, weak, visibility("hidden")))
const unsigned char __oclc_daz_opt = 0;
#endif

// __syncthreads() and the __threadfence() family end in this OpenCL builtin, declared by the
// headers and absent from the device libraries. It is defined under its linker name only, because
// its parameter types are enumerations of those headers. `flags` tells LDS from global memory; a
// fence orders both.
#if defined(__HIP_DEVICE_COMPILE__)
extern "C" __attribute__((device, weak, always_inline)) void
hip_compat_fence(unsigned /*flags*/, int order, int scope) __asm__("__atomic_work_item_fence");
extern "C" __attribute__((device, weak, always_inline)) void
hip_compat_fence(unsigned /*flags*/, int /*order*/, int scope) {
  enum { WorkItem = 0, WorkGroup = 1, Device = 2, AllDevices = 3, SubGroup = 4 };
  switch (scope) {
  case WorkItem:
    break;
  case SubGroup:
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "wavefront");
    break;
  case WorkGroup:
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
    break;
  case Device:
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
    break;
  default:
    __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
  }
}
#endif

// atomicInc() and atomicDec() declare LLVM intrinsics of these names that are gone, last parameter
// `bool`, and call them with `false`. By that word the macros tell the two apart, and the calls
// come here.
#define __builtin_amdgcn_atomic_inc(address, value, order, scope, isVolatile)                      \
  hip_compat_atomic_inc_##isVolatile(address, value, order, scope, isVolatile)
#define __builtin_amdgcn_atomic_dec(address, value, order, scope, isVolatile)                      \
  hip_compat_atomic_dec_##isVolatile(address, value, order, scope, isVolatile)
__attribute__((device, always_inline)) static inline unsigned
hip_compat_atomic_inc_false(unsigned* address, unsigned value, int /*order*/, int /*scope*/,
                            bool /*isVolatile*/) {
  return __builtin_amdgcn_atomic_inc32(address, value, __ATOMIC_RELAXED, "agent");
}
__attribute__((device, always_inline)) static inline unsigned
hip_compat_atomic_dec_false(unsigned* address, unsigned value, int /*order*/, int /*scope*/,
                            bool /*isVolatile*/) {
  return __builtin_amdgcn_atomic_dec32(address, value, __ATOMIC_RELAXED, "agent");
}

// Device printf() and assert() ask the host for service through a function that the device
// libraries carry unoptimised. Newer clangs then assume that it reads every hidden argument, and
// HIP 5.2.3 crashes when it launches a kernel with all of them. This one speaks the same protocol:
// a wave takes a packet from the stack of free ones, fills it, pushes it on the stack of ready
// ones, rings the doorbell, and waits for the answer.
#if defined(__HIP_DEVICE_COMPILE__)
struct hip_compat_packet_header {
  unsigned long next;
  unsigned long activeLanes;
  unsigned service;
  unsigned isPending;
};
struct hip_compat_packet_payload {
  unsigned long lanes[64][8];
};
struct hip_compat_hsa_signal {
  long kind;
  long value;
  unsigned long* mailbox;
  unsigned eventId;
};
struct hip_compat_hostcall_buffer {
  hip_compat_packet_header* headers;
  hip_compat_packet_payload* payloads;
  hip_compat_hsa_signal* doorbell;
  unsigned long freePackets;
  unsigned long readyPackets;
  unsigned long indexMask;
};
typedef long hip_compat_long2 __attribute__((ext_vector_type(2)));

__attribute__((device)) static inline unsigned long hip_compat_first_lane(unsigned long value) {
  const unsigned low = __builtin_amdgcn_readfirstlane(static_cast<unsigned>(value));
  const unsigned high = __builtin_amdgcn_readfirstlane(static_cast<unsigned>(value >> 32));
  return static_cast<unsigned long>(high) << 32 | low;
}

__attribute__((device)) static inline unsigned long
hip_compat_pop_packet(hip_compat_hostcall_buffer* buffer, unsigned long* stack) {
  unsigned long top = __hip_atomic_load(stack, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM);
  while (!__hip_atomic_compare_exchange_strong(
      stack, &top,
      __hip_atomic_load(&buffer->headers[top & buffer->indexMask].next, __ATOMIC_RELAXED,
                        __HIP_MEMORY_SCOPE_SYSTEM),
      __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM))
    __builtin_amdgcn_s_sleep(1);
  return top;
}

__attribute__((device)) static inline void
hip_compat_push_packet(hip_compat_hostcall_buffer* buffer, unsigned long* stack,
                       unsigned long packet) {
  unsigned long* const next = &buffer->headers[packet & buffer->indexMask].next;
  unsigned long top = __hip_atomic_load(stack, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
  do {
    *next = top;
  } while (!__hip_atomic_compare_exchange_strong(stack, &top, packet, __ATOMIC_RELEASE,
                                                 __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM));
}

__attribute__((device)) static inline void hip_compat_ring(hip_compat_hsa_signal* doorbell) {
  __hip_atomic_fetch_add(&doorbell->value, 1, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM);
  if (doorbell->mailbox == nullptr)
    return;
  __hip_atomic_store(doorbell->mailbox, static_cast<unsigned long>(doorbell->eventId),
                     __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM);
  enum { Interrupt = 1, EventIdMask = 0xff };
  __builtin_amdgcn_s_sendmsg(Interrupt,
                             __builtin_amdgcn_readfirstlane(doorbell->eventId) & EventIdMask);
}

extern "C" __attribute__((device, weak, noinline)) hip_compat_long2
hip_compat_hostcall(void* hostcallBuffer, unsigned service, unsigned long a0, unsigned long a1,
                    unsigned long a2, unsigned long a3, unsigned long a4, unsigned long a5,
                    unsigned long a6, unsigned long a7) __asm__("__ockl_hostcall_internal");
extern "C" __attribute__((device, weak, noinline)) hip_compat_long2
hip_compat_hostcall(void* hostcallBuffer, unsigned service, unsigned long a0, unsigned long a1,
                    unsigned long a2, unsigned long a3, unsigned long a4, unsigned long a5,
                    unsigned long a6, unsigned long a7) {
  auto* const buffer = static_cast<hip_compat_hostcall_buffer*>(hostcallBuffer);
  const unsigned lane = __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0u));
  const bool isFirst = lane == __builtin_amdgcn_readfirstlane(lane);
  unsigned long packet = 0;
  if (isFirst)
    packet = hip_compat_pop_packet(buffer, &buffer->freePackets);
  packet = hip_compat_first_lane(packet);

  hip_compat_packet_header& header = buffer->headers[packet & buffer->indexMask];
  unsigned long* const slots = buffer->payloads[packet & buffer->indexMask].lanes[lane];
  const unsigned long arguments[] = {a0, a1, a2, a3, a4, a5, a6, a7};
  for (int i = 0; i < 8; ++i)
    slots[i] = arguments[i];
  header.activeLanes = __builtin_amdgcn_read_exec();
  if (isFirst) {
    header.service = service;
    header.isPending = 1;
    hip_compat_push_packet(buffer, &buffer->readyPackets, packet);
    hip_compat_ring(buffer->doorbell);
  }
  unsigned isPending = 1;
  while (isPending != 0) {
    __builtin_amdgcn_s_sleep(1);
    if (isFirst)
      isPending =
          __hip_atomic_load(&header.isPending, __ATOMIC_ACQUIRE, __HIP_MEMORY_SCOPE_SYSTEM) & 1;
    isPending = __builtin_amdgcn_readfirstlane(isPending);
  }
  const hip_compat_long2 answer{static_cast<long>(slots[0]), static_cast<long>(slots[1])};
  // The bits above the index count the packet's uses, so that no two equal values mean different
  // packets; zero would mean an empty stack.
  packet += buffer->indexMask + 1;
  if (packet == 0)
    packet = buffer->indexMask + 1;
  if (isFirst)
    hip_compat_push_packet(buffer, &buffer->freePackets, packet);
  return answer;
}
#endif

#endif // __HIP__

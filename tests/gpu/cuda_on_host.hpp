// Test-only: runs a CUDA kernel on the host. The threads of a block are fibers that take turns where they wait: the
// lanes of a warp go together from one collective call to the next, warps change where all of one wait, and blocks run
// one after another. So a kernel's logic is exercised, its races are not.
// Every variant of a kernel is compiled anew: headers of the C++ library would cost more than the kernel.
#pragma once
#undef _FORTIFY_SOURCE  // it takes a jump from one fiber's stack to another's for a mistake
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <ucontext.h>

#include <type_traits>
#include <utility>

#define ON_HOST 1
#define __global__
#define __device__
#define __forceinline__ inline
#define __shared__ static  // blocks run one after another, so one copy is enough
#define __launch_bounds__(...)
#define __restrict__ __restrict
#define SHARED_POOL uint4 *shared_pool = reinterpret_cast<uint4 *>(emu::pool);

struct uint2 { unsigned x, y; };
struct alignas(16) uint4 { unsigned x, y, z, w; };
struct dim3_ { unsigned x = 1, y = 1, z = 1; };
inline dim3_ threadIdx, blockIdx, blockDim, gridDim;

namespace emu {
constexpr unsigned most_threads = 1024, stack_bytes = 1 << 16;
struct Meeting {
    uint64_t slot[32], seen[2][32];  // a round's values stand until the next but one ends
    unsigned arrived = 0, size = 32;
    uint64_t round = 0;
};
struct Fiber {
    jmp_buf place;  // where it goes on; unlike swapcontext, a jump asks nothing of the system
    ucontext_t first;
    const Meeting *waits;
    uint64_t round;  // that it waits for the end of
    bool begun, rests, over;
    bool ready() const { return !over && (!waits || waits->round != round); }
};
inline Fiber fibers[most_threads];
inline Meeting warps[most_threads / 32], block;
inline jmp_buf launcher;
inline void *pool;
inline unsigned carry_flag;
inline void (*body)(void **);
inline void **arguments;

[[noreturn]] inline void enter(unsigned i);
// Let another thread go on: one of this warp, then of the next ones; the launcher, when all are over.
[[noreturn]] inline void leave(unsigned me) {
    const unsigned first = me & ~31u, threads = blockDim.x;
    for (unsigned k = 1; k <= 32; ++k) {
        const unsigned i = first + (me + k) % 32;
        if (i < threads && fibers[i].ready() && !fibers[i].rests) enter(i);
    }
    for (unsigned i = first; i < first + 32; ++i) fibers[i].rests = false;
    const unsigned next = first + 32 < threads ? first + 32 : 0;
    for (unsigned k = 0; k < threads; ++k)
        if (fibers[(next + k) % threads].ready()) enter((next + k) % threads);
    for (unsigned i = 0; i < threads; ++i)
        if (!fibers[i].over) {
            fputs("a thread waits for others that are over\n", stderr);
            abort();
        }
    _longjmp(launcher, 1);
}
// A fiber stays for the blocks and launches after this one: to make one is slow.
inline void live() {
    for (;;) {
        body(arguments);
        const unsigned me = threadIdx.x;
        fibers[me].over = true;
        if (!_setjmp(fibers[me].place)) leave(me);
    }
}
inline void enter(unsigned i) {
    Fiber &fiber = fibers[i];
    threadIdx.x = i;
    if (fiber.begun) _longjmp(fiber.place, 1);
    fiber.begun = true;
    getcontext(&fiber.first);
    fiber.first.uc_stack.ss_sp = malloc(stack_bytes);
    fiber.first.uc_stack.ss_size = stack_bytes;
    makecontext(&fiber.first, live, 0);
    setcontext(&fiber.first);
    abort();
}
__attribute__((noinline)) inline void yield() {
    const unsigned me = threadIdx.x, flag = carry_flag;
    if (!_setjmp(fibers[me].place)) leave(me);
    carry_flag = flag;
}
// Return the round's number once all are there.
inline uint64_t meet(Meeting &all) {
    Fiber &fiber = fibers[threadIdx.x];
    const uint64_t round = all.round;
    fiber.waits = &all;
    fiber.round = round;
    if (++all.arrived == all.size) {
        memcpy(all.seen[round & 1], all.slot, sizeof all.slot);
        all.arrived = 0;
        ++all.round;
    }
    yield();
    fiber.waits = nullptr;
    return round;
}
inline void rest() {
    fibers[threadIdx.x].rests = true;
    yield();
}
inline unsigned lane() { return threadIdx.x & 31u; }
// Return what every lane of the warp brought.
inline const uint64_t *gather(uint64_t value) {
    Meeting &warp = warps[threadIdx.x >> 5];
    warp.slot[lane()] = value;
    return warp.seen[meet(warp) & 1];
}
inline uint64_t exchange(uint64_t value, unsigned from) { return gather(value)[from & 31u]; }
inline void launch(unsigned grid, unsigned threads, unsigned shared, void (*kernel)(void **), void **a) {
    if (threads > most_threads) abort();
    gridDim = {grid, 1, 1};
    blockDim = {threads, 1, 1};
    body = kernel;
    arguments = a;
    pool = aligned_alloc(16, (shared + 31u) & ~15u);
    memset(pool, 0, (shared + 31u) & ~15u);
    for (unsigned b = 0; b < grid; ++b) {
        blockIdx = {b, 0, 0};
        for (Meeting &warp : warps) warp = Meeting{};
        block = Meeting{};
        block.size = threads;
        for (unsigned i = 0; i < threads; ++i) fibers[i].waits = nullptr, fibers[i].rests = fibers[i].over = false;
        if (!_setjmp(launcher)) enter(0);
    }
    free(pool);
}
// Call kernel(args...) from an array of pointers to its arguments, as cuLaunchKernel does.
template <class... A, std::size_t... I>
void call_(void (*k)(A...), void **a, std::index_sequence<I...>) {
    k(*static_cast<std::remove_const_t<std::remove_reference_t<A>> *>(a[I])...);
}
template <class... A> void call(void (*k)(A...), void **a) { call_(k, a, std::index_sequence_for<A...>{}); }
}  // namespace emu

inline void __syncthreads() { emu::meet(emu::block); }
inline void __syncwarp(unsigned = ~0u) { emu::meet(emu::warps[threadIdx.x >> 5]); }
inline void __threadfence() {}
inline unsigned __shfl_up_sync(unsigned, unsigned v, unsigned d) {
    return (unsigned)emu::exchange(v, emu::lane() >= d ? emu::lane() - d : emu::lane());
}
inline unsigned __shfl_xor_sync(unsigned, unsigned v, int mask) {
    return (unsigned)emu::exchange(v, emu::lane() ^ (unsigned)mask);
}
inline unsigned __shfl_sync(unsigned, unsigned v, int from) { return (unsigned)emu::exchange(v, from); }
inline int __shfl_sync(unsigned, int v, int from) { return (int)emu::exchange((unsigned)v, from); }
inline unsigned __ballot_sync(unsigned, int p) {
    const uint64_t *seen = emu::gather(p != 0);
    unsigned out = 0;
    for (unsigned l = 0; l < 32; ++l) out |= (unsigned)seen[l] << l;
    return out;
}
inline unsigned __match_any_sync(unsigned, int v) {
    const uint64_t *seen = emu::gather((unsigned)v);
    unsigned out = 0;
    for (unsigned l = 0; l < 32; ++l) out |= (unsigned)(seen[l] == (unsigned)v) << l;
    return out;
}
inline int __any_sync(unsigned mask, int p) { return __ballot_sync(mask, p) != 0; }
inline int max(int a, int b) { return a > b ? a : b; }
inline int __popc(unsigned v) { return __builtin_popcount(v); }
inline int __ffs(int v) { return __builtin_ffs(v); }
inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned n) {
    n &= 31;
    return n ? high << n | low >> (32 - n) : high;
}
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned n) {
    n &= 31;
    return n ? low >> n | high << (32 - n) : low;
}
template <int LUT> inline unsigned logic(unsigned a, unsigned b, unsigned c) {
    unsigned out = 0;
    for (int k = 0; k < 8; ++k)
        if (LUT >> k & 1) out |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
    return out;
}
template <class T> T __ldg(const T *at) { return *at; }
template <class T> T atomicAdd(T *at, T value) {
    const T old = *at;
    *at += value;
    return old;
}
template <class T> T atomicMax(T *at, T value) {
    const T old = *at;
    if (value > old) *at = value;
    return old;
}
template <class T> T atomicMin(T *at, T value) {
    const T old = *at;
    if (value < old) *at = value;
    return old;
}
inline unsigned add_cc(unsigned a, unsigned b) {
    const uint64_t r = (uint64_t)a + b;
    emu::carry_flag = (unsigned)(r >> 32);
    return (unsigned)r;
}
inline unsigned addc_cc(unsigned a, unsigned b) {
    const uint64_t r = (uint64_t)a + b + emu::carry_flag;
    emu::carry_flag = (unsigned)(r >> 32);
    return (unsigned)r;
}
inline unsigned addc(unsigned a, unsigned b) { return a + b + emu::carry_flag; }
inline unsigned long long cycles() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000ull + now.tv_nsec;
}
inline unsigned long long timer() { return cycles(); }
inline int multiprocessor() { return 0; }
inline void rest() { emu::rest(); }
template <class T> void hold(T *&) {}

// Test-only: runs a CUDA kernel on the host. The threads of a block are fibers that take turns at collective calls
// and where they wait; blocks run one after another. So a kernel's logic is exercised, its races are not.
#pragma once
#include <ucontext.h>

#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#define ON_HOST 1
#define __global__
#define __device__
#define __forceinline__ inline
#define __shared__ static  // blocks run one after another, so one copy is enough
#define __launch_bounds__(...)
#define __restrict__ __restrict
#define SHARED_POOL uint4 *shared_pool = reinterpret_cast<uint4 *>(emu::pool.data());

struct uint2 { unsigned x, y; };
struct alignas(16) uint4 { unsigned x, y, z, w; };
struct dim3_ { unsigned x = 1, y = 1, z = 1; };
inline dim3_ threadIdx, blockIdx, blockDim, gridDim;

namespace emu {
struct Fiber {
    ucontext_t context;
    std::vector<char> stack = std::vector<char>(1 << 16);
    bool over = false;
};
struct Warp {
    uint64_t slot[32], seen[32];
    unsigned arrived = 0, size = 32;
    uint64_t round = 0;
};
inline std::vector<std::unique_ptr<Fiber>> fibers;
inline std::vector<Warp> warps;
inline Warp block;
inline ucontext_t scheduler;
inline unsigned current;
inline std::vector<char> pool;
inline unsigned carry_flag;
inline std::function<void()> body;

inline void yield() {
    const unsigned me = current, flag = carry_flag;
    swapcontext(&fibers[me]->context, &scheduler);
    threadIdx.x = me;
    carry_flag = flag;
}
inline void trampoline() {
    body();
    fibers[current]->over = true;
    swapcontext(&fibers[current]->context, &scheduler);
}
inline void meet(Warp &w) {
    const uint64_t round = w.round;
    if (++w.arrived == w.size) {
        std::memcpy(w.seen, w.slot, sizeof w.slot);
        w.arrived = 0;
        ++w.round;
    } else {
        while (w.round == round) yield();
    }
}
inline unsigned lane() { return threadIdx.x & 31u; }
inline Warp &warp() { return warps[threadIdx.x >> 5]; }
inline uint64_t exchange(uint64_t value, unsigned from) {
    Warp &w = warp();
    w.slot[lane()] = value;
    meet(w);
    const uint64_t got = w.seen[from & 31u];
    meet(w);
    return got;
}
inline void launch(dim3_ grid, dim3_ threads, unsigned shared, std::function<void()> f) {
    gridDim = grid;
    blockDim = threads;
    body = std::move(f);
    pool.assign(shared + 16, 0);
    for (unsigned b = 0; b < grid.x; ++b) {
        blockIdx = {b, 0, 0};
        warps.assign((threads.x + 31) / 32, Warp{});
        block = Warp{};
        block.size = threads.x;
        while (fibers.size() < threads.x) fibers.push_back(std::make_unique<Fiber>());
        for (unsigned i = 0; i < threads.x; ++i) {
            Fiber &fiber = *fibers[i];
            fiber.over = false;
            getcontext(&fiber.context);
            fiber.context.uc_stack.ss_sp = fiber.stack.data();
            fiber.context.uc_stack.ss_size = fiber.stack.size();
            fiber.context.uc_link = &scheduler;
            makecontext(&fiber.context, reinterpret_cast<void (*)()>(trampoline), 0);
        }
        for (bool any = true; any;) {
            any = false;
            for (unsigned i = 0; i < threads.x; ++i) {
                if (fibers[i]->over) continue;
                any = true;
                current = i;
                threadIdx.x = i;
                swapcontext(&scheduler, &fibers[i]->context);
            }
        }
    }
}
// Call kernel(args...) from an array of pointers to its arguments, as cuLaunchKernel does.
template <class... A, std::size_t... I>
void call_(void (*k)(A...), void **a, std::index_sequence<I...>) {
    k(*static_cast<std::remove_const_t<std::remove_reference_t<A>> *>(a[I])...);
}
template <class... A> void call(void (*k)(A...), void **a) { call_(k, a, std::index_sequence_for<A...>{}); }
}  // namespace emu

inline void __syncthreads() { emu::meet(emu::block); }
inline void __syncwarp(unsigned = ~0u) { emu::meet(emu::warp()); }
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
    emu::Warp &w = emu::warp();
    w.slot[emu::lane()] = p != 0;
    emu::meet(w);
    unsigned out = 0;
    for (unsigned l = 0; l < 32; ++l) out |= (unsigned)w.seen[l] << l;
    emu::meet(w);
    return out;
}
inline unsigned __match_any_sync(unsigned, int v) {
    emu::Warp &w = emu::warp();
    w.slot[emu::lane()] = (unsigned)v;
    emu::meet(w);
    unsigned out = 0;
    for (unsigned l = 0; l < 32; ++l) out |= (unsigned)(w.seen[l] == (unsigned)v) << l;
    emu::meet(w);
    return out;
}
inline int __any_sync(unsigned mask, int p) { return __ballot_sync(mask, p) != 0; }
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
inline unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned n) {
    return n >= 32 ? low : __funnelshift_l(low, high, n);
}
template <class T> T __ldg(const T *at) { return *at; }
template <class T> T atomicAdd(T *at, T value) {
    const T old = *at;
    *at += value;
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
    return (unsigned long long)std::chrono::steady_clock::now().time_since_epoch().count();
}
inline void rest() { emu::yield(); }

// 32-bit words with carry, handed from lane to lane; what every kernel in this folder builds on.
typedef unsigned int word;
typedef unsigned char byte;
typedef unsigned short half_word;
typedef unsigned long long wide_word;
typedef long long place;

#define FULL_WARP 0xffffffffu
#define LUT_A 0xf0
#define LUT_B 0xcc
#define LUT_C 0xaa
#define INLINE static __device__ __forceinline__
#define INLINE_MEMBER __device__ __forceinline__
#define UNROLL _Pragma("unroll")
#define TWICE _Pragma("unroll 2")
#define ROLLED _Pragma("unroll 1")

// The carry flag lives between neighbouring statements only. NVRTC keeps volatile statements in order and gives none of
// its own instructions the flag, so a chain may be interleaved with logic, but not with other sums through the flag.
#ifndef ON_HOST
#define SHARED_POOL extern __shared__ uint4 shared_pool[];
INLINE word add_cc(word a, word b) { word r; asm volatile("add.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
INLINE word addc_cc(word a, word b) { word r; asm volatile("addc.cc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
INLINE word addc(word a, word b) { word r; asm volatile("addc.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
// Any function of three words, bit by bit: that of LUT_A, LUT_B and LUT_C. The compiler alone takes more of them.
template <int LUT> INLINE word logic(word a, word b, word c) {
    word r;
    asm("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(b), "r"(c), "n"(LUT));
    return r;
}
// Of this multiprocessor. The timer all of them share is slow to read: 2,000 warps that look at it often hold each other up.
INLINE wide_word cycles() { return (wide_word)clock64(); }
// Of the card, nanoseconds: the same on all multiprocessors, which ``cycles`` is not.
INLINE wide_word timer() { wide_word ns; asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns)); return ns; }
INLINE int multiprocessor() { int id; asm volatile("mov.u32 %0, %%smid;" : "=r"(id)); return id; }
INLINE void rest() { __nanosleep(100); }
// A pointer that is kept: the compiler would rather find it anew from the arguments at each use.
template <class T> INLINE void hold(T *&at) {
    asm volatile("" : "+l"(at));
    __builtin_assume(__isGlobal(at));
}
#endif

// Bits 62..31 of high:low, that is high << 1 with the top bit of low below.
INLINE word shift_in(word low, word high) { return __funnelshift_l(low, high, 1); }

// What another multiprocessor writes while this one reads: past the first-level cache, and never kept in a register.
INLINE word look(const word *at) { return *(const volatile word *)at; }
INLINE void put(word *at, word value) { *(volatile word *)at = value; }
INLINE int look(const int *at) { return *(const volatile int *)at; }
INLINE void put(int *at, int value) { *(volatile int *)at = value; }

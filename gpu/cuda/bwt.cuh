// What the kernels of the Burrows-Wheeler transform share: texts as packed codes, loops over more items than threads.
// Letter i of a packed text is bits [i * bits, (i + 1) * bits), the highest bit of a word being its first; past the end
// come codes 0.
// A launch goes through these items of a kernel's; a long array takes several launches, and then ``first`` is the first
// of a block of threads. So a kernel that needs the length of the array is told of it too.
struct Span {
    place first, end;
};
#define EACH(i, span)                                                                             \
    for (place i = (span).first + (place)blockIdx.x * blockDim.x + threadIdx.x; i < (span).end; \
         i += (place)gridDim.x * blockDim.x)

// The codes of ``letters`` letters from ``i`` on as a number, the first highest; at most 64 bits.
INLINE wide_word window(const word *packed, place i, int bits, int letters) {
    const place bit = i * bits;
    const word *at = packed + (bit >> 5);
    const int shift = (int)(bit & 31);
    const word first = at[0], second = at[1], third = at[2];
    const wide_word all = (wide_word)__funnelshift_l(second, first, shift) << 32 | __funnelshift_l(third, second, shift);
    return all >> (64 - bits * letters);
}

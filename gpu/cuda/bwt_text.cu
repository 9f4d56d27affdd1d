// Texts on the card: which letters there are, packed codes, flagged places.

// Count each byte of ``text``; every warp has counters of its own, for a text may have one letter only.
extern "C" __global__ void __launch_bounds__(256) count_letters(Span span, const byte *text, word *counts) {
    __shared__ word own[8][256];
    for (int i = threadIdx.x; i < 8 * 256; i += blockDim.x) own[i / 256][i % 256] = 0;
    __syncthreads();
    EACH(i, span) atomicAdd(&own[threadIdx.x / 32][text[i]], 1u);
    __syncthreads();
    word sum = 0;
    UNROLL for (int warp = 0; warp < 8; ++warp) sum += own[warp][threadIdx.x];
    if (sum) atomicAdd(&counts[threadIdx.x], sum);
}

// Write the codes of ``text`` to ``packed``, ``bits`` each.
extern "C" __global__ void pack_text(Span span, const byte *text, place n, const byte *codes, int bits, word *packed) {
    EACH(at, span) {
        place i = at * 32 / bits;
        word out = 0;
        for (int first = (int)(i * bits - at * 32); first < 32; first += bits, ++i) {
            const word code = i < n ? codes[text[i]] : 0;
            const int left = 32 - bits - first;  // of the letter's place
            out |= left >= 0 ? code << left : code >> -left;
        }
        packed[at] = out;
    }
}

// Return how many letters of ``last`` differ from the one before; the very first does.
extern "C" __global__ void count_runs(Span span, const byte *last, word *total) {
    word runs = 0;
    EACH(i, span) runs += i == 0 || last[i] != last[i - 1];
    if (runs) atomicAdd(total, runs);
}

// Compare two texts.
extern "C" __global__ void count_differences(Span span, const byte *a, const byte *b, word *total) {
    word found = 0;
    EACH(i, span) found += a[i] != b[i];
    if (found) atomicAdd(total, found);
}

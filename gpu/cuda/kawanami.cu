// LCS as Kawanami and Fujimoto have it, to compare with: a warp for 1024 rows, a step for 1024 columns, a
// launch for an anti-diagonal of these blocks.
//
// Column step (section 2.4): V' = (V + (V & M)) | (V & ~M); a zero bit of V is a row where the LCS grows. Between blocks
// (section 3.2, Fig. 1) V goes on to the right, and the carries out of the topmost bit, one a column, to the block whose
// rows are next: 32 words, so that each thread moves one. The sum is a conditional-sum addition (section 3.4, Fig. 2).
//
// Where this departs from listings 4 and 5: the least significant word is lane 0 and has the first rows, where the paper
// counts both from the end; the warp synchronises by __syncwarp, for the threads of a warp have not gone in step since
// compute capability 7.0; rows past the end match nothing, so that no letter is set aside for padding; only the blocks of
// the anti-diagonal are launched, so no thread looks for its step and gives up; and both strings are read where they
// are, forwards or (llcs') backwards, in place of a padded copy.
#define LANES 32
#define WORD_BITS 32
#define BLOCK (LANES * WORD_BITS)

// A stretch of codes: letter i is at first + i * step, step being 1 or -1.
INLINE byte letter(const byte *codes, place first, int step, place i) { return codes[first + i * step]; }

// Pattern match vectors (listing 3). Thread: 32 rows, a word of every code's vector, match[code][word].
extern "C" __global__ void match_vectors(const byte *codes, place first, int step, place n_rows, int n_codes, place n_words,
                                         word *match) {
    const place at = (place)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= n_words) return;
    int row[WORD_BITS];
    UNROLL for (int i = 0; i < WORD_BITS; ++i) {
        const place r = at * WORD_BITS + i;
        row[i] = r < n_rows ? letter(codes, first, step, r) : -1;
    }
    ROLLED for (int code = 0; code < n_codes; ++code) {
        word bits = 0;
        UNROLL for (int i = 0; i < WORD_BITS; ++i) bits |= (word)(row[i] == code) << i;
        match[code * n_words + at] = bits;
    }
}

// The carries out of each word's sum, without and with a carry into it.
struct Carries {
    bool without[LANES], with[LANES];
};

// Return a + b + carry_in, a word a lane. Each lane has its sum for both possible carries; five rounds join them to sums
// of 2, 4, 8, 16 and 32 words: the upper half of a pair takes for each of its two sums the one that follows from the
// carry out of the lower half. Afterwards lane 31 has the carries out of all words.
INLINE word plus(word a, word b, bool carry_in, int lane, Carries &carries) {
    word without = a + b, with = without + 1;
    carries.without[lane] = without < a;
    carries.with[lane] = with <= a;
    __syncwarp();
    UNROLL for (int half = 1; half < LANES; half *= 2) {
        if (lane & half) {
            const int below = (lane & -half) - 1;  // the topmost lane of the lower half
            if (carries.without[below]) {
                without = with;
                carries.without[lane] = carries.with[lane];
            } else if (!carries.with[below]) {
                with = without;
                carries.with[lane] = carries.without[lane];
            }
        }
        __syncwarp();
    }
    return carry_in ? with : without;
}

// Block of 32 threads: block row ``top + blockIdx.x`` of an anti-diagonal.
//   match   [code][n_words], n_words = 32 a block row
//   v       [block row][lane], after the columns done
//   carries [block column][lane]: bit k of word w is the carry out of column 32 w + k, into the block row below
//   places  times of the places of the block map, ``calls`` of the anti-diagonals, which are one row of places there
extern "C" __global__ void __launch_bounds__(LANES) step_blocks(const byte *codes, place first, int step, place n_columns,
                                                          const word *match, place n_words, word *v, word *carries,
                                                          const PlaceTimes places, const PlaceTimes calls,
                                                          place diagonal, place top) {
    __shared__ Carries sums;
    __shared__ word in[LANES], out[LANES];
    const int lane = threadIdx.x;
    const place row = top + blockIdx.x, column = diagonal - row;
    const place index = row * LANES + lane, border = column * LANES + lane, cursor = column * BLOCK;
    const int n = (int)(n_columns - cursor < BLOCK ? n_columns - cursor : BLOCK);
    const place at = row / places.rows * places.columns + column / places.groups;
    if (RECORD && lane == 0) {
        begin_place(places, at);
        begin_place(calls, diagonal);
    }
    word V = column ? v[index] : FULL_WARP;
    in[lane] = row ? carries[border] : 0;
    out[lane] = 0;
    __syncwarp();
    for (int j = 0; j < n; ++j) {
        const word M = match[letter(codes, first, step, cursor + j) * n_words + index];
        const word bit = 1u << (j % WORD_BITS);
        const bool carry_in = in[j / WORD_BITS] & bit;
        V = plus(V, V & M, carry_in, lane, sums) | (V & ~M);
        if (lane == LANES - 1 && (carry_in ? sums.with[lane] : sums.without[lane])) out[j / WORD_BITS] |= bit;
    }
    __syncwarp();
    v[index] = V;
    carries[border] = out[lane];
    if (RECORD && lane == 0) {
        atomicMax(places.ended + at, stamp(places, multiprocessor()));
        atomicMax(calls.ended + diagonal, stamp(calls, 0));
    }
}

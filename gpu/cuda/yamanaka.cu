// Yamanaka, Ino and Hagihara's ternary quicksort of the suffixes as it is published, section 3: blocks of
// GPU-Quicksort (Cederman and Tsigas, 2009) and two kernels a level, each one launch for the segments of all of it.
//
// A block of threads has BLOCK suffixes of one segment. Those less than the pivot are written from the segment's start on,
// those greater from its end back, and who writes where a block finds out by adding to the segment's counters. Where the
// equal ones start is known when all of the less ones are counted, and blocks cannot wait for each other: so the first
// kernel counts these, and the second compares again, and writes.
//
// Suffix ``n`` is ``$``, whose letter is -1. Segments have two suffixes at least; what is alone is where it belongs.
#define BLOCK (THREADS * ITEMS)

struct Level {
    const byte *text;
    place n;
    const int *suffixes, *begins, *ends, *depths, *pivots;
    const int *segment_of, *first_blocks;  // of each block; of each segment
};

INLINE int letter_of(const Level &level, int suffix, int depth) {
    const place at = (place)suffix + depth;
    return at < level.n ? level.text[at] : -1;
}

// Of all threads of a block: the sum of what the threads before this one have; ``total``: of all. ``sums`` is shared.
INLINE word sum_before(word one, word *sums, word *total) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    word sum = one;
    UNROLL for (int by = 1; by < 32; by *= 2) {
        const word left = __shfl_up_sync(FULL_WARP, sum, by);
        if (lane >= by) sum += left;
    }
    if (lane == 31) sums[warp] = sum;
    __syncthreads();
    word before = 0, all = 0;
    UNROLL for (int w = 0; w < THREADS / 32; ++w) {
        if (w < warp) before += sums[w];
        all += sums[w];
    }
    __syncthreads();
    *total = all;
    return before + sum - one;
}

// First kernel: less[s] is how many of segment s are less than its pivot, so where its equal ones start.
extern "C" __global__ void __launch_bounds__(THREADS) count_less(Span span, Level level, word *less) {
    __shared__ word sums[THREADS / 32];
    const place block = span.first + blockIdx.x;
    const int s = level.segment_of[block], depth = level.depths[s], pivot = level.pivots[s];
    const place begin = level.begins[s] + (block - level.first_blocks[s]) * BLOCK, end = level.ends[s];
    word mine = 0, all;
    UNROLL for (int item = 0; item < ITEMS; ++item) {
        const place i = begin + item * THREADS + threadIdx.x;
        if (i < end) mine += letter_of(level, level.suffixes[i], depth) < pivot;
    }
    sum_before(mine, sums, &all);
    if (threadIdx.x == 0 && all) atomicAdd(&less[s], all);
}

// Second kernel: write every suffix to its part of the segment.
//   taken  three of each segment, zero at first: places taken by less, equal, greater ones
extern "C" __global__ void __launch_bounds__(THREADS) place_suffixes(Span span, Level level, const word *less, word *taken,
                                                                     int *out) {
    __shared__ word sums[THREADS / 32], bases[3];
    const place block = span.first + blockIdx.x;
    const int s = level.segment_of[block], depth = level.depths[s], pivot = level.pivots[s];
    const place begin = level.begins[s] + (block - level.first_blocks[s]) * BLOCK, end = level.ends[s];
    word kinds = 0, counts = 0, greater = 0;  // two bits an item; less in the low half, equal in the high one
    UNROLL for (int item = 0; item < ITEMS; ++item) {
        const place i = begin + item * THREADS + threadIdx.x;
        if (i >= end) continue;
        const int letter = letter_of(level, level.suffixes[i], depth);
        const int kind = letter < pivot ? 0 : letter == pivot ? 1 : 2;
        kinds |= kind << 2 * item;
        if (kind == 2) ++greater;
        else counts += 1u << 16 * kind;
    }
    word both, all;
    const word before = sum_before(counts, sums, &both), before_greater = sum_before(greater, sums, &all);
    if (threadIdx.x < 3) {
        const int kind = threadIdx.x;
        const word count = kind == 0 ? both & 0xffff : kind == 1 ? both >> 16 : all;
        const word at = count ? atomicAdd(&taken[3 * (place)s + kind], count) : 0;
        bases[kind] = kind == 2 ? (word)end - at - count : (word)level.begins[s] + (kind ? less[s] : 0) + at;
    }
    __syncthreads();
    word to[3] = {bases[0] + (before & 0xffff), bases[1] + (before >> 16), bases[2] + before_greater};
    UNROLL for (int item = 0; item < ITEMS; ++item) {
        const place i = begin + item * THREADS + threadIdx.x;
        if (i >= end) continue;
        const word kind = kinds >> 2 * item & 3;
        out[kind == 0 ? to[0]++ : kind == 1 ? to[1]++ : to[2]++] = level.suffixes[i];
    }
}

INLINE int middle(int a, int b, int c) {
    const int low = a < b ? a : b, high = a < b ? b : a;
    const int rest = high < c ? high : c;
    return low > rest ? low : rest;
}

// The middle of three letters, of nine in long segments (Bentley and Sedgewick, 1997).
INLINE int pivot_of(const Level &level, place begin, place size, int depth) {
    int found[3];
    for (int third = 0; third < 3; ++third) {
        if (size < 64) {
            const place at = third == 0 ? 0 : third == 1 ? size / 2 : size - 1;
            found[third] = letter_of(level, level.suffixes[begin + at], depth);
            continue;
        }
        const place at = begin + third * (size / 3), step = size / 9;
        found[third] = middle(letter_of(level, level.suffixes[at], depth), letter_of(level, level.suffixes[at + step], depth),
                              letter_of(level, level.suffixes[at + 2 * step], depth));
    }
    return middle(found[0], found[1], found[2]);
}

// After both: segments that the parts of each are (low half) and their blocks (high half); what is alone is told.
//   placed  what the second kernel wrote
extern "C" __global__ void count_parts(Span span, Level level, const word *taken, const int *placed, int *order,
                                       wide_word *counts) {
    EACH(s, span) {
        place begin = level.begins[s];
        wide_word made = 0;
        for (int kind = 0; kind < 3; ++kind) {
            const place size = taken[3 * s + kind];
            if (size == 1) order[begin] = placed[begin];
            if (size > 1) made += 1 + ((wide_word)((size + BLOCK - 1) / BLOCK) << 32);
            begin += size;
        }
        counts[s] = made;
    }
}

// The segments of the next level; ``sums`` are those of ``counts`` up to and with each. ``next.suffixes`` is what was placed.
extern "C" __global__ void list_parts(Span span, Level level, const word *taken, const wide_word *counts,
                                      const wide_word *sums, Level next, int *begins, int *ends, int *depths, int *pivots,
                                      int *segment_of, int *first_blocks) {
    EACH(s, span) {
        const wide_word before = sums[s] - counts[s];
        word segment = (word)before, block = (word)(before >> 32);
        place begin = level.begins[s];
        for (int kind = 0; kind < 3; ++kind) {
            const place size = taken[3 * s + kind];
            if (size > 1) {
                const int depth = level.depths[s] + (kind == 1);
                begins[segment] = (int)begin;
                ends[segment] = (int)(begin + size);
                depths[segment] = depth;
                pivots[segment] = pivot_of(next, begin, size, depth);
                first_blocks[segment] = (int)block;
                for (place some = 0; some < size; some += BLOCK) segment_of[block++] = (int)segment;
                ++segment;
            }
            begin += size;
        }
    }
}

// The one segment of the first level: all suffixes in the order of the text.
extern "C" __global__ void list_all(Span span, Level level, int *suffixes, int *segment_of, int *pivot) {
    EACH(k, span) {
        suffixes[k] = (int)k;
        if (k % BLOCK == 0) segment_of[k / BLOCK] = 0;
        if (k == 0) *pivot = level.text[level.n / 2];
    }
}

// The last column without ``$`` and its row, from the order of all suffixes.
extern "C" __global__ void write_column(Span span, const byte *text, const int *order, const int *row, byte *last) {
    const place whole = *row;
    EACH(k, span) if (k != whole) last[k - (k > whole)] = text[order[k] - 1];
}
extern "C" __global__ void find_whole(Span span, const int *order, int *row) {
    EACH(k, span) if (order[k] == 0) *row = (int)k;
}

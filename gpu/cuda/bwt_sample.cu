// A synchronizing set of a text's positions, and the order of all suffixes from the order of those that begin there.
//
// Position p is sampled if of the words of ``inner`` letters that begin at p to p + reach, the first or the last has the
// least hash (Kempa and Kociumaka, 2019). So it depends on inner + reach letters from p on and on nothing before them,
// and of any ``reach`` positions in a row one at least is sampled. Samples are numbered from the end of the text.

INLINE word mixed(wide_word letters) {
    const word hash = ((word)letters + 1) * 0x9e3779b1u;
    return hash ^ hash >> 15;
}

// Item j stands for position n - 1 - j: its bit of ``marks`` tells whether that is sampled; ``counts`` has each word's.
extern "C" __global__ void mark_samples(Span span, const word *packed, place n, int bits, int inner, int reach, word *marks,
                                        word *counts) {
    const wide_word mask = ((wide_word)1 << (inner * bits)) - 1;
    for (place base = span.first + (place)blockIdx.x * blockDim.x; base < span.end; base += (place)gridDim.x * blockDim.x) {
        const place j = base + threadIdx.x;
        bool sampled = j < n;
        if (sampled) {
            const wide_word all = window(packed, n - 1 - j, bits, inner + reach);
            const word first = mixed(all >> (reach * bits) & mask), last = mixed(all & mask);
            const word least = first < last ? first : last;
            for (int at = 1; at < reach; ++at) sampled &= mixed(all >> (at * bits) & mask) >= least;
        }
        const word found = __ballot_sync(FULL_WARP, sampled);
        if (threadIdx.x % 32 == 0 && j < n) {
            marks[j / 32] = found;
            counts[j / 32] = __popc(found);
        }
    }
}

// starts[q]: position of sample q. ``sums`` are those of the counts up to and with each.
extern "C" __global__ void list_samples(Span span, const word *marks, const word *sums, place n, int *starts) {
    EACH(j, span) {
        const word from_here = marks[j / 32] >> (j % 32);
        if (from_here & 1) starts[sums[j / 32] - __popc(from_here)] = (int)(n - 1 - j);
    }
}

// keys[q]: the first ``letters`` letters of sample q.
extern "C" __global__ void name_samples(Span span, const word *packed, const int *starts, int bits, int letters,
                                        wide_word *keys) {
    EACH(q, span) keys[q] = window(packed, (place)starts[q], bits, letters);
}

// ``samples`` in the order of their first letters, the ``keys``. A sample is the head of a group if it differs from the one
// before; what is shorter than a name, ``length``, is alone in its group, and comes before what goes on with the least
// letter, for the sort is stable. Samples are numbered from the end, so only the first ones can be so short.
extern "C" __global__ void split_samples(Span span, const int *starts, const word *samples, const wide_word *keys, place n,
                                         int length, byte *heads) {
    EACH(k, span) {
        const word other = k ? samples[k - 1] : 0;
        heads[k] = k == 0 || keys[k] != keys[k - 1] || (other < (word)length && starts[other] + length > n);
    }
}

// Positions whose next sample this is and where ``letters`` letters are left: (after the sample before, last of them].
struct Stretch {
    place after, last;
};
INLINE Stretch stretch_of(const int *starts, place q, place m, place n, int letters) {
    const place start = starts[q], whole = n - letters;
    return {q + 1 < m ? (place)starts[q + 1] : -1, start < whole ? start : whole};
}

// counts[x]: how many positions wait for the sample of rank x.
extern "C" __global__ void count_suffixes(Span span, const word *sorted, const int *starts, place m, place n, int letters,
                                          word *counts) {
    EACH(x, span) {
        const Stretch s = stretch_of(starts, sorted[x], m, n, letters);
        counts[x] = s.last > s.after ? (word)(s.last - s.after) : 0;
    }
}

// The word of a suffix: ``letters`` letters, and below them the code of the letter before (of the text itself: 0).
struct Source {
    const word *packed;
    int bits, letters;
};
INLINE void put_suffix(const Source &from, place i, place at, wide_word *keys, word *positions, place *whole) {
    const int high = from.bits * from.letters;
    const wide_word all = window(from.packed, i ? i - 1 : 0, from.bits, from.letters + 1);  // they fit in a word
    keys[at] = i ? (all & (((wide_word)1 << high) - 1)) << from.bits | all >> high : all >> from.bits << from.bits;
    if (positions) positions[at] = (word)i;
    if (i == 0) *whole = at;
}

// All suffixes in an order in which a stable sort by ``letters`` letters leaves those alike as they belong: first the
// ``tail`` that are shorter, shortest first, then by the rank of the next sample, which is as far on in all that begin
// alike. A warp takes 32 samples and writes what waits for them side by side.
//   positions  where each begins; may be null
//   whole      where in this order the whole text is
extern "C" __global__ void list_suffixes(Span span, Source from, const word *sorted, const int *starts, const word *sums,
                                         place m, place n, place tail, wide_word *keys, word *positions, place *whole) {
    EACH(x, span) if (x < tail) put_suffix(from, n - 1 - x, x, keys, positions, whole);
    const int lane = threadIdx.x % 32;
    const place end_of_samples = span.end < m ? span.end : m, stride = (place)gridDim.x * blockDim.x;
    for (place base = span.first + (place)blockIdx.x * blockDim.x; base < end_of_samples; base += stride) {
        const place x = base + threadIdx.x;
        word begin = FULL_WARP, last = 0, end = 0;
        if (x < m) {
            begin = x ? sums[x - 1] : 0;
            end = sums[x];
            last = (word)stretch_of(starts, sorted[x], m, n, from.letters).last;
        }
        const word first = __shfl_sync(FULL_WARP, begin, 0);
        for (int by = 16; by; by /= 2) {  // sums grow: the greatest is the end of all
            const word other = __shfl_sync(FULL_WARP, end, lane ^ by);
            end = other > end ? other : end;
        }
        for (word at = first; at < end; at += 32) {  // of a warp past the last sample nothing
            const word mine = at + lane;
            int of = 0;
            for (int by = 16; by; by /= 2) {
                const word other = __shfl_sync(FULL_WARP, begin, of + by);
                if (other <= mine) of += by;
            }
            const word ends = __shfl_sync(FULL_WARP, last, of), begins = __shfl_sync(FULL_WARP, begin, of);
            if (mine < end) put_suffix(from, (place)ends - (mine - begins), tail + mine, keys, positions, whole);
        }
    }
}

// total: how many suffixes come before the whole text, ``$`` alone not counted. Before sorting.
extern "C" __global__ void rank_whole(Span span, const wide_word *keys, int bits, const place *whole, word *total) {
    const place at = *whole;
    const wide_word own = keys[at] >> bits;
    word found = 0;
    EACH(k, span) {
        const wide_word key = keys[k] >> bits;
        found += key < own || (key == own && k < at);
    }
    if (found) atomicAdd(total, found);
}

// The last column without ``$`` from the sorted words; ``rank`` is the whole text's.
extern "C" __global__ void write_last(Span span, const byte *text, const byte *letters, const wide_word *keys, place n,
                                      int bits, const word *rank, byte *last) {
    const place whole = *rank;
    const word mask = ((word)1 << bits) - 1;
    EACH(k, span) {
        if (k != whole) last[k + 1 - (k > whole)] = letters[(word)keys[k] & mask];
        if (k == 0) last[0] = text[n - 1];
    }
}

// The order of the suffixes, ``$`` alone first.
extern "C" __global__ void write_suffixes(Span span, const word *positions, place n, int *suffixes) {
    EACH(k, span) suffixes[k] = (int)(k ? positions[k - 1] : n);
}

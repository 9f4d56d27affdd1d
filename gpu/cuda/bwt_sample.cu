// A synchronizing set of a text's positions, and the order of all suffixes from the order of those that begin there.
//
// Position p is sampled if of the words of ``inner`` letters that begin at p to p + reach, the first or the last has the
// least hash (Kempa and Kociumaka, 2019). So it depends on inner + reach letters from p on and on nothing before them,
// and of any ``reach`` positions in a row one at least is sampled. Samples are numbered from the end of the text.

INLINE word mixed(wide_word letters) {
    const word hash = ((word)letters + 1) * 0x9e3779b1u;
    return hash ^ hash >> 15;
}

// flags[n - 1 - p]: whether p is sampled.
extern "C" __global__ void mark_samples(const word *packed, place n, int bits, int inner, int reach, byte *flags) {
    const wide_word mask = ((wide_word)1 << (inner * bits)) - 1;
    EACH(p, n) {
        const wide_word all = window(packed, p, bits, inner + reach);
        const word first = mixed(all >> (reach * bits) & mask), last = mixed(all & mask);
        const word least = first < last ? first : last;
        bool sampled = true;
        for (int at = 1; at < reach; ++at) sampled &= mixed(all >> (at * bits) & mask) >= least;
        flags[n - 1 - p] = sampled;
    }
}

// starts[q]: position of sample q. ``sums`` counts the flags up to and with each.
extern "C" __global__ void list_samples(const byte *flags, const word *sums, place n, int *starts) {
    EACH(i, n) if (flags[i]) starts[sums[i] - 1] = (int)(n - 1 - i);
}

// keys[k]: ``letters`` letters, ``skip`` further on than where sample order[k] (without an order: k) begins.
extern "C" __global__ void name_samples(const word *packed, const int *starts, const place *order, place m, int bits,
                                        int letters, int skip, wide_word *keys) {
    EACH(k, m) keys[k] = window(packed, (place)starts[order ? order[k] : k] + skip, bits, letters);
}

INLINE place sample_at(const place *first, const place *second, place k) { return first[second ? second[k] : k]; }

// Samples in the order of their first ``letters`` letters, or, sorted by the ``letters`` after them and then by these,
// of twice as many. A sample is the head of a group if it differs from the one before; what is shorter than a name is
// alone in its group, and comes before what goes on with the least letter, for the sort is stable.
extern "C" __global__ void split_samples(const word *packed, const int *starts, const place *first, const place *second,
                                         place m, place n, int bits, int letters, word *samples, byte *heads) {
    const int length = second ? 2 * letters : letters;
    EACH(k, m) {
        const place q = sample_at(first, second, k);
        samples[k] = (word)q;
        bool head = k == 0;
        if (!head) {
            const place mine = starts[q], other = starts[sample_at(first, second, k - 1)];
            head = other + length > n;
            for (int skip = 0; skip < length; skip += letters)
                head |= window(packed, mine + skip, bits, letters) != window(packed, other + skip, bits, letters);
        }
        heads[k] = head;
    }
}

// sorted[r]: the sample of rank r, once all ranks differ.
extern "C" __global__ void sort_samples(const word *ranks, place m, word *sorted) {
    EACH(q, m) sorted[ranks[q]] = (word)q;
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
extern "C" __global__ void count_suffixes(const word *sorted, const int *starts, place m, place n, int letters, word *counts) {
    EACH(x, m) {
        const Stretch s = stretch_of(starts, sorted[x], m, n, letters);
        counts[x] = s.last > s.after ? (word)(s.last - s.after) : 0;
    }
}

// All suffixes in an order in which a stable sort by ``letters`` letters leaves those alike as they belong: first the
// ``tail`` that are shorter, shortest first, then by the rank of the next sample, which is as far on in all that begin
// alike.
//   keys, before  those letters, and the letter before (of the whole text: 0)
//   positions     where it begins; may be null
//   whole         where in this order the whole text is
extern "C" __global__ void list_suffixes(const byte *text, const word *packed, const word *sorted, const int *starts,
                                         const word *sums, place m, place n, int bits, int letters, place tail,
                                         wide_word *keys, byte *before, int *positions, place *whole) {
    EACH(x, m + tail) {
        Stretch s = {n - 2 - x, n - 1 - x};
        place at = x;
        if (x >= tail) {
            s = stretch_of(starts, sorted[x - tail], m, n, letters);
            at = tail + (x > tail ? sums[x - tail - 1] : 0);
        }
        for (place i = s.last; i > s.after; --i, ++at) {
            keys[at] = window(packed, i, bits, letters);
            before[at] = i ? text[i - 1] : 0;
            if (positions) positions[at] = (int)i;
            if (i == 0) *whole = at;
        }
    }
}

// row[0]: where the whole text is in the sorted order (row 0 of the transform, ``$`` alone, not counted).
extern "C" __global__ void find_row(const place *order, place n, const place *whole, place *row) {
    EACH(k, n) if (order[k] == *whole) *row = k;
}

// The last column without ``$``, and where each row begins (may be null).
extern "C" __global__ void write_last(const byte *text, const place *order, const byte *before, const int *positions,
                                      place n, const place *row, byte *last, int *suffixes) {
    const place whole = *row;
    EACH(k, n) {
        if (k != whole) last[k + 1 - (k > whole)] = before[order[k]];
        if (suffixes) suffixes[k + 1] = positions[order[k]];
        if (k == 0) {
            last[0] = text[n - 1];
            if (suffixes) suffixes[0] = (int)n;
        }
    }
}

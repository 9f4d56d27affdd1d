// Maximal exact matches of both strands: text, complement, kinds and entries are those of core/kernels/exact_matches.
#define PAD 8
enum { OF_A = 4, OF_B, BETWEEN, OF_COMPLEMENT };
enum { UNIQUE = 1, REPEATED, LEFT_OUT, PALINDROME, KIND = 3 };
#define NO_KMER (~0ull)  // instead of an entry
#define KMERS 32         // of a thread

// Entries in order. ``text``, ``complement`` and ``kinds`` can be read beyond ``size``.
struct Kmers {
    wide_word *entries;
    byte *text, *complement, *kinds;
    place n, size;
    int k, place_bits;
};

INLINE place place_of(Kmers of, wide_word entry) { return (place)(entry & ((1ull << of.place_bits) - 1)) >> 1; }

// The eight letters from ``i`` on, the first lowest.
INLINE wide_word eight(const byte *letters, place i) {
    const wide_word *at = (const wide_word *)letters + (i >> 3);
    const int shift = (int)(i & 7) * 8;
    return shift ? at[0] >> shift | at[1] << (64 - shift) : at[0];
}

INLINE bool alike(const byte *text, place i, const byte *other, place j, int k) {
    for (; k >= 8; k -= 8, i += 8, j += 8)
        if (eight(text, i) != eight(other, j)) return false;
    return !k || !((eight(text, i) ^ eight(other, j)) << (64 - 8 * k));
}

// The first entry that is not below ``value``, sought from ``x`` on.
INLINE place bound(Kmers of, place x, wide_word value) {
    place low = x, high = x, step = 1;
    for (; low >= 0 && of.entries[low] >= value; low -= step, step *= 2) high = low;
    for (; high < of.size && of.entries[high] < value; high += step, step *= 2) low = high;
    if (low < 0) low = -1;
    if (high > of.size) high = of.size;
    while (high - low > 1) {
        const place middle = (low + high) / 2;
        (of.entries[middle] < value ? low : high) = middle;
    }
    return high;
}

// The entries of the hash of entry ``x``: those of A from ``first`` on, those of B from ``border`` to ``end``.
struct Run {
    place first, border, end;
};
INLINE Run run_of(Kmers of, place x) {
    const wide_word hash = of.entries[x] >> of.place_bits << of.place_bits;
    const wide_word behind_a = hash | (wide_word)(PAD + of.n) << 1;
    return {bound(of, x, hash), bound(of, x, behind_a), bound(of, x, hash + (1ull << of.place_bits))};
}

// The copies of the k-mer of ``entry`` among others of its hash; the count stops above ``most``.
INLINE int copies_of(Kmers of, wide_word entry, place first, place end, int most) {
    int found = 0;
    const place i = place_of(of, entry);
    for (place x = first; x < end && found <= most; ++x) {
        const bool minus = (entry ^ of.entries[x]) & 1;
        const place j = place_of(of, of.entries[x]);
        found += alike(of.text, i, minus ? of.complement : of.text, minus ? of.size - of.k - j : j, of.k);
    }
    return found;
}

extern "C" __global__ void write_codes(Span span, Kmers of, const byte *a, const byte *b, place m, const byte *codes) {
    EACH(i, span) {
        const place at = i - PAD, behind = at - of.n - 1;
        byte code = at < 0 ? OF_A : at == of.n ? BETWEEN : OF_B;
        if (at >= 0 && at < of.n) code = codes[a[at]] < 4 ? codes[a[at]] : OF_A;
        if (behind >= 0 && behind < m) code = codes[b[behind]] < 4 ? codes[b[behind]] : OF_B;
        of.text[i] = code;
        of.complement[of.size - 1 - i] = code < 4 ? 3 - code : OF_COMPLEMENT;
    }
}

// Write the entries of the k-mers at KMERS places each, and the kinds of these places.
extern "C" __global__ void place_kmers(Span span, Kmers of, const wide_word *roll, wide_word prime) {
    EACH(item, span) {
        const place first = item * KMERS;
        wide_word forward = 0, backward = 0;
        int known = 0;
        for (place i = first; i < first + KMERS + of.k - 1; ++i) {
            const int code = i < of.size ? of.text[i] : OF_B, leaves = known == of.k;
            if (code < OF_A) {
                forward = (forward << 1 | forward >> 63) ^ roll[code] ^ (leaves ? roll[8 + of.text[i - of.k]] : 0);
                backward = (backward >> 1 | backward << 63) ^ roll[4 + code];
                if (leaves) backward ^= roll[12 + of.text[i - of.k]];
                known += !leaves;
            } else {
                forward = backward = known = 0;
            }
            const place at = i - of.k + 1;
            if (at < first || at >= of.size) continue;
            wide_word bits = ((forward < backward ? forward : backward) + 1) * prime;
            bits = (bits ^ bits >> 29) * prime;
            wide_word hash = (bits ^ bits >> 32) >> of.place_bits;
            hash -= hash == NO_KMER >> of.place_bits;
            const wide_word entry = hash << of.place_bits | (wide_word)(2 * at + (backward < forward));
            of.entries[at] = known == of.k ? entry : NO_KMER;
            of.kinds[at] = known == of.k && forward == backward ? PALINDROME : 0;
        }
    }
}

// Write the kind of each place whose k-mer A and B have; ``left_out`` counts the places of A that are left out.
extern "C" __global__ void mark_kinds(Span span, Kmers of, int most, word *left_out) {
    word n_left_out = 0;
    EACH(x, span) {
        const wide_word entry = of.entries[x];
        if (entry == NO_KMER) continue;
        const Run run = run_of(of, x);
        if (run.first == run.border || run.border == run.end) continue;
        const int of_a = copies_of(of, entry, run.first, run.border, most);
        const int of_b = of_a ? copies_of(of, entry, run.border, run.end, most) : 0;
        if (!of_b) continue;
        const int kind = max(of_a, of_b) > most ? LEFT_OUT : max(of_a, of_b) == 1 ? UNIQUE : REPEATED;
        const place at = place_of(of, entry);
        of.kinds[at] = (of.kinds[at] & PALINDROME) | kind;
        n_left_out += kind == LEFT_OUT && x < run.border;
    }
    if (n_left_out) atomicAdd(left_out, n_left_out);
}

// The letters before the match with the k-mers at ``i`` and ``j``; -1: an earlier k-mer finds it.
INLINE place letters_before(Kmers of, place i, const byte *other, place j) {
    place back = 0;
    while (of.text[i - back - 1] == other[j - back - 1])
        if ((of.kinds[i - ++back] & KIND) != LEFT_OUT) return -1;
    return back;
}

// Count the matches that begin with a k-mer of A; write the first ``room`` ones, rows of ``found``: their first letters
// in the text and in the text or complement, nothing, whether in the complement.
extern "C" __global__ void find_matches(Span span, Kmers of, place room, place *found, wide_word *total) {
    EACH(x, span) {
        const wide_word entry = of.entries[x];
        const place i = place_of(of, entry);
        const int kind = entry == NO_KMER || i >= PAD + of.n ? 0 : of.kinds[i] & KIND;
        if (!kind || kind == LEFT_OUT) continue;
        const Run run = run_of(of, x);
        for (place y = 2 * run.border; y < 2 * run.end; ++y) {
            const wide_word one = of.entries[y / 2];
            const int minus = (int)(y & 1);
            if ((int)((entry ^ one) & 1) != minus && !(of.kinds[i] & PALINDROME)) continue;
            const byte *other = minus ? of.complement : of.text;
            const place j = place_of(of, one), at = minus ? of.size - of.k - j : j;
            const place back = alike(of.text, i, other, at, of.k) ? letters_before(of, i, other, at) : -1;
            if (back < 0) continue;
            const wide_word to = atomicAdd(total, (wide_word)1);
            if (to >= (wide_word)room) continue;
            found[to] = i - back;
            found[room + to] = at - back;
            found[3 * room + to] = minus;
        }
    }
}

// Replace what ``find_matches`` wrote by the rows of the answer, a warp a match: 32 items.
extern "C" __global__ void extend_matches(Span span, Kmers of, place room, place *found) {
    EACH(item, span) {
        const place match = item / 32, i = found[match], at = found[room + match], minus = found[3 * room + match];
        const int lane = (int)(item % 32);
        const byte *other = minus ? of.complement : of.text;
        place length = 0;
        for (word unequal = 0; !unequal;) {
            const wide_word differs = eight(of.text, i + length + 8 * lane) ^ eight(other, at + length + 8 * lane);
            unequal = __ballot_sync(FULL_WARP, differs != 0);
            const int first = unequal ? __ffs((int)unequal) - 1 : 32;
            const word low = (word)differs, high = (word)(differs >> 32);
            const int bits = low ? __ffs((int)low) - 1 : 31 + __ffs((int)high);
            length += first * 8 + (unequal ? __shfl_sync(FULL_WARP, bits / 8, first) : 0);
        }
        word unique = 0;
        const place end = i + length - of.k + 1;
        for (place p = i + 8 * lane; p < end; p += 256) {
            wide_word kinds = eight(of.kinds, p);
            kinds &= ~(kinds >> 1) & 0x0101010101010101ull;
            if (end - p < 8) kinds &= (1ull << 8 * (end - p)) - 1;
            unique += __popc((word)kinds) + __popc((word)(kinds >> 32));
        }
        UNROLL for (int step = 16; step; step /= 2) unique += __shfl_xor_sync(FULL_WARP, unique, step);
        if (lane) continue;
        found[match] = i - PAD;
        found[room + match] = (minus ? of.size - at - length : at) - PAD - of.n - 1;
        found[2 * room + match] = length;
        found[4 * room + match] = unique;
    }
}

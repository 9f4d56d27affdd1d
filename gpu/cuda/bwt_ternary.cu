// Ternary quicksort of the suffixes (Yamanaka, Ino and Hagihara), section 3: two kernels a level for all its
// segments. The first compares, from which follows where the equal ones of each segment start; the second puts every
// suffix to the less, equal or greater ones.
//
// Where this departs from the paper: the second kernel reads what the first found out, where the paper's compares again
// (its section 4 names that as its weakness); suffixes alone in their segment are left out of the next level, which a
// third kernel lists; segments that share RANKED letters are parted by the ranks of what comes then.
//
// Segment s has the suffixes [begins[s], begins[s + 1]) of the level and the places from places[s] on; ``depths`` are the
// letters that its suffixes share. A key is the letter there (-1: ``$``), or, where ranks is not null, the rank there.
enum Part { LESS, EQUAL, GREATER };

struct Level {
    const byte *text;
    const int *ranks;
    place n;
    const int *suffixes, *segment_of, *begins, *places, *depths;
};

INLINE int key_of(const Level &level, place suffix, int depth) {
    const place at = suffix + depth;
    if (level.ranks) return at <= level.n ? level.ranks[at] : 0;
    return at < level.n ? level.text[at] : -1;
}

INLINE int middle(int a, int b, int c) {
    const int low = a < b ? a : b, high = a < b ? b : a;
    const int rest = high < c ? high : c;
    return low > rest ? low : rest;
}

// The middle of three keys, of nine in long segments.
extern "C" __global__ void choose_pivots(Span span, Level level, int *pivots) {
    EACH(s, span) {
        const place begin = level.begins[s], size = level.begins[s + 1] - begin;
        const int depth = level.depths[s];
        int found[3];
        for (int third = 0; third < 3; ++third) {
            if (size < 64) {
                const place at = third == 0 ? 0 : third == 1 ? size / 2 : size - 1;
                found[third] = key_of(level, level.suffixes[begin + at], depth);
                continue;
            }
            const place at = begin + third * (size / 3), step = size / 9;
            found[third] = middle(key_of(level, level.suffixes[at], depth), key_of(level, level.suffixes[at + step], depth),
                                  key_of(level, level.suffixes[at + 2 * step], depth));
        }
        pivots[s] = middle(found[0], found[1], found[2]);
    }
}

// First kernel: less in the low half, equal in the high one; their sums tell where the equal ones start.
extern "C" __global__ void compare_keys(Span span, Level level, const int *pivots, wide_word *marks) {
    EACH(j, span) {
        const int s = level.segment_of[j];
        const int key = key_of(level, level.suffixes[j], level.depths[s]), pivot = pivots[s];
        marks[j] = (wide_word)(key < pivot) | (wide_word)(key == pivot) << 32;
    }
}

// What the parts of a segment are: of its [begin, end), less end where equal begin, and these where greater begin.
struct Parts {
    place begin, equal, greater, end;
    wide_word before;  // the sums before it
};
INLINE Parts parts_of(const Level &level, const wide_word *sums, int s) {
    Parts parts;
    parts.begin = level.begins[s];
    parts.end = level.begins[s + 1];
    parts.before = parts.begin ? sums[parts.begin - 1] : 0;
    const wide_word all = sums[parts.end - 1] - parts.before;
    parts.equal = parts.begin + (word)all;
    parts.greater = parts.equal + (word)(all >> 32);
    return parts;
}
INLINE Part part_at(const Parts &parts, place j) { return j < parts.equal ? LESS : j < parts.greater ? EQUAL : GREATER; }

// Whether a part is parted again in this round.
INLINE bool goes_on(const Level &level, Part part, int depth, int ranked, bool many) {
    return many && (part != EQUAL || (!level.ranks && depth + 1 < ranked));
}

// Second kernel: put suffix j where its part of the segment is, and write what is done with.
//   order, tops  suffix of every place; place of the last suffix that is alike so far
//   marks        parted again in the low half, the first of such a part in the high one
extern "C" __global__ void place_suffixes(Span span, Level level, const wide_word *sums, int ranked, int *placed, int *order,
                                          int *tops, wide_word *marks) {
    EACH(j, span) {
        const int s = level.segment_of[j];
        const Parts parts = parts_of(level, sums, s);
        const wide_word mine = sums[j] - parts.before, own = sums[j] - (j ? sums[j - 1] : 0);
        const place less = (word)mine, equal = (word)(mine >> 32);
        Part part = GREATER;
        place first = parts.greater, end = parts.end, to = parts.greater + (j - parts.begin) - less - equal;
        if ((word)own) {
            part = LESS, first = parts.begin, end = parts.equal, to = parts.begin + less - 1;
        } else if (own) {
            part = EQUAL, first = parts.equal, end = parts.greater, to = parts.equal + equal - 1;
        }
        const bool again = goes_on(level, part, level.depths[s], ranked, end - first > 1);
        const place base = level.places[s] - parts.begin;
        placed[to] = level.suffixes[j];
        order[base + to] = level.suffixes[j];
        if (!again) tops[base + to] = (int)(base + end - 1);
        marks[to] = (wide_word)again | (wide_word)(again && to == first) << 32;
    }
}

// List the segments of the next level and their suffixes. ``sums`` are those of the first kernel, ``again`` of the second.
extern "C" __global__ void list_segments(Span span, Level level, const wide_word *sums, const int *placed,
                                         const wide_word *marks, const wide_word *again, place count, int *suffixes,
                                         int *segment_of, int *begins, int *places, int *depths) {
    EACH(j, span) {
        const int to = (int)(word)again[j] - 1, segment = (int)(again[j] >> 32) - 1;
        if (j + 1 == count) begins[segment + 1] = to + 1;
        if (!marks[j]) continue;
        suffixes[to] = placed[j];
        segment_of[to] = segment;
        if (marks[j] >> 32) {
            const int s = level.segment_of[j];
            const Parts parts = parts_of(level, sums, s);
            begins[segment] = to;
            places[segment] = (int)(level.places[s] - parts.begin + j);
            depths[segment] = level.depths[s] + (part_at(parts, j) == EQUAL);
        }
    }
}

// ranks[suffix]: place of the last suffix that is alike so far.
extern "C" __global__ void rank_suffixes(Span span, const int *order, const int *tops, int *ranks) {
    EACH(k, span) ranks[order[k]] = tops[k];
}

// marks[k]: not alone in the low half, first of those alike in the high one.
extern "C" __global__ void mark_waiting(Span span, const int *tops, wide_word *marks) {
    EACH(k, span) {
        const bool follows = k > 0 && tops[k - 1] >= k;
        const bool waits = follows || tops[k] > k;
        marks[k] = (wide_word)waits | (wide_word)(waits && !follows) << 32;
    }
}

// List segments and suffixes of a round's first level, which share ``depth`` letters.
extern "C" __global__ void list_waiting(Span span, const int *order, const wide_word *marks, const wide_word *sums,
                                        place n_rows, int depth, int *suffixes, int *segment_of, int *begins, int *places,
                                        int *depths) {
    EACH(k, span) {
        const int to = (int)(word)sums[k] - 1, segment = (int)(sums[k] >> 32) - 1;
        if (k + 1 == n_rows) begins[segment + 1] = to + 1;
        if (!marks[k]) continue;
        suffixes[to] = order[k];
        segment_of[to] = segment;
        if (marks[k] >> 32) {
            begins[segment] = to;
            places[segment] = (int)k;
            depths[segment] = depth;
        }
    }
}

// Suffixes in the order of the text, all in one segment.
extern "C" __global__ void list_all(Span span, int *suffixes, int *segment_of) {
    EACH(k, span) {
        suffixes[k] = (int)k;
        segment_of[k] = 0;
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

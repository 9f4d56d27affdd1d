// Many patterns past a text: ``scan`` marks the blocks of letters in which an accepting state was reached, ``report``
// takes these once more, finds what ended where, and compares it with the whole pattern.
//
// ``text`` begins some letters before the chunk, for patterns that began there. Every place is counted from its start.
#define BLOCK 32           // letters between two tests whether anything was reached
#define PIECE (WORDS >= 2 ? 16 : 8)  // bytes of a table's row that are read at once
#define PLANES (WORDS >= 2 ? WORDS / 2 : 1)
#define LINE (COPIES * PIECE)

// ``tables`` of one group into shared memory: COPIES of each row, so that lanes that look up at once meet no bank twice.
INLINE void share_table(const wide_word *table, byte *shared) {
    for (int at = threadIdx.x; at < 256 * PLANES * COPIES; at += THREADS) {
        const int copy = at % COPIES, piece = at / COPIES, row = piece % 256, plane = piece / 256;
        const wide_word *from = table + row * WORDS + plane * 2;
        wide_word *to = (wide_word *)(shared + (plane * 256 + row) * LINE + copy * PIECE);
        to[0] = from[0];
        if (PIECE == 16) to[1] = from[1];
    }
    __syncthreads();
}

// ``row``: bytes from the start of the table to a row's copy that is this lane's.
INLINE void load_shared(const byte *shared, word row, word *out) {
    UNROLL for (int p = 0; p < PLANES; ++p) {
        const byte *from = shared + row + p * 256 * LINE;
#if WORDS >= 2
        const uint4 four = *(const uint4 *)from;
        out[4 * p] = four.x; out[4 * p + 1] = four.y; out[4 * p + 2] = four.z; out[4 * p + 3] = four.w;
#else
        const uint2 two = *(const uint2 *)from;
        out[0] = two.x; out[1] = two.y;
#endif
    }
}

INLINE void load_global(const wide_word *table, word symbol, word *out) {
    UNROLL for (int h = 0; h < HALVES; ++h) out[h] = half(table + symbol * WORDS, h);
}

struct Letters { word four[BLOCK / 4]; };

INLINE Letters load_letters(const byte *text) {
    Letters l;
    UNROLL for (int k = 0; k < BLOCK / 16; ++k) {
        const uint4 some = __ldg((const uint4 *)text + k);
        l.four[4 * k] = some.x; l.four[4 * k + 1] = some.y; l.four[4 * k + 2] = some.z; l.four[4 * k + 3] = some.w;
    }
    return l;
}

// Gather what was reached; an end that is seen for ``HELD`` steps more need not be looked for at each.
INLINE void look_at(const States &s, const word *tested, int step, word &reached) {
    if ((step + 1) % (HELD + 1)) return;
    UNROLL for (int h = 0; h < HALVES; ++h) reached |= ~s.row[ROWS - 1][h] & tested[h];
}

// Block of threads: a stretch of letters past one group; thread: a segment of it, and the letters before.
extern "C" __global__ void __launch_bounds__(THREADS)
scan(const byte *text, place first, place last, int segment, int slices, int before, int first_group,
     const wide_word *tables, const wide_word *masks, uint2 *marks, word *counts, word room) {
    SHARED_POOL
    byte *shared = (byte *)shared_pool;
    const int group = first_group + blockIdx.x / slices;
    const wide_word *mine = masks + (place)group * MASKS * WORDS;
    share_table(tables + (place)group * 256 * WORDS, shared);
    const place begin = first + ((place)(blockIdx.x % slices) * THREADS + threadIdx.x) * segment;
    if (begin >= last) return;
    const place end = begin + segment < last ? begin + segment : last;
    const Masks m = load_masks(mine);
    word tested[HALVES];
    UNROLL for (int h = 0; h < HALVES; ++h) {
        tested[h] = half(mine + TESTED * WORDS, h);
    }
    const word lane = threadIdx.x % COPIES * PIECE, mask = 255u * LINE;
    States s;
    reset(s, mine);
    place at = begin > before ? begin - before : 0;
    Letters next = load_letters(text + at);
    ROLLED for (; at < end; at += BLOCK) {
        const Letters here = next;
        if (at + BLOCK < end) next = load_letters(text + at + BLOCK);
        word reached = 0, row[HALVES];
        UNROLL for (int k = 0; k < BLOCK / 4; ++k) {
#if STEP == 4
            load_shared(shared, (pack_four(here.four[k]) >> 24) * LINE | lane, row);
            advance(s, row, m);
            look_at(s, tested, k, reached);
#else
            UNROLL for (int letter = 0; letter < 4; ++letter) {
                const word symbol = here.four[k];
                const word line = letter == 0 ? symbol * LINE : (symbol >> (8 * letter)) * LINE;
                load_shared(shared, (line & mask) | lane, row);
                advance(s, row, m);
                look_at(s, tested, 4 * k + letter, reached);
            }
#endif
        }
        if (reached && at >= begin) {
            const word n = atomicAdd(counts, 1u);
            if (n < room) marks[n] = {(word)(at / BLOCK), (word)group};
        }
    }
}

struct Pattern {
    const byte *letters;
    int n;
};

// Mismatches of the pattern that would end before ``end``; more than ERRORS: -1.
INLINE int mismatches(const byte *text, place end, const Pattern &pattern, const byte *matches) {
    int found = 0;
    for (int i = 0; i < pattern.n; ++i) {
        found += !matches[pattern.letters[i] * 256 + text[end - pattern.n + i]];
        if (found >= ROWS) return -1;
    }
    return found;
}

// The least edits against a stretch that ends before ``end`` and does not begin before ``begin``; over ERRORS: -1. Of the
// stretches of that cost ``length`` is the shortest's. Both are walked backwards, in a band of ERRORS to each side.
INLINE int edits(const byte *text, place begin, place end, const Pattern &pattern, const byte *matches, int &length) {
    const int most = ROWS - 1, width = 2 * ROWS - 1;
    int costs[2 * ROWS + 1];
    UNROLL for (int d = 0; d < width + 2; ++d) {
        const int j = d - ROWS;  // letters of the text when none of the pattern is used
        costs[d] = j >= 0 && j <= most && end - j >= begin ? j : ROWS;
    }
    for (int i = 1; i <= pattern.n; ++i) {
        const byte *row = matches + pattern.letters[pattern.n - i] * 256;
        int least = ROWS;
        UNROLL for (int d = 1; d <= width; ++d) {
            const int j = i + d - ROWS;
            const place at = end - j;
            int cost = ROWS;
            if (j >= 0 && at >= begin) {
                cost = costs[d + 1] + 1;  // a letter of the pattern is missing
                if (j > 0) {
                    const int exchanged = costs[d] + !row[text[at]], added = costs[d - 1] + 1;
                    cost = exchanged < cost ? exchanged : cost;
                    cost = added < cost ? added : cost;
                }
            }
            costs[d] = cost < ROWS ? cost : ROWS;
            least = costs[d] < least ? costs[d] : least;
        }
        if (least > most) return -1;
    }
    int best = ROWS;
    UNROLL for (int d = 1; d <= width; ++d) {
        if (costs[d] < best) {
            best = costs[d];
            length = pattern.n + d - ROWS;
        }
    }
    return best <= most ? best : -1;
}

// Where the record begins that has the letter before ``end``, both counted from the start of the whole text.
INLINE place record_start(const place *starts, int n_starts, place end) {
    int low = 0, high = n_starts - 1;
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (starts[middle] < end) low = middle;
        else high = middle;
    }
    return starts[low];
}

// Thread: marked blocks. ``base`` is where ``text`` begins in the whole text, ``end_of_text`` where that ends here. A
// hit is a number: hits.cu says of what bits.
extern "C" __global__ void __launch_bounds__(128)
report(const byte *text, place base, place end_of_text, place last, int before, const wide_word *tables,
       const wide_word *masks, const int *owner, const byte *late, const byte *matches,
       const byte *letters, const place *offsets, const place *starts, int n_starts, const uint2 *marks, word *counts,
       word room, int start_bit, int length_bit, int who_bit, wide_word *hits) {
    const word n_marks = counts[0] < room ? counts[0] : room;
    for (word number = blockIdx.x * blockDim.x + threadIdx.x; number < n_marks; number += gridDim.x * blockDim.x) {
        if (look(counts + 1) > room) return;  // all are to be found anew: the count must not begin anew
        const uint2 mark = marks[number];
        const int group = (int)mark.y;
        const place begin = (place)mark.x * BLOCK, end = begin + BLOCK;
        const wide_word *mine = masks + (place)group * MASKS * WORDS;
        const wide_word *table = tables + (place)group * 256 * WORDS;
        const Masks m = load_masks(mine);
        States s;
        reset(s, mine);
        ROLLED for (place at = begin > before ? begin - before : 0; at < end; at += STEP) {
            word row[HALVES];
            load_global(table, STEP == 4 ? pack_four(*(const word *)(text + at)) >> 24 : text[at], row);
            advance(s, row, m);
            if (at < begin) continue;
            UNROLL for (int h = 0; h < HALVES; ++h) {
                word bits = ~s.row[ROWS - 1][h] & half(mine + ACCEPT * WORDS, h);
                while (bits) {
                    const int bit = group * 32 * HALVES + 32 * h + __ffs((int)bits) - 1;
                    bits &= bits - 1;
                    const int who = owner[bit];
                    const place stop = at + STEP - late[bit];
                    if (stop > end_of_text || stop > last) continue;
                    const Pattern pattern = {letters + offsets[who], (int)(offsets[who + 1] - offsets[who])};
                    const place record = record_start(starts, n_starts, base + stop) - base;
                    int cost = -1, length = pattern.n;
                    if (EDITS) cost = edits(text, record, stop, pattern, matches, length);
                    else if (stop - length >= record) cost = mismatches(text, stop, pattern, matches);
                    if (cost < 0) continue;
                    const word n = atomicAdd(counts + 1, 1u);
                    if (n < room)
                        hits[n] = (wide_word)(stop - length) << start_bit | (wide_word)length << length_bit |
                                  (wide_word)who << who_bit | (wide_word)cost;
                }
            }
        }
    }
}

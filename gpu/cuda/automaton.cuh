// The states of one group of patterns, and one step of them: ``wavediff.core.sequences.shift_or`` with a word of
// 64 bits as two halves. WORDS: words of a group. STEP: letters a step. ROWS: rows of states, one more than
// errors are allowed. EDITS: whether letters may be missing or added, too.
#define HALVES (2 * WORDS)

struct States { word row[ROWS][HALVES]; };

struct Masks { word keep[HALVES]; };

// What ``masks`` of a group holds, by its place there.
#define KEEP 0
#define ACCEPT 1
#define FIRST 2
#define TESTED 3

INLINE word half(const wide_word *words, int h) { return (word)(words[h / 2] >> (32 * (h % 2))); }

INLINE Masks load_masks(const wide_word *masks) {
    Masks m;
    UNROLL for (int h = 0; h < HALVES; ++h) m.keep[h] = half(masks + KEEP * WORDS, h);
    return m;
}

// No letter taken yet: row d has reached the first d states by leaving letters of the pattern out.
INLINE void reset(States &s, const wide_word *masks) {
    UNROLL for (int w = 0; w < WORDS; ++w) {
        wide_word reached = 0;
        UNROLL for (int d = 0; d < ROWS; ++d) {
            s.row[d][2 * w] = ~(word)reached;
            s.row[d][2 * w + 1] = ~(word)(reached >> 32);
            if (EDITS) reached |= masks[FIRST * WORDS + w] << d;
        }
    }
}

INLINE void moved(const word *x, const Masks &m, word *out) {
    UNROLL for (int w = 0; w < WORDS; ++w) {
        out[2 * w + 1] = __funnelshift_l(x[2 * w], x[2 * w + 1], STEP) & m.keep[2 * w + 1];
        out[2 * w] = x[2 * w] << STEP & m.keep[2 * w];
    }
}

// One step: row d holds the states that are reached with at most d errors (Wu and Manber).
INLINE void advance(States &s, const word *table_row, const Masks &m) {
    word before[HALVES], after[HALVES], now[HALVES], to[HALVES];
    UNROLL for (int d = 0; d < ROWS; ++d) {
        moved(s.row[d], m, to);
        UNROLL for (int h = 0; h < HALVES; ++h) now[h] = to[h] | table_row[h];
        if (d > 0) {
            if (EDITS) {  // a letter more; one exchanged or one less
                word either[HALVES];
                UNROLL for (int h = 0; h < HALVES; ++h) either[h] = before[h] & after[h];
                moved(either, m, to);
                UNROLL for (int h = 0; h < HALVES; ++h) now[h] &= before[h] & to[h];
            } else {
                moved(before, m, to);
                UNROLL for (int h = 0; h < HALVES; ++h) now[h] &= to[h];
            }
        }
        UNROLL for (int h = 0; h < HALVES; ++h) {
            before[h] = s.row[d][h];
            s.row[d][h] = after[h] = now[h];
        }
    }
}

// Two bits a letter, the first one lowest: A C G T and U get 0 1 3 2 in either case; in bits 24 to 31.
INLINE word pack_four(word letters) { return (letters & 0x06060606u) * 0x00820820u; }

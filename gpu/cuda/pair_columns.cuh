// Columns of LCS, edit distance, or edit distance with swaps for the rows that a lane has, letters being bytes.
//
// LCS: Kawanami and Fujimoto, section 2.4. Edit distance: Myers (1999) in Hyyro's form (2003). With swaps (Kim, Na and Sim): as in
// core/kernels/swap_edit/swap_column.py, which says why. A lane is a group of columns behind the lane above it.
//
// Macros: METHOD, WORDS of a lane (1, 2 or 4). A table of match words has 32 rows a warp, one for each value of either
// half of a letter; a letter's match words are the AND of two of them. So no alphabet needs more, and none a code.
#define LCS 1
#define EDIT 2
#define SWAP 3
#define LANES 32
#define COLUMNS 4  // of a group, a byte each
#define ROW_BITS (WORDS == 4 ? 9 : WORDS == 2 ? 8 : 7)  // log2 of the bytes of a table row
#define TABLE_ROWS 32
#define SIGNALS (METHOD == SWAP ? 5 : METHOD == EDIT ? 2 : 1)  // bits that a column hands to the row below
// Above row 1: no growth (LCS), or one edit more a column.
#define NOTHING_ABOVE (METHOD == LCS ? 0u : METHOD == EDIT ? 0x55u : 0x8421u)

struct Rows {
    word v[WORDS];  // LCS: V; else VP
#if METHOD != LCS
    word vn[WORDS];
#endif
#if METHOD == SWAP
    word d0[WORDS], o2[WORDS], eq[WORDS];
#endif
};

INLINE void begin(Rows &s) {
    UNROLL for (int w = 0; w < WORDS; ++w) {
        s.v[w] = FULL_WARP;
#if METHOD != LCS
        s.vn[w] = 0;
#endif
#if METHOD == SWAP
        s.d0[w] = s.o2[w] = s.eq[w] = 0;
#endif
    }
}

// What the row above has in this column, in the top bits. LCS: the carry is in ``down``.
struct Above {
    word down;  // HN
#if METHOD != LCS
    word up;    // HP
#endif
#if METHOD == SWAP
    word o1, d0, eq;
#endif
};

// Signals of column ``c`` of a group lie from bit SIGNALS * (COLUMNS - 1 - c) on: HP, HN, O1, D0, EQ.
INLINE Above unpack(word link, int c) {
    Above x;
    const int top = 31 - SIGNALS * (COLUMNS - 1 - c);
#if METHOD == LCS
    x.down = link << top;
#else
    x.up = link << top;
    x.down = link << (top - 1);
#endif
#if METHOD == SWAP
    x.o1 = link << (top - 2);
    x.d0 = link << (top - 3);
    x.eq = link << (top - 4);
#endif
    return x;
}

INLINE word pack(const Above &x, word link) {
#if METHOD == SWAP
    link = shift_in(x.o1, shift_in(x.d0, shift_in(x.eq, link)));
#endif
    link = shift_in(x.down, link);
#if METHOD != LCS
    link = shift_in(x.up, link);
#endif
    return link;
}

// One column. ``allow``: all ones, or 0 for no swaps.
INLINE void column_step(const word *equal, word allow, Above &x, Rows &s) {
    UNROLL for (int w = 0; w < WORDS; ++w) {
        const word eq = equal[w], v = s.v[w];
#if METHOD == LCS
        const word both = v & eq, sum = v + both + (x.down >> 31);
        x.down = both | (v & ~sum);
        s.v[w] = sum | (v & ~eq);
#else
        word match = eq;
#if METHOD == SWAP
        const word starts = eq & ~s.d0[w] & allow, through = v | starts;
        const word o1 = (through + starts + (x.o1 >> 31)) ^ through ^ starts;
        match = (eq | (o1 & s.eq[w])) | (s.o2[w] & shift_in(x.eq, eq));
#endif
        const word vn = s.vn[w];
        const word d0 = (((match & v) + v + (x.down >> 31)) ^ v) | match | vn;
        const word hp = vn | ~(d0 | v), hn = d0 & v;
        const word up = shift_in(x.up, hp), fell = shift_in(x.down, hn);
#if METHOD == SWAP
        s.o2[w] = (eq & ~shift_in(x.d0, d0) & allow) | (s.o2[w] & up);
        s.d0[w] = d0;
        s.eq[w] = eq;
        x.o1 = starts | (through & o1);
        x.d0 = d0;
        x.eq = eq;
#endif
        s.v[w] = fell | ~(d0 | up);
        s.vn[w] = d0 & up;
        x.up = hp;
        x.down = hn;
#endif
    }
}

INLINE void load_words(const byte *at, word *out) {
#if WORDS == 4
    const uint4 four = *(const uint4 *)at;
    out[0] = four.x; out[1] = four.y; out[2] = four.z; out[3] = four.w;
#elif WORDS == 2
    const uint2 two = *(const uint2 *)at;
    out[0] = two.x; out[1] = two.y;
#else
    out[0] = *(const word *)at;
#endif
}

INLINE void store_words(byte *at, const word *from) {
#if WORDS == 4
    *(uint4 *)at = uint4{from[0], from[1], from[2], from[3]};
#elif WORDS == 2
    *(uint2 *)at = uint2{from[0], from[1]};
#else
    *(word *)at = from[0];
#endif
}

// Bits 4 * k .. 4 * k + 3 of ``letters`` as the offset of a table row.
INLINE word row_offset(word letters, int k) {
    const int from = 4 * k;
    return (from > ROW_BITS ? letters >> (from - ROW_BITS) : letters << (ROW_BITS - from)) & (15u << ROW_BITS);
}

// Match words of column ``c`` of a group. ``mine``: the lane's place in row 0 of the table.
INLINE void find_match(const byte *mine, word letters, int c, word *equal) {
    word high[WORDS];
    load_words(mine + row_offset(letters, 2 * c), equal);
    load_words(mine + (16 << ROW_BITS) + row_offset(letters, 2 * c + 1), high);
    UNROLL for (int w = 0; w < WORDS; ++w) equal[w] &= high[w];
}

// Write the lane's part of the table. ``planes``: the 8 bit planes of its words, word after word; ``n_words`` exist.
INLINE void build_table(const uint4 *planes, place n_words, byte *mine) {
    word p[WORDS][8];
    UNROLL for (int w = 0; w < WORDS; ++w) {
        uint4 low = {}, high = {};
        if (w < n_words) {
            low = planes[2 * w];
            high = planes[2 * w + 1];
        }
        p[w][0] = low.x; p[w][1] = low.y; p[w][2] = low.z; p[w][3] = low.w;
        p[w][4] = high.x; p[w][5] = high.y; p[w][6] = high.z; p[w][7] = high.w;
    }
    UNROLL for (int row = 0; row < TABLE_ROWS; ++row) {
        word equal[WORDS];
        UNROLL for (int w = 0; w < WORDS; ++w) {
            equal[w] = FULL_WARP;
            UNROLL for (int k = 0; k < 4; ++k) {
                const word plane = p[w][(row < 16 ? 0 : 4) + k];
                equal[w] &= row >> k & 1 ? plane : ~plane;
            }
        }
        store_words(mine + (row << ROW_BITS), equal);
    }
}

// A group of columns of which ``left`` exist, at least one; returns what is handed to the lane below. ``before`` is called
// before each column with its place in the group, the rows, and what the columns before it hand down.
template <class Before>
INLINE word group_step(const byte *mine, word letters, int left, word allow, word in, Rows &s, const Before &before) {
    word out = 0;
    if (left >= COLUMNS) {
        word equal[COLUMNS][WORDS];
        UNROLL for (int c = 0; c < COLUMNS; ++c) find_match(mine, letters, c, equal[c]);
        UNROLL for (int c = 0; c < COLUMNS; ++c) {
            before(c, s, out);
            Above x = unpack(in, c);
            column_step(equal[c], allow, x, s);
            out = pack(x, out);
        }
        return out;
    }
    ROLLED for (int c = 0; c < left; ++c) {
        word equal[WORDS];
        find_match(mine, letters >> (8 * c), 0, equal);
        before(c, s, out);
        Above x = unpack(in, c);
        column_step(equal, allow, x, s);
        out = pack(x, out);
    }
    return out << (SIGNALS * (COLUMNS - left));
}

// What the rows of the lane add to the answer after the last column. ``row``: the first of them, of ``n_rows``.
INLINE int count_rows(const Rows &s, place row, place n_rows) {
    int count = 0;
    UNROLL for (int w = 0; w < WORDS; ++w) {
        const place left = n_rows - row - 32 * w;
        const word rows = left >= 32 ? FULL_WARP : left > 0 ? (1u << left) - 1 : 0;
#if METHOD == LCS
        count += __popc(~s.v[w] & rows);
#else
        count += __popc(s.v[w] & rows) - __popc(s.vn[w] & rows);
#endif
    }
    return count;
}

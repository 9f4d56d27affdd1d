#if !SLICED
// One column of LCS or edit distance for the rows that a lane has: what a group of columns is made of.
//
// V' = (V + (V & M)) | (V & ~M) is Kawanami and Fujimoto's step (section 2.4); VP, VN, HP, HN are Myers' (1999) in Hyyro's form (2003),
// where the carry that enters a word's sum is the HN that enters its lowest row.

struct Lane {
    word v[WORDS];
#if METHOD == EDIT
    word vn[WORDS];
#endif
    word link;
};

// The match words of this lane's rows for one column.
struct Match {
    word equal[WORDS * TABLES];
    INLINE_MEMBER word of(int w) const { return TABLES == 1 ? equal[w] : equal[w] & equal[WORDS * (TABLES - 1) + w]; }
};

INLINE void load_row(const byte *table, word offset, word *out) {
#if WORDS >= 4
    const uint4 *row = (const uint4 *)(table + offset);
    UNROLL for (int w = 0; w < WORDS; w += 4) {
        const uint4 four = row[w * 8];
        out[w] = four.x; out[w + 1] = four.y; out[w + 2] = four.z; out[w + 3] = four.w;
    }
#elif WORDS == 2
    const uint2 two = *(const uint2 *)(table + offset);
    out[0] = two.x; out[1] = two.y;
#else
    out[0] = *(const word *)(table + offset);
#endif
}

// Bytes to the match words of each column of a group.
struct Offsets {
    word pair[COLUMNS * TABLES / 2];
    INLINE_MEMBER word at(int k) const { return k & 1 ? pair[k / 2] >> 16 : pair[k / 2] & 0xffffu; }
};

INLINE Offsets load_offsets(const uint4 *columns) {
    Offsets o;
    UNROLL for (int k = 0; k < COLUMNS * TABLES / 8; ++k) {
        const uint4 four = __ldg(columns + k);
        o.pair[4 * k] = four.x; o.pair[4 * k + 1] = four.y; o.pair[4 * k + 2] = four.z; o.pair[4 * k + 3] = four.w;
    }
    return o;
}

INLINE Match load_match(const byte *table, const Offsets &o, int column) {
    Match match;
    UNROLL for (int k = 0; k < TABLES; ++k) load_row(table, o.at(column * TABLES + k), match.equal + k * WORDS);
    return match;
}

// What crosses lanes for one group of columns: bits shifted in from below as columns go by, taken out at the top.
struct Carries {
    word down;  // LCS: carries. Edit: HN, which is the carry of the sum too
#if METHOD == EDIT
    word up;    // HP
#endif
};

INLINE Carries unpack(word link) {
    Carries c;
    c.down = link << (32 - COLUMNS);
#if METHOD == EDIT
    c.up = link << (24 - COLUMNS);
#endif
    return c;
}

INLINE word link_of(const Carries &out) {
#if METHOD == LCS
    return out.down;
#else
    return out.up << 8 | out.down;
#endif
}

// One column for this lane's rows, which change only if ``change``.
INLINE void column_step(const Match &match, bool change, Carries &in, Carries &out, Lane &s) {
#if METHOD == LCS
    in.down = add_cc(in.down, in.down);  // the carry of this column into the flag
    UNROLL for (int w = 0; w < WORDS; ++w) {
        const word v = s.v[w], both = v & match.of(w);
        const word sum = addc_cc(v, both);
        s.v[w] = sum | (v & ~both);
    }
    out.down = addc(out.down, out.down);
#else
    word hp_below = in.up, hn_below = in.down;
    in.up += in.up;
    in.down = add_cc(in.down, in.down);
    UNROLL for (int w = 0; w < WORDS; ++w) {
        const word equal = match.of(w), vp = s.v[w], vn = s.vn[w];
        const word sum = addc_cc(equal & vp, vp);
        const word d0 = (sum ^ vp) | equal | vn;
        const word hp = vn | ~(d0 | vp), hn = d0 & vp;
        const word hns = shift_in(hn_below, hn);
        const word hps = shift_in(hp_below, hp);
        hp_below = hp;
        hn_below = hn;
        if (change) {
            s.v[w] = hns | ~(d0 | hps);
            s.vn[w] = hps & d0;
        }
    }
    out.down = addc(out.down, out.down);
    out.up = shift_in(hp_below, out.up);
#endif
}
#endif

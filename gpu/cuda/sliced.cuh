#if SLICED
// Edit distance in bit slices: a strip is 1024 stripes of WORDS rows, one a bit, each one column behind the one above it.
//
// Bit b of word r of a lane is row r of the lane's stripe b, so that what goes from row to row of a stripe goes from word
// to word, and nothing is added: 5 operations and one a plane for 32 cells, where words in a row (columns.cuh) take 10. The
// price is the way through a strip, 1024 columns and more, so it is for sequences much longer than that.
// A lane is DELAY groups behind the lane above: 32 columns for its own stripes, and a group until all carries of one are
// there. Codes are bits of PLANES planes; two letters match where all planes agree.
//
// ``Matrix::tables``: [strip][plane][WORDS][lane], as ``v``; ``columns``: [32 columns][plane], the first column on top, with
// 32 columns of padding before the first.
#define DELAY 5
#define DRAIN 4  // groups that the last stripe of a lane is behind the first
#define SPAN (31 * DELAY + DRAIN + 1)
#define FLIGHT 5
#define STEPS ROLLED

struct Lane {
    word a[PLANES * WORDS], vp[WORDS], vn[WORDS];
    word hp, hn;          // what each stripe hands to the next, of its last column
    word hp_out, hn_out;  // what the last stripe handed on, last column lowest
    word link;
};

INLINE void load_lane(const Matrix &m, int strip, int lane, int t, bool fresh, Lane &s) {
    const word *v = m.v + (place)strip * SIGNS * 32 * WORDS + lane, *flight = m.flight + (place)strip * 32 * FLIGHT + lane;
    UNROLL for (int r = 0; r < WORDS; ++r) s.vp[r] = fresh ? FRESH_ROWS : look(v + r * 32);
    UNROLL for (int r = 0; r < WORDS; ++r) s.vn[r] = fresh ? 0 : look(v + (WORDS + r) * 32);
    s.hp = t ? look(flight) : 0;
    s.hn = t ? look(flight + 32) : 0;
    s.hp_out = t ? look(flight + 64) : 0;
    s.hn_out = t ? look(flight + 96) : 0;
    s.link = t ? look(flight + 128) : 0;
}

INLINE void store_lane(const Matrix &m, int strip, int lane, const Lane &s) {
    word *v = m.v + (place)strip * SIGNS * 32 * WORDS + lane, *flight = m.flight + (place)strip * 32 * FLIGHT + lane;
    UNROLL for (int r = 0; r < WORDS; ++r) v[r * 32] = s.vp[r];
    UNROLL for (int r = 0; r < WORDS; ++r) v[(WORDS + r) * 32] = s.vn[r];
    put(flight, s.hp);
    put(flight + 32, s.hn);
    put(flight + 64, s.hp_out);
    put(flight + 96, s.hn_out);
    put(flight + 128, s.link);
}

INLINE const byte *load_table(const Matrix &m, int strip, int, int lane, word *, Lane &s) {
    const word *a = m.tables + (place)strip * PLANES * WORDS * 32 + lane;
    UNROLL for (int i = 0; i < PLANES * WORDS; ++i) s.a[i] = a[i * 32];
    return 0;
}

// The planes of a group's columns and of the 32 before it.
struct Ahead { word before[PLANES], now[PLANES]; };

INLINE void look_ahead_of(const Matrix &m, place group, Ahead &ahead) {
    const word *from = (const word *)m.columns + group / 4 * PLANES;
    UNROLL for (int k = 0; k < PLANES; ++k) { ahead.before[k] = __ldg(from + k); ahead.now[k] = __ldg(from + PLANES + k); }
}

INLINE void look_ahead(const Matrix &m, const Place &p, const byte *, int t, Ahead &ahead) {
    look_ahead_of(m, p.first + t - p.lane * DELAY, ahead);
}

// The planes of the column that each stripe is at, the first stripe at the one with ``below`` columns behind it in its word.
INLINE void letters(const Ahead &ahead, int below, word *b) {
    UNROLL for (int k = 0; k < PLANES; ++k) b[k] = __funnelshift_r(ahead.now[k], ahead.before[k], below);
}

// A column of each stripe, which changes only where ``change`` has its bit. Myers (1999), in Hyyro's form (2003).
INLINE void sliced_column(const word *b, bool all, word change, Lane &s) {
    word hp = s.hp, hn = s.hn;
    UNROLL for (int r = 0; r < WORDS; ++r) {
        word differ = s.a[r] ^ b[0];
        UNROLL for (int k = 1; k < PLANES; ++k) differ = logic<(LUT_A ^ LUT_B) | LUT_C>(s.a[k * WORDS + r], b[k], differ);
        const word vp = s.vp[r], vn = s.vn[r];
        const word d0 = logic<(~LUT_A & 0xff) | LUT_B | LUT_C>(differ, vn, hn);
        const word vp_next = logic<LUT_A | (~(LUT_B | LUT_C) & 0xff)>(hn, d0, hp), vn_next = d0 & hp;
        hp = logic<LUT_A | (~(LUT_B | LUT_C) & 0xff)>(vn, d0, vp);
        hn = d0 & vp;
        s.vp[r] = all ? vp_next : (vp & ~change) | (vp_next & change);
        s.vn[r] = all ? vn_next : (vn & ~change) | (vn_next & change);
    }
    s.hp = hp;
    s.hn = hn;
}

#define KEPT_WORDS (SIGNS * WORDS + 2)

// Rows before group g, where they are kept: as they are, each stripe a column behind the one above it (see align.cu).
INLINE void keep_rows(const Matrix &m, const Place &p, int g, const Lane &s) {
#if KEEP
    if (g >= p.groups || !is_kept(m, p, g)) return;
    word *at = kept_rows(p, g, KEPT_WORDS * 32) + p.lane;
    UNROLL for (int r = 0; r < WORDS; ++r) at[r * 32] = s.vp[r];
    UNROLL for (int r = 0; r < WORDS; ++r) at[(WORDS + r) * 32] = s.vn[r];
    at[2 * WORDS * 32] = s.hp;
    at[(2 * WORDS + 1) * 32] = s.hn;
#endif
}

// Group g of this lane, whose first stripe gets ``in``; ``existing``: columns of the ticket that are there.
INLINE void sliced_group(const Matrix &m, const Place &p, int g, const Ahead &ahead, word in, bool all, int existing, Lane &s) {
    keep_rows(m, p, g, s);
    word hp_in = in << 16, hn_in = in << 24;
    const int on_top = 31 - (int)((p.first + g) & 3) * COLUMNS;
    TWICE for (int c = 0; c < COLUMNS; ++c) {
        word b[PLANES], change = FULL_WARP;
        letters(ahead, on_top - c, b);
        if (!all) {  // stripe b has column g * COLUMNS + c - b
            const int begun = g * COLUMNS + c + 1, over = begun - existing;
            change = (begun >= 32 ? FULL_WARP : (1u << begun) - 1) & (over <= 0 ? FULL_WARP : over >= 32 ? 0 : FULL_WARP << over);
        }
        s.hp = shift_in(hp_in, s.hp);
        s.hn = shift_in(hn_in, s.hn);
        hp_in += hp_in;
        hn_in += hn_in;
        sliced_column(b, all, change, s);
        s.hp_out = shift_in(s.hp, s.hp_out);
        s.hn_out = shift_in(s.hn, s.hn_out);
    }
    // The last stripe is 31 columns behind, which is DRAIN groups but for one column.
    s.link = (s.hp_out >> 1 & 0xffu) << 8 | (s.hn_out >> 1 & 0xffu);
}

// What each lane has left after step t goes to the mailbox and to what is kept.
INLINE void hand_on_after(const Matrix &m, const Place &p, int t, const Lane &s) {
    const int g = t - p.lane * DELAY - DRAIN;
    if (g >= 0) hand_on(m, p, g, s.link);
}

// Step t where some stripe of some lane has no column, or the last group is not full.
INLINE void edge_step(const Matrix &m, const Place &p, const byte *, int t, word packet, Lane &s) {
    const int g = t - p.lane * DELAY;
    word in = __shfl_up_sync(FULL_WARP, s.link, 1);
    if (p.lane == 0) in = packet;
    if (g < 0 || g >= p.groups + DRAIN) return;
    const int existing = (int)(p.columns - p.first * COLUMNS);
    Ahead ahead;
    look_ahead_of(m, p.first + g, ahead);
    sliced_group(m, p, g, ahead, in, false, existing < p.groups * COLUMNS ? existing : p.groups * COLUMNS, s);
    hand_on_after(m, p, t, s);
}

// Step t where every stripe has its columns, what the step before left being handed on meanwhile. ``columns`` has a group of padding past its end.
INLINE void inner_step(const Matrix &m, const Place &p, const byte *, int t, word packet, Ahead &ahead, Lane &s) {
    const int g = t - p.lane * DELAY;
    word in = __shfl_up_sync(FULL_WARP, s.link, 1);
    hand_on_after(m, p, t - 1, s);
    if (p.lane == 0) in = packet;
    const Ahead now = ahead;
    look_ahead_of(m, p.first + g + 1, ahead);
    sliced_group(m, p, g, now, in, true, 0, s);
}
#endif

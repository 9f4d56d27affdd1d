#if !SLICED
// Lanes of words: a lane's rows are WORDS words in a row, and a lane is one group of columns behind the lane above it.
//
// ``Matrix::tables``: [strip][row][WORDS / 4][lane][4] match words; ``columns``: COLUMNS offsets of such rows a group, in
// bytes, half_word each or two of them.
#define SPAN 32  // steps until what enters a strip leaves it
#define FLIGHT 1
// Twice as much code has fewer sums of addresses in it, as long as the cache of instructions holds it.
#if WORDS <= (KEEP ? 2 : 4)
#define STEPS TWICE
#else
#define STEPS ROLLED
#endif

// The lane as it was after ``t`` steps of its ticket; ``fresh``: no column is done yet.
INLINE void load_lane(const Matrix &m, int strip, int lane, int t, bool fresh, Lane &s) {
    s.link = t ? look(m.flight + (place)strip * 32 + lane) : 0;
    const word *v = m.v + ((place)strip * SIGNS * 32 + lane) * WORDS;
    UNROLL for (int w = 0; w < WORDS; ++w) s.v[w] = fresh ? FRESH_ROWS : look(v + w);
#if METHOD == EDIT
    UNROLL for (int w = 0; w < WORDS; ++w) s.vn[w] = fresh ? 0 : look(v + 32 * WORDS + w);
#endif
}

// Offsets of group g of the ticket.
INLINE const uint4 *columns_at(const Place &p, int g) {
    return (const uint4 *)(p.columns_at + (place)g * (COLUMNS * TABLES * 2));
}

// Words that are stored at once.
#define CHUNK (WORDS < 4 ? WORDS : 4)
struct alignas(4 * CHUNK) Chunk { word w[CHUNK]; };

INLINE void store_words(word *to, const word *from) {
    UNROLL for (int k = 0; k < WORDS / CHUNK; ++k) {
        Chunk chunk;
        UNROLL for (int w = 0; w < CHUNK; ++w) chunk.w[w] = from[k * CHUNK + w];
        ((Chunk *)to)[k] = chunk;
    }
}

INLINE void store_rows(word *v, int lane, const Lane &s) {
    store_words(v + lane * WORDS, s.v);
#if METHOD == EDIT
    store_words(v + (32 + lane) * WORDS, s.vn);
#endif
}

INLINE void store_lane(const Matrix &m, int strip, int lane, const Lane &s) {
    store_rows(m.v + (place)strip * SIGNS * 32 * WORDS, lane, s);
    put(m.flight + (place)strip * 32 + lane, s.link);
}

// The match words of a strip, in shared memory.
INLINE const byte *load_table(const Matrix &m, int strip, int warp, int lane, word *pool, Lane &) {
    const int table_words = m.table_rows * WORDS * 32;
    word *mine = pool + (place)warp * table_words;
    for (int i = lane; i < table_words; i += 32) mine[i] = m.tables[(place)strip * table_words + i];
    __syncwarp();
    return (const byte *)(mine + (WORDS >= 4 ? 4 : WORDS) * lane);
}

INLINE void keep_rows(const Matrix &m, const Place &p, int g, const Lane &s) {
#if KEEP
    if (is_kept(m, p, g)) store_rows(kept_rows(p, g, LANE_WORDS * 32), p.lane, s);
#endif
}

// What each lane has left after step t goes to the mailbox and to what is kept.
INLINE void hand_on_after(const Matrix &m, const Place &p, int t, const Lane &s) { hand_on(m, p, t - p.lane, s.link); }

// Step t where some lane has no group t - lane, or the last group is not full.
INLINE void edge_step(const Matrix &m, const Place &p, const byte *table, int t, word packet, Lane &s) {
    const int g = t - p.lane;
    word in = __shfl_up_sync(FULL_WARP, s.link, 1);
    if (p.lane == 0) in = packet;
    if (g < 0 || g >= p.groups) return;
    const place group = p.first + g;
    const Offsets offsets = load_offsets(columns_at(p, g));
    keep_rows(m, p, g, s);
    Carries from = unpack(in), out = {};
    UNROLL for (int c = 0; c < COLUMNS; ++c)
        column_step(load_match(table, offsets, c), group * COLUMNS + c < p.columns, from, out, s);
    s.link = link_of(out);
    hand_on_after(m, p, t, s);
}

// What is loaded ahead of its use: the offsets of two groups, the match words of DEPTH columns.
#define DEPTH (WORDS == 1 ? 8 : WORDS == 2 ? 4 : WORDS == 4 ? 2 : 1)
struct Ahead {
    Offsets now, next;
    Match match[DEPTH];
};

INLINE void look_ahead(const Matrix &, const Place &p, const byte *table, int t, Ahead &ahead) {
    ahead.now = load_offsets(columns_at(p, t - p.lane));
    ahead.next = load_offsets(columns_at(p, t - p.lane + 1));
    UNROLL for (int c = 0; c < DEPTH; ++c) ahead.match[c] = load_match(table, ahead.now, c);
}

// Step t where every lane has its group, as in the step before, what that left being handed on meanwhile: stores read their
// registers late, and what would overwrite these at once would wait. ``columns`` has two groups of padding past its end.
INLINE void inner_step(const Matrix &m, const Place &p, const byte *table, int t, word packet, Ahead &ahead, Lane &s) {
    const int g = t - p.lane;
    word in = __shfl_up_sync(FULL_WARP, s.link, 1);
    // Many words are stored by a branch, and so early that they are read before they change; few are not.
    if (WORDS > 4) keep_rows(m, p, g, s);
    hand_on_after(m, p, t - 1, s);
    if (p.lane == 0) in = packet;
    const Offsets after = load_offsets(columns_at(p, g + 2));
    if (WORDS <= 4) keep_rows(m, p, g, s);
    Carries from = unpack(in), out = {};
    UNROLL for (int c = 0; c < COLUMNS; ++c) {
        const Match match = ahead.match[c % DEPTH];
        const int later = c + DEPTH;
        ahead.match[c % DEPTH] = load_match(table, later < COLUMNS ? ahead.now : ahead.next, later % COLUMNS);
        column_step(match, true, from, out, s);
    }
    ahead.now = ahead.next;
    ahead.next = after;
    s.link = link_of(out);
}

#endif

// Rows before a tile, as sliced.cuh kept them: its stripes are behind each other, and here they catch up.
//
// Block: one warp, a strip's rows before one tile. ``tiles`` of a strip, from that of ``starts`` on. ``out``:
// [strip][tile][SIGNS][WORDS][lane]. ``panel``: groups of a ticket; at its first group no stripe is behind.
extern "C" __global__ void align(const Matrix m, int first_strip, const int *starts, int tiles, int panel,
                                 word *out) {
    const int lane = threadIdx.x & 31, strip = first_strip + blockIdx.x / tiles;
    const int tile = starts[blockIdx.x / tiles] + blockIdx.x % tiles;
    const place group = m.lo[strip] + (place)tile * m.keep_groups, start = group / panel * panel;
    const place columns = (group - (start > m.lo[strip] ? start : m.lo[strip])) * COLUMNS;  // of the ticket, to the left
    const word *at = m.kept_v + strip * m.kept_v_stride + (place)tile * (KEPT_WORDS * 32) + lane;
    Lane s;
    load_table(m, strip, 0, lane, 0, s);
    UNROLL for (int r = 0; r < WORDS; ++r) { s.vp[r] = at[r * 32]; s.vn[r] = at[(WORDS + r) * 32]; }
    s.hp = at[2 * WORDS * 32];
    s.hn = at[(2 * WORDS + 1) * 32];
    ROLLED for (int i = 0; i < LAST_LANE; ++i) {  // stripe b has column i - b, if it is before the tile and in the ticket
        Ahead ahead;
        look_ahead_of(m, group + i / COLUMNS, ahead);
        word b[PLANES];
        letters(ahead, 31 - (int)((group * COLUMNS + i) & 31), b);
        const word begun = columns + i >= 31 ? FULL_WARP : (2u << (columns + i)) - 1;
        s.hp += s.hp;
        s.hn += s.hn;
        sliced_column(b, false, begun & FULL_WARP << (i + 1), s);
    }
    word *to = out + (place)blockIdx.x * (SIGNS * WORDS * 32) + lane;
    UNROLL for (int r = 0; r < WORDS; ++r) { to[r * 32] = s.vp[r]; to[(WORDS + r) * 32] = s.vn[r]; }
}

// Edit distance with swaps of one pair, in blocks: a warp for 1024 rows, a launch for an anti-diagonal of blocks.
//
// Source: Kim, Na and Sim for the problem, Kawanami and Fujimoto for the launch per anti-diagonal, Sudo and Shinohara for the
// staggered lanes. The columns are those of pair_columns.cuh with METHOD SWAP and WORDS 1. Lane k of strip s does group g
// at step g + 32 s + k; a block is a strip over ``steps`` of these, so no lane waits at its edges. KEEP (1): what the
// walk back of the CPU asks for is kept, in the order in which it wants it (core/kernels/swap_edit/strips.py).
#define STATE 6  // words of a lane between blocks: VP, VN, D0, O2, EQ, what it handed on last
#define SIGNAL_BITS 31u

// By value.
struct Matrix {
    const uint4 *planes;   // 8 bit planes of every 32 rows
    const word *letters;   // of the columns, four at a time
    word *state;           // [strip][STATE][lane]
    word *border;          // [group] what the lowest strip that has done it hands down
    word *kept_rows;       // [row][group] what every kept_every-th word of rows hands down
    word *kept_words;      // [time][STATE][word] see below
    place n_rows, n_columns;
    place kept_stride;     // words there is room for in kept_words
    int kept_times;        // and times
    int kept_every;
    int steps;             // of a block
    word allow;            // all ones; 0: no swaps
};

// The CPU has 64 rows in a word, and word w at column t - w at time t. Kept is each word as it is before time t, at every
// t that is a multiple of KEPT_STEPS.
#define KEPT_STEPS 1024

extern "C" __global__ void __launch_bounds__(LANES) swap_blocks(const Matrix m, place diagonal, place top) {
    SHARED_POOL
    const int lane = threadIdx.x;
    const place strip = top + blockIdx.x, slab = diagonal - strip;
    const place groups = (m.n_columns + COLUMNS - 1) / COLUMNS, index = strip * LANES + lane;
    place t = slab * m.steps - LANES * strip, end = t + m.steps;
    t = t > 0 ? t : 0;
    end = end < groups + LANES - 1 ? end : groups + LANES - 1;
    if (t >= end) return;
    byte *mine = (byte *)shared_pool + lane * 4;
    build_table(m.planes + 2 * index, (m.n_rows + 31) / 32 - index, mine);
    word *state = m.state + strip * STATE * LANES + lane;
    Rows s;
    begin(s);
    word link = 0, held = 0;
    if (t) {
        s.v[0] = state[0];
        s.vn[0] = state[LANES];
        s.d0[0] = state[2 * LANES];
        s.o2[0] = state[3 * LANES];
        s.eq[0] = state[4 * LANES];
        link = state[5 * LANES];
    }
    const place first = t;
    word four = t >= lane && t - lane < groups ? m.letters[t - lane] : 0;
    __syncwarp();
    for (; t < end; ++t) {
        const place g = t - lane;
        const word now = four;
        four = g + 1 >= 0 && g + 1 < groups ? m.letters[g + 1] : 0;
        word in = __shfl_up_sync(FULL_WARP, link, 1);
        word above = NOTHING_ABOVE;
        if (strip) {
            const int k = (int)((t - first) % LANES);
            if (k == 0) held = t + lane < end && t + lane < groups ? look(m.border + t + lane) : 0;
            above = __shfl_sync(FULL_WARP, held, k);
        }
        if (lane == 0) in = above;
        if (g < 0 || g >= groups) continue;
        const place column = g * COLUMNS;
        const int left = (int)(m.n_columns - column < COLUMNS ? m.n_columns - column : COLUMNS);
#if KEEP
        const int later = (int)(-(column + index / 2) & (KEPT_STEPS - 1));  // columns until a word is kept
        const word before_that = link;
        const auto keep = [&](int c, const Rows &rows, word out) {
            if (c != later) return;
            const place time = (column + c + index / 2) / KEPT_STEPS;
            if (time >= m.kept_times || index >= m.kept_stride) return;
            word *to = m.kept_words + time * STATE * m.kept_stride + index;
            to[0] = rows.v[0];
            to[m.kept_stride] = rows.vn[0];
            to[2 * m.kept_stride] = rows.d0[0];
            to[3 * m.kept_stride] = rows.o2[0];
            to[4 * m.kept_stride] = rows.eq[0];
            to[5 * m.kept_stride] = (c ? out : before_that) & SIGNAL_BITS;
        };
#else
        const auto keep = [](int, const Rows &, word) {};
#endif
        link = group_step(mine, now, left, m.allow, in, s, keep);
        if (lane == LANES - 1) put(m.border + g, link);
#if KEEP
        if ((index + 1) % m.kept_every == 0) m.kept_rows[(index + 1) / m.kept_every * groups + g] = link;
#endif
    }
    state[0] = s.v[0];
    state[LANES] = s.vn[0];
    state[2 * LANES] = s.d0[0];
    state[3 * LANES] = s.o2[0];
    state[4 * LANES] = s.eq[0];
    state[5 * LANES] = link;
}

// Many pairs at once: LCS, edit distance, edit distance with swaps; a pair in some or all lanes of a warp.
//
// Source: Kim, Na and Sim give each pair a block of threads, a thread a row, and keeps the whole table. Here a
// thread has 32 or 128 rows as bits (pair_columns.cuh), a pair ``span`` threads, and nothing is kept. Rows that the lanes
// of a warp do not hold at once are done strip after strip; what a strip hands down waits in ``borders``.

// By value. Slots are records of rows in the order of their lengths.
struct Batch {
    const uint4 *planes;       // 8 bit planes of every 32 letters of the rows' records
    const place *row_starts;   // [record] where its letters begin, and where the last ones end
    const place *row_words;    // [record] its first 32 letters
    const word *letters;       // of the columns' records, four at a time
    const place *col_starts;
    const place *col_groups;   // [record] its first four letters
    const int *row_of;         // [slot] record of the rows
    const int *col_of;         // pair by pair: [slot] record of the columns; each with each: in their order
    int *out;
    word *borders;             // [warp of the launch][group]
    place border_stride;
    place last;                // units of this launch end here; a unit is what a warp does
    place out_row, out_col;    // steps in ``out`` from one record to the next
    int first_slot, end_slot;  // of this class of lengths
    int groups;                // each with each: warps for all slots; unit = place in col_of * groups + warp
    int span;                  // lanes of a pair, a power of 2
    int each;                  // 1: each with each, else pair by pair
    int own;                   // 1: of one file; a pair is computed where the rows' slot is below the columns'
};

extern "C" __global__ void __launch_bounds__(LANES) pairs(const Batch b) {
    SHARED_POOL
    const int lane = threadIdx.x, me = lane & (b.span - 1);
    const place unit = b.last - 1 - blockIdx.x;  // the longest first
    byte *mine = (byte *)shared_pool + lane * WORDS * 4;
    const place in_order = b.each ? unit / b.groups : 0;
    const place warp = b.each ? unit - in_order * b.groups : unit;
    const place slot = b.first_slot + warp * (LANES / b.span) + lane / b.span;
    const bool there = slot < b.end_slot && !(b.own && slot >= in_order);
    if (!__any_sync(FULL_WARP, there)) return;
    const place row = there ? b.row_of[slot] : 0, column = there ? b.col_of[b.each ? in_order : slot] : 0;
    const place n_rows = there ? b.row_starts[row + 1] - b.row_starts[row] : 0;
    const place n_columns = there ? b.col_starts[column + 1] - b.col_starts[column] : 0;
    const int groups = (int)((n_columns + COLUMNS - 1) / COLUMNS), strip_rows = b.span * WORDS * 32;
    const word *letters = b.letters + (there ? b.col_groups[column] : 0);
    word *border = b.borders + blockIdx.x * b.border_stride;
    int steps = groups + b.span - 1;
    UNROLL for (int d = LANES / 2; d; d /= 2) {
        const int other = (int)__shfl_xor_sync(FULL_WARP, (word)steps, d);
        steps = steps > other ? steps : other;
    }
    // Only a pair that has all lanes has more than one strip.
    const int strips = b.span < LANES ? 1 : (int)((n_rows + strip_rows - 1) / strip_rows);
    int count = METHOD == LCS || me ? 0 : (int)n_columns;  // along the top, then down the right
    const auto nothing = [](int, const Rows &, word) {};
    for (int strip = 0; strip < strips; ++strip) {
        const place top = (place)strip * strip_rows + me * WORDS * 32;
        const place n_words = (n_rows - top + 31) / 32;
        __syncwarp();
        build_table(b.planes + 2 * (n_words > 0 ? b.row_words[row] + top / 32 : 0), n_words, mine);
        Rows s;
        begin(s);
        word link = 0, held = 0, four = me == 0 && groups ? letters[0] : 0;
        __syncwarp();
        for (int t = 0; t < steps; ++t) {
            const int g = t - me;
            const word now = four;
            four = g + 1 >= 0 && g + 1 < groups ? letters[g + 1] : 0;
            word in = __shfl_up_sync(FULL_WARP, link, 1);
            word above = NOTHING_ABOVE;
            if (strip) {
                // Lane 31 writes behind what is read here: 31 groups behind the first of these.
                if (t % LANES == 0) held = t + lane < groups ? look(border + t + lane) : 0;
                above = __shfl_sync(FULL_WARP, held, t % LANES);
            }
            if (me == 0) in = above;
            if (g >= 0 && g < groups) {
                link = group_step(mine, now, (int)(n_columns - (place)g * COLUMNS), FULL_WARP, in, s, nothing);
                if (strip + 1 < strips && lane == LANES - 1) put(border + g, link);
            }
        }
        count += count_rows(s, top, n_rows);
    }
    UNROLL for (int d = LANES / 2; d; d /= 2) {
        const int other = (int)__shfl_xor_sync(FULL_WARP, (word)count, d);
        if (d < b.span) count += other;
    }
    if (!there || me) return;
    b.out[row * b.out_row + column * b.out_col] = count;
    if (b.own) b.out[row * b.out_col + column * b.out_row] = count;
}

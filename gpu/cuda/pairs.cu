// Many pairs at once: LCS, edit distance, edit distance with swaps; a pair in some or all lanes of a warp.
//
// Source: Kim, Na and Sim give each pair a block of threads, a thread a row, and keeps the whole table. Here a
// thread has 32 or 128 rows as bits (pair_columns.cuh), a pair ``span`` threads, and nothing is kept. Rows that the lanes
// of a warp do not hold at once are strips, a warp each, all at work at a time; what one hands down comes by ``borders``.
#define HANDED_BITS 20  // that a group of columns hands down, at most; above them is the strip that it is for

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
    word *borders;             // [unit of the launch][group], zeros; before them how many warps have begun
    place border_stride;
    place last;                // units of this launch end here; a unit is what one warp does, or a warp for each strip
    place out_row, out_col;    // steps in ``out`` from one record to the next
    int first_slot, end_slot;  // of this class of lengths
    int groups;                // each with each: warps for all slots; unit = place in col_of * groups + warp
    int span;                  // lanes of a pair, a power of 2
    int strips;                // of a pair that has all lanes; else 1
    int each;                  // 1: each with each, else pair by pair
    int own;                   // 1: of one file; a pair is computed where the rows' slot is below the columns'
};

// Wait for what the strip above hands to ``strip`` in a group of columns.
INLINE word handed(const word *border, word strip) {
    word found = look(border);
    while (found >> HANDED_BITS != strip) found = look(border);
    return found;
}

extern "C" __global__ void __launch_bounds__(LANES) pairs(const Batch b) {
    SHARED_POOL
    const int lane = threadIdx.x, me = lane & (b.span - 1);
    // Strips are taken in turn, so that whoever waits for the strip above waits for one that has begun.
    int turn = blockIdx.x;
    if (b.strips > 1) turn = __shfl_sync(FULL_WARP, lane ? 0 : (int)atomicAdd(b.borders, 1u), 0);
    const int number = turn / b.strips, strip = turn - number * b.strips;
    const place unit = b.last - 1 - number;  // the longest first
    byte *mine = (byte *)shared_pool + lane * WORDS * 4;
    const place in_order = b.each ? unit / b.groups : 0;
    const place warp = b.each ? unit - in_order * b.groups : unit;
    const place slot = b.first_slot + warp * (LANES / b.span) + lane / b.span;
    const bool there = slot < b.end_slot && !(b.own && slot >= in_order);
    if (!__any_sync(FULL_WARP, there)) return;
    const place row = there ? b.row_of[slot] : 0, column = there ? b.col_of[b.each ? in_order : slot] : 0;
    const place n_rows = there ? b.row_starts[row + 1] - b.row_starts[row] : 0;
    const place n_columns = there ? b.col_starts[column + 1] - b.col_starts[column] : 0;
    const int groups = (int)((n_columns + COLUMNS - 1) / COLUMNS);
    const word *letters = b.letters + (there ? b.col_groups[column] : 0);
    word *border = b.borders + 1 + number * b.border_stride;
    int steps = groups + b.span - 1;
    UNROLL for (int d = LANES / 2; d; d /= 2) {
        const int other = (int)__shfl_xor_sync(FULL_WARP, (word)steps, d);
        steps = steps > other ? steps : other;
    }
    const place top = ((place)strip * b.span + me) * WORDS * 32, n_words = (n_rows - top + 31) / 32;
    build_table(b.planes + 2 * (n_words > 0 ? b.row_words[row] + top / 32 : 0), n_words, mine);
    Rows s;
    begin(s);
    word link = 0, held = 0, four = me == 0 && groups ? letters[0] : 0;
    const auto nothing = [](int, const Rows &, word) {};
    __syncwarp();
    for (int t = 0; t < steps; ++t) {
        const int g = t - me;
        const word now = four;
        four = g + 1 >= 0 && g + 1 < groups ? letters[g + 1] : 0;
        word in = __shfl_up_sync(FULL_WARP, link, 1);
        word above = NOTHING_ABOVE;
        if (strip) {
            // Lane 31 writes where this strip has read: 31 groups behind the first of these.
            if (t % LANES == 0) held = t + lane < groups ? handed(border + t + lane, strip) : 0;
            above = __shfl_sync(FULL_WARP, held, t % LANES);
        }
        if (me == 0) in = above;
        if (g >= 0 && g < groups) {
            link = group_step(mine, now, (int)(n_columns - (place)g * COLUMNS), FULL_WARP, in, s, nothing);
            if (strip + 1 < b.strips && lane == LANES - 1)
                put(border + g, (word)(strip + 1) << HANDED_BITS | link);
        }
    }
    int count = METHOD == LCS || me || strip ? 0 : (int)n_columns;  // along the top, then down the right
    count += count_rows(s, top, n_rows);
    UNROLL for (int d = LANES / 2; d; d /= 2) {
        const int other = (int)__shfl_xor_sync(FULL_WARP, (word)count, d);
        if (d < b.span) count += other;
    }
    if (!there || me) return;
    int *one = b.out + row * b.out_row + column * b.out_col, *other = b.out + row * b.out_col + column * b.out_row;
    if (b.strips > 1) {
        atomicAdd(one, count);
        if (b.own) atomicAdd(other, count);
        return;
    }
    *one = count;
    if (b.own) *other = count;
}

// Tiles that were kept coarsely, once more with the borders of finer ones; see staggered.cuh, whose steps these are.
//
// Block: one warp, a coarse tile of 1024 * WORDS rows, ``tiles`` of them a row from tile ``starts[row]`` on, from row
// ``first_row`` of coarse tiles on. ``fine``: its tables begin at the first row, its columns are all there are, its strides
// are of a tile; kept_h has a row before the others, what enters the tile.
// ``rows``: [strip][tile][SIGNS][WORDS of a strip] before each coarse tile, of the strips from that of ``first_row`` on and of
// ``wide`` tiles from ``first_tile`` on. ``handed``: as kept_h of the coarse matrix, of which ``width`` and ``stride``.
extern "C" __global__ void refine(const Matrix fine, const word *rows, const byte *handed, place stride, int width,
                                  const int *starts, int tiles, int first_row, int tile_rows, int first_tile, int wide,
                                  int groups, int columns) {
    SHARED_POOL
    const int lane = threadIdx.x & 31, in_window = blockIdx.x / tiles, row = first_row + in_window;
    const int tile = starts[in_window] + blockIdx.x % tiles;
    const int strip = row / tile_rows, in_strip = row % tile_rows, words = tile_rows * 32 * WORDS;
    Lane s;
    const byte *table = load_table(fine, in_window, 0, lane, (word *)shared_pool, s);
    s.link = 0;
    const word *v = rows + ((place)(strip - first_row / tile_rows) * wide + tile - first_tile) * SIGNS * words
        + (in_strip * 32 + lane) * WORDS;
    UNROLL for (int w = 0; w < WORDS; ++w) s.v[w] = v[w];
#if METHOD == EDIT
    UNROLL for (int w = 0; w < WORDS; ++w) s.vn[w] = v[words + w];
#endif
    Place p;
    p.lane = lane; p.columns = columns; p.first = p.lo = (place)tile * groups; p.mail = fine.mail; p.tag = 0;
    const int left = (columns + COLUMNS - 1) / COLUMNS - (int)p.first;
    p.groups = left < groups ? left : groups;
    byte *enters = fine.kept_h + blockIdx.x * fine.kept_h_stride;
    find_place(fine, fine.kept_v + blockIdx.x * fine.kept_v_stride, enters + SIGNS * groups, p);
    // What the tile above handed down, if there is one.
    const int above = strip - (in_strip == 0);
    const byte *top = handed + above * stride + ((place)((in_strip + tile_rows - 1) % tile_rows) * width + p.first) * SIGNS;
    const int full = columns / COLUMNS - (int)p.first;  // groups that are
    bool ready = false;
    Ahead ahead;
    ROLLED for (int t = 0; t < p.groups + LAST_LANE; ++t) {
        word packet = NOTHING_ABOVE;
        if (above >= 0 && t < p.groups) packet = link_at(top, t);
        else if (fine.entering && t < p.groups) packet = fine.entering[p.first + t];
        if (lane == 0 && t < p.groups) put_link(enters, t, packet);
        if (t >= SPAN && t < p.groups && t < full) {
            if (!ready) look_ahead(fine, p, table, t, ahead);
            ready = true;
            inner_step(fine, p, table, t, packet, ahead, s);
        } else {
            if (ready) hand_on_after(fine, p, t - 1, s);
            ready = false;
            edge_step(fine, p, table, t, packet, s);
        }
    }
}

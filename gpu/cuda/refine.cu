// Tiles that were kept coarsely, once more with the borders of finer ones; see staggered.cuh, whose steps these are.
//
// Block: one warp, a coarse tile of 1024 * WORDS rows. ``fine``: its tables and columns are those of the window alone, its
// strides are of a tile. ``rows``: [strip][tile][SIGNS][WORDS of a strip] before each coarse tile. ``handed``: as kept_h of
// the coarse matrix, of which ``width`` and ``stride``.
extern "C" __global__ void refine(const Matrix fine, const word *rows, const byte *handed, place stride, int width,
                                  int first_strip, place first_group, int tile_rows, int tiles, int groups, int columns) {
    SHARED_POOL
    const int lane = threadIdx.x & 31, tile = blockIdx.x % tiles, row = blockIdx.x / tiles;
    const int strip = row / tile_rows, in_strip = row % tile_rows, words = tile_rows * 32 * WORDS;
    Lane s;
    const byte *table = load_table(fine, row, 0, lane, (word *)shared_pool, s);
    s.link = 0;
    const word *v = rows + ((place)strip * tiles + tile) * SIGNS * words + (in_strip * 32 + lane) * WORDS;
    UNROLL for (int w = 0; w < WORDS; ++w) s.v[w] = v[w];
#if METHOD == EDIT
    UNROLL for (int w = 0; w < WORDS; ++w) s.vn[w] = v[words + w];
#endif
    Place p;
    p.lane = lane; p.columns = columns; p.first = p.lo = (place)tile * groups; p.mail = fine.mail; p.tag = 0;
    const int left = (columns + COLUMNS - 1) / COLUMNS - (int)p.first;
    p.groups = left < groups ? left : groups;
    p.kept_v = fine.kept_v + blockIdx.x * fine.kept_v_stride;
    p.kept_h = fine.kept_h + blockIdx.x * fine.kept_h_stride + kept_of_lane(fine, lane);
    // What the tile above handed down, if there is one.
    const int above = first_strip + strip - (in_strip == 0);
    const byte *top = handed + above * stride + (place)((in_strip + tile_rows - 1) % tile_rows) * SIGNS * width
        + first_group + p.first;
    ROLLED for (int t = 0; t < p.groups + LAST_LANE; ++t) {
        word packet = NOTHING_ABOVE;
        if (above >= 0 && t < p.groups) packet = METHOD == EDIT ? (word)top[t] << 8 | top[width + t] : top[t];
        edge_step(fine, p, table, t, packet, s);
    }
}

// What strips kept before and below some tiles, brought together: ``tiles`` of each strip from that of ``starts`` on, the
// strips from ``first_strip`` on. Strides and widths as in ``Matrix`` of matrix.cuh.

// Block: the rows before a tile, ``words`` of them. out: [strip][tile][words].
extern "C" __global__ void rows_before(const word *kept_v, place stride, int words, int first_strip, const int *starts,
                                       int tiles, word *out) {
    const int strip = blockIdx.x / tiles, tile = starts[strip] + blockIdx.x % tiles;
    const word *from = kept_v + (first_strip + strip) * stride + (place)tile * words;
    word *to = out + (place)blockIdx.x * words;
    for (int w = threadIdx.x; w < words; w += blockDim.x) to[w] = from[w];
}

// Block: what a row of tiles hands down, and before the first one what enters it; above the first strip that is
// ``entering`` (see ``Matrix``) or, where that is null, ``nothing``, a byte a sign. ``rows``: of tiles in a strip.
// ``groups``: of a tile. out: [strip][1 + rows][group][sign].
extern "C" __global__ void handed_down(const byte *kept_h, place stride, int width, int rows, int signs, int nothing,
                                       const word *entering, int groups, int first_strip, const int *starts, int tiles,
                                       byte *out) {
    const int in_window = blockIdx.x / (rows + 1), row = blockIdx.x % (rows + 1) - 1;
    const int strip = first_strip + in_window - (row < 0), first = starts[in_window] * groups * signs, n = tiles * groups * signs;
    const byte *from = kept_h + strip * stride + (place)(row < 0 ? rows - 1 : row) * width * signs;
    byte *to = out + (place)blockIdx.x * n;
    for (int x = threadIdx.x; x < n; x += blockDim.x)
        if (strip < 0 && !entering) to[x] = (byte)(nothing >> 8 * (x % signs));
        else if (first + x >= width * signs) to[x] = 0;
        else to[x] = strip < 0 ? (byte)(entering[(first + x) / signs] >> 8 * (x % signs)) : from[first + x];
}

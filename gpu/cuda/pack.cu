// Dense codes -> what the strips read: match words of the rows, offsets of the columns into them.
//
// ``low`` and ``high`` give the table rows of each code, NO_ROW for a letter that the other sequence lacks. With one
// table ``high`` is not used. Rows past the end match nothing.
#define NO_ROW 0xff

// The timer, for ``PlaceTimes::since``.
extern "C" __global__ void read_timer(wide_word *out) { *out = timer(); }

// Thread: one word of 32 rows, for every row of its strip's table. Layout as ``Matrix::tables`` of strips.cu.
extern "C" __global__ void pack_rows(const byte *codes, place n_rows, const byte *low, const byte *high, int table_rows,
                                     int words, place n_words, word *tables) {
    const place at = (place)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= n_words) return;
    const place strip = at / (32 * words);
    const int in_strip = (int)(at % (32 * words)), lane = in_strip / words, w = in_strip % words;
    byte low_row[32], high_row[32];
    for (int i = 0; i < 32; ++i) {
        const place row = at * 32 + i;
        low_row[i] = row < n_rows ? low[codes[row]] : NO_ROW;
        high_row[i] = row < n_rows ? high[codes[row]] : NO_ROW;
    }
    word *table = tables + strip * table_rows * 32 * words;
    const int four = words < 4 ? words : 4;
    for (int r = 0; r < table_rows; ++r) {
        word bits = 0;
        for (int i = 0; i < 32; ++i) bits |= (word)(low_row[i] == r || high_row[i] == r) << i;
        table[(r * (words / four) + w / four) * 32 * four + lane * four + w % four] = bits;
    }
}

// Thread: one column, those past the end included. ``unit``: bytes of a table row.
extern "C" __global__ void pack_columns(const byte *codes, place n_columns, const byte *low, const byte *high, int null_row,
                                        int two_tables, int unit, place n_out, half_word *out) {
    const place j = (place)blockIdx.x * blockDim.x + threadIdx.x;
    if (j >= n_out) return;
    const int l = j < n_columns ? low[codes[j]] : NO_ROW, h = j < n_columns ? high[codes[j]] : NO_ROW;
    out[j << two_tables] = (half_word)((l == NO_ROW ? null_row : l) * unit);
    if (two_tables) out[2 * j + 1] = (half_word)((h == NO_ROW ? null_row : h) * unit);
}

// Block: adds up the bits of ``sign`` that belong to rows of the matrix. ``v`` as ``Matrix::v`` of strips.cu.
extern "C" __global__ void count_rows(const word *v, place n_rows, int words, int signs, int sign, place n_words,
                                      unsigned long long *total) {
    place count = 0;
    for (place at = (place)blockIdx.x * blockDim.x + threadIdx.x; at < n_words; at += (place)gridDim.x * blockDim.x) {
        const place strip = at / (32 * words), in_strip = at % (32 * words);
        const place left = n_rows - at * 32;
        if (left <= 0) break;
        const word mask = left >= 32 ? FULL_WARP : (1u << left) - 1;
        count += __popc(v[(strip * signs + sign) * 32 * words + in_strip] & mask);
    }
    if (count) atomicAdd(total, (unsigned long long)count);
}

// What row ``at`` of ``v`` (as above) adds to what the rows before it cost: an LCS longer by one, an edit more or less.
INLINE int cost_of_row(const word *v, place at, int words, int signs) {
    const word *there = v + at / (1024 * words) * signs * 32 * words + at % (1024 * words) / 32;
    const int bit = (int)(there[0] >> (at % 32) & 1);
    return signs == 1 ? 1 - bit : bit - (int)(there[32 * words] >> (at % 32) & 1);
}

// A left half, and the right half from its end, both of ``n_rows``. Thread: 32 rows of the left one, and how the sum of
// both halves changes when these are taken from the right one. out: what they cost, the change, and the largest (LCS) or
// least change after any of them, a byte each.
extern "C" __global__ void meet_rows(const word *left, const word *right, place n_rows, int words, int signs, word *out) {
    const place at = (place)blockIdx.x * blockDim.x + threadIdx.x;
    if (at * 32 >= n_rows) return;
    int cost = 0, change = 0, best = signs == 1 ? -128 : 127;
    for (place row = at * 32; row < n_rows && row < at * 32 + 32; ++row) {
        const int down = cost_of_row(left, row, words, signs);
        cost += down;
        change += down - cost_of_row(right, n_rows - 1 - row, words, signs);
        if (signs == 1 ? change > best : change < best) best = change;
    }
    out[at] = (word)(byte)cost | (word)(byte)change << 8 | (word)(byte)best << 16;
}

// For sliced.cuh. Thread: one row of all stripes of a lane. ``plane_code``: bits of the planes of each code.
extern "C" __global__ void slice_rows(const byte *codes, place n_rows, const byte *plane_code, int planes, int words,
                                      place n_words, word *tables) {
    const place at = (place)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= n_words) return;
    const place strip = at / (32 * words), r = at / 32 % words, lane = at % 32;
    byte bits[32];
    for (int b = 0; b < 32; ++b) {
        const place row = (strip * 1024 + lane * 32 + b) * words + r;
        bits[b] = row < n_rows ? plane_code[codes[row]] : 0;
    }
    for (int k = 0; k < planes; ++k) {
        word plane = 0;
        for (int b = 0; b < 32; ++b) plane |= (word)(bits[b] >> k & 1) << b;
        tables[(strip * planes + k) * 32 * words + r * 32 + lane] = plane;
    }
}

// Thread: 32 columns, those past the end included.
extern "C" __global__ void slice_columns(const byte *codes, place n_columns, const byte *plane_code, int planes,
                                         place n_out, word *out) {
    const place at = (place)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= n_out) return;
    for (int k = 0; k < planes; ++k) {
        word plane = 0;
        for (place j = at * 32; j < at * 32 + 32; ++j)
            plane = plane << 1 | (j < n_columns ? plane_code[codes[j]] >> k & 1 : 0);
        out[at * planes + k] = plane;
    }
}

// Rows of sliced.cuh in their order. Thread: the rows of a lane, of one sign.
extern "C" __global__ void unslice(const word *sliced, int words, place n_lanes, word *v) {
    const place at = (place)blockIdx.x * blockDim.x + threadIdx.x;
    if (at >= n_lanes) return;
    const word *from = sliced + at / 32 * 32 * words + at % 32;
    word *to = v + at * words;
    for (int i = 0; i < words; ++i) {
        word rows = 0;
        for (int k = 0; k < 32; ++k) {
            const int row = i * 32 + k;
            rows |= (from[row % words * 32] >> (row / words) & 1) << k;
        }
        to[i] = rows;
    }
}

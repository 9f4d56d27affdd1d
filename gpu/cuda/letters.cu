// Letters of many records -> what pairs.cu and swaps.cu read. Block: records blockIdx.x, blockIdx.x + gridDim.x...
//   starts  [record] where its letters begin, and where the last ones end
//   groups  [record] its first group of four letters; each record begins with a group of its own

// ``fold``: what each of the 256 letters counts as.
extern "C" __global__ void pad_letters(const byte *letters, const place *starts, const place *groups, int n_records,
                                       const byte *fold, word *out) {
    for (int r = blockIdx.x; r < n_records; r += gridDim.x) {
        const byte *from = letters + starts[r];
        const place size = starts[r + 1] - starts[r];
        for (place g = threadIdx.x; 4 * g < size; g += blockDim.x) {
            word four = 0;
            UNROLL for (int k = 0; k < 4; ++k)
                if (4 * g + k < size) four |= (word)fold[from[4 * g + k]] << (8 * k);
            out[groups[r] + g] = four;
        }
    }
}

// Bit p of four letters, as four bits.
INLINE word plane_bits(word letters, int p) { return ((letters >> p) & 0x01010101u) * 0x01020408u >> 24 & 15u; }

// The 8 bit planes of every 32 letters. ``words`` [record]: its first; rows past its last letter are zeros.
extern "C" __global__ void row_planes(const word *letters, const place *starts, const place *groups, const place *words,
                                      int n_records, uint4 *planes) {
    for (int r = blockIdx.x; r < n_records; r += gridDim.x) {
        const place n_groups = (starts[r + 1] - starts[r] + 3) / 4;
        const word *from = letters + groups[r];
        for (place w = threadIdx.x; 8 * w < n_groups; w += blockDim.x) {
            word p[8] = {};
            UNROLL for (int k = 0; k < 8; ++k) {
                const word four = 8 * w + k < n_groups ? from[8 * w + k] : 0;
                UNROLL for (int i = 0; i < 8; ++i) p[i] |= plane_bits(four, i) << (4 * k);
            }
            planes[2 * (words[r] + w)] = uint4{p[0], p[1], p[2], p[3]};
            planes[2 * (words[r] + w) + 1] = uint4{p[4], p[5], p[6], p[7]};
        }
    }
}

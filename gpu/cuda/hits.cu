// Hits of a search as numbers, in order -> the columns of wavediff.core.jobs.hits.Hits, one after the other, the widest
// first.   keys     start << start_bit | length << length_bit | who << who_bit | cost
//   base     where places begin to be counted
//   pattern, strand  [who] of wavediff.core.sequences.matching.PatternSet
extern "C" __global__ void unpack_hits(const wide_word *keys, int n, int start_bit, int length_bit, int who_bit,
                                       place base, const int *pattern, const signed char *strand, byte *columns) {
    place *starts = (place *)columns;
    int *patterns = (int *)(starts + n), *lengths = patterns + n;
    signed char *strands = (signed char *)(lengths + n), *costs = strands + n;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        const wide_word key = keys[i];
        const word who = (word)(key >> who_bit) & ((1u << (length_bit - who_bit)) - 1);
        starts[i] = base + (place)(key >> start_bit);
        patterns[i] = pattern[who];
        lengths[i] = (int)((word)(key >> length_bit) & ((1u << (start_bit - length_bit)) - 1));
        strands[i] = strand[who];
        costs[i] = (signed char)((word)key & ((1u << who_bit) - 1));
    }
}

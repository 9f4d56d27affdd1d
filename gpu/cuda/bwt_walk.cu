// From the last column back to the text, by many chains at a time.
//
// Row r leads to row link[r] one letter earlier, the primary one to row 0. Chains begin at one row in ``spacing``, chosen
// by a hash so that texts that repeat have no long chains, and at row 0; each is followed to the start of another or to
// the primary row. How far each is from there follows by pointer jumping (Wyllie), and then all spell their letters.
#define WARPS 8
#define STRETCH 512  // letters of a warp
#define TILE (WARPS * STRETCH)
#define AT_WORK -2
#define AT_END -1

// counts[code * n_tiles + tile]
extern "C" __global__ void __launch_bounds__(256) count_tiles(Span span, const byte *last, place n, const byte *codes,
                                                              int n_codes, place n_tiles, word *counts) {
    __shared__ word own[WARPS][256];
    for (place tile = span.first / blockDim.x + blockIdx.x; tile < span.end / blockDim.x; tile += gridDim.x) {
        for (int i = threadIdx.x; i < WARPS * 256; i += blockDim.x) own[i / 256][i % 256] = 0;
        __syncthreads();
        const place end = (tile + 1) * TILE < n ? (tile + 1) * TILE : n;
        for (place i = tile * TILE + threadIdx.x; i < end; i += blockDim.x)
            atomicAdd(&own[threadIdx.x / 32][codes[last[i]]], 1u);
        __syncthreads();
        if ((int)threadIdx.x < n_codes) {
            word sum = 0;
            UNROLL for (int warp = 0; warp < WARPS; ++warp) sum += own[warp][threadIdx.x];
            counts[threadIdx.x * n_tiles + tile] = sum;
        }
        __syncthreads();
    }
}

// link[row] of every row but the primary one. ``sums`` are those of ``counts`` up to and with each.
extern "C" __global__ void __launch_bounds__(256) link_rows(Span span, const byte *last, place n, place primary,
                                                            const byte *codes, int n_codes, place n_tiles,
                                                            const word *counts, const word *sums, word *link) {
    __shared__ word next[WARPS][256];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const word below = ((word)1 << lane) - 1;
    for (place tile = span.first / blockDim.x + blockIdx.x; tile < span.end / blockDim.x; tile += gridDim.x) {
        for (int i = threadIdx.x; i < WARPS * 256; i += blockDim.x) next[i / 256][i % 256] = 0;
        __syncthreads();
        const place begin = tile * TILE + warp * STRETCH;
        for (int step = 0; step < STRETCH; step += 32) {
            const place i = begin + step + lane;
            if (i < n) atomicAdd(&next[warp][codes[last[i]]], 1u);
        }
        __syncthreads();
        if ((int)threadIdx.x < n_codes) {
            const place at = threadIdx.x * n_tiles + tile;
            word sum = 1 + sums[at] - counts[at];
            UNROLL for (int w = 0; w < WARPS; ++w) {
                const word mine = next[w][threadIdx.x];
                next[w][threadIdx.x] = sum;
                sum += mine;
            }
        }
        __syncthreads();
        for (int step = 0; step < STRETCH; step += 32) {
            const place i = begin + step + lane;
            const int code = i < n ? codes[last[i]] : 256;
            const word alike = __match_any_sync(FULL_WARP, code);
            const word to = i < n ? next[warp][code] : 0;
            __syncwarp();
            if (i < n) {
                if ((alike & below) == 0) next[warp][code] = to + __popc(alike);
                link[i + (i >= primary)] = to + __popc(alike & below);
            }
            __syncwarp();
        }
        __syncthreads();
    }
}

INLINE place start_of(place chain, place n_chains, place spacing) {
    if (chain == n_chains) return 0;
    word hash = (word)chain * 0x9e3779b1u;
    hash = (hash ^ hash >> 15) * 0x85ebca6bu;
    return chain * spacing + (place)((hash ^ hash >> 13) % (word)spacing);
}

// Follow every chain for at most ``steps`` rows. ``rows`` and ``lengths`` hold how far they are, ``next`` where they lead.
//   open  chains that are not through
extern "C" __global__ void measure_chains(Span span, const word *link, place primary, place n_chains, place spacing,
                                          int steps, int begin, word *rows, word *lengths, int *next, word *open) {
    EACH(chain, span) {
        if (!begin && next[chain] != AT_WORK) continue;
        place row = begin ? start_of(chain, n_chains, spacing) : (place)rows[chain];
        word length = begin ? 0 : lengths[chain];
        int leads = row == primary ? AT_END : AT_WORK;
        for (int step = 0; step < steps && leads == AT_WORK; ++step) {
            row = link[row];
            ++length;
            const place other = row / spacing;
            if (row == primary) leads = AT_END;
            else if (other < n_chains && start_of(other, n_chains, spacing) == row) leads = (int)other;
        }
        rows[chain] = (word)row;
        lengths[chain] = length;
        next[chain] = leads;
        if (leads == AT_WORK) atomicAdd(open, 1u);
    }
}

// ends[chain]: letters from its start to the end, of twice as many chains as before. open: those that are not there yet.
extern "C" __global__ void join_chains(Span span, const int *next, const word *ends, int *next_out, word *ends_out,
                                       word *open) {
    EACH(chain, span) {
        const int leads = next[chain];
        const int then = leads >= 0 ? next[leads] : leads;
        ends_out[chain] = ends[chain] + (leads >= 0 ? ends[leads] : 0);
        next_out[chain] = then;
        if (then >= 0) atomicAdd(open, 1u);
    }
}

INLINE void put_letters(byte *at, word letters, int n) {
    for (int k = 0; k < n; ++k) at[k] = (byte)(letters >> 8 * k);
}

// Write the letters of every chain, at most ``steps`` of each; chain x ends at ends[x] - lengths[x].
//   first    first row of each code, and one past the last row
//   left     letters that are left
extern "C" __global__ void spell_chains(Span span, const word *link, const word *first, const byte *letters, int n_codes,
                                        place n_chains, place spacing, const word *lengths, const word *ends, int steps,
                                        int begin, word *rows, word *left, byte *text, word *open) {
    __shared__ word starts[257];
    __shared__ byte own[256];
    for (int i = threadIdx.x; i <= n_codes; i += blockDim.x) starts[i] = first[i];
    for (int i = threadIdx.x; i < n_codes; i += blockDim.x) own[i] = letters[i];
    __syncthreads();
    EACH(chain, span) {
        word todo = begin ? lengths[chain] : left[chain];
        if (todo == 0) {
            if (begin) left[chain] = 0;
            continue;
        }
        word row = begin ? (word)start_of(chain, n_chains, spacing) : rows[chain];
        place at = (place)ends[chain] - (lengths[chain] - todo);
        word held = 0;  // the letters from ``at`` on that are not written yet
        int n_held = 0;
        for (int step = 0; step < steps && todo; ++step, --todo) {
            row = link[row];
            int low = 0, high = n_codes - 1;
            while (low < high) {
                const int middle = (low + high + 1) / 2;
                if (starts[middle] <= row) low = middle;
                else high = middle - 1;
            }
            held = held << 8 | own[low];
            ++n_held;
            if (--at % 4) continue;
            if (n_held == 4) *(word *)(text + at) = held;
            else put_letters(text + at, held, n_held);
            n_held = 0;
        }
        put_letters(text + at, held, n_held);
        rows[chain] = row;
        left[chain] = todo;
        if (todo) atomicAdd(open, 1u);
    }
}

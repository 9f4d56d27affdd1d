// From the last column back to the text, by many chains at a time.
//
// Row r leads to row link[r] one letter earlier, the primary one to row 0. Chains begin at one row in ``spacing``, chosen
// by a hash so that texts that repeat have no long chains, the first at row 0; each is followed to the start of another or to
// the primary row, its letters put aside. How far each is from there follows by pointer jumping (Wyllie), and with it where
// the letters belong.
#define WARPS 8
#define STRETCH 512  // letters of a warp
#define TILE (WARPS * STRETCH)
#define AT_WORK -2
#define AT_END -1
#define CHUNK 128  // letters of a chain that are put aside side by side

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

// That of chain 0 is row 0.
INLINE place start_of(place chain, place spacing) {
    word hash = (word)chain * 0x9e3779b1u;
    hash = (hash ^ hash >> 15) * 0x85ebca6bu;
    return chain * spacing + (place)((hash ^ hash >> 13) % (word)spacing);
}

INLINE void put_letters(byte *at, word letters, int n) {
    for (int k = 0; k < n; ++k) at[k] = (byte)(letters >> 8 * k);
}

// Follow every chain for at most ``steps`` rows, and put the letters that it meets aside, from the end of a chunk to its
// begin. ``rows`` and ``lengths`` hold how far chains are, ``chunks`` which they fill, ``next`` where they lead.
//   first          first row of each code, and one past the last row
//   owners, before  of each chunk: whose it is, and how many letters of that chain are in others
//   taken, open    chunks that are in use; chains that are not through
extern "C" __global__ void walk_chains(Span span, const word *link, place primary, const word *first, const byte *letters,
                                       int n_codes, place n_chains, place spacing, int steps, int begin, word *rows,
                                       word *lengths, word *chunks, int *next, byte *aside, word *owners, word *before,
                                       word *taken, word *open) {
    __shared__ word starts[257];
    __shared__ byte own[256];
    for (int i = threadIdx.x; i <= n_codes; i += blockDim.x) starts[i] = first[i];
    for (int i = threadIdx.x; i < n_codes; i += blockDim.x) own[i] = letters[i];
    __syncthreads();
    EACH(chain, span) {
        if (!begin && next[chain] != AT_WORK) continue;
        place row = begin ? start_of(chain, spacing) : (place)rows[chain];
        word length = begin ? 0 : lengths[chain], chunk = begin ? 0 : chunks[chain];
        word held = 0;  // letters that are not written yet
        int n_held = 0, leads = row == primary ? AT_END : AT_WORK;
        byte *at = aside + (place)chunk * CHUNK + (CHUNK - 1 - (length + CHUNK - 1) % CHUNK);
        for (int step = 0; step < steps && leads == AT_WORK; ++step) {
            if (length % CHUNK == 0) {
                chunk = atomicAdd(taken, 1u);
                owners[chunk] = (word)chain;
                before[chunk] = length;
                at = aside + ((place)chunk + 1) * CHUNK;
            }
            row = link[row];
            ++length;
            int low = 0, high = n_codes - 1;
            while (low < high) {
                const int middle = (low + high + 1) / 2;
                if (starts[middle] <= row) low = middle;
                else high = middle - 1;
            }
            held = held << 8 | own[low];
            ++n_held;
            --at;
            if (length % 4 == 0) {
                if (n_held == 4) *(word *)at = held;
                else put_letters(at, held, n_held);
                n_held = 0;
            }
            const place other = row / spacing;
            if (row == primary) leads = AT_END;
            else if (other < n_chains && start_of(other, spacing) == row) leads = (int)other;
        }
        put_letters(at, held, n_held);
        rows[chain] = (word)row;
        lengths[chain] = length;
        chunks[chain] = chunk;
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

// Copy what was put aside to its places, a warp a chunk; chain x ends at ends[x] - lengths[x].
extern "C" __global__ void place_letters(Span span, const byte *aside, const word *owners, const word *before,
                                         const word *lengths, const word *ends, byte *text) {
    EACH(i, span) {
        const place chunk = i / 32;
        const word owner = owners[chunk], done = before[chunk];
        const word left = lengths[owner] - done;
        const place to = (place)ends[owner] - done - CHUNK;
        for (int k = (int)(i % 32); k < CHUNK; k += 32)
            if (k + left >= CHUNK) text[to + k] = aside[chunk * CHUNK + k];
    }
}

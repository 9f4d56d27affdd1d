// Stable radix sort by eight bits a pass, each of which reads and writes every key once (onesweep: Adinets and Merrill,
// 2022). Keys of 64 bits; VALUES: a word goes with each. WIDE: 2^30 keys or more.
#define WARPS 8
#define THREADS (WARPS * 32)
#define ITEMS 16
#define TILE (THREADS * ITEMS)
#define DIGITS 256
#define MOST_PASSES 8
#if WIDE
typedef wide_word state;
#define FLAGS 62
#else
typedef word state;
#define FLAGS 30
#endif
// What a tile has told of a digit: how many it has itself, or with all tiles before it.
#define OWN ((state)1 << FLAGS)
#define ALL ((state)2 << FLAGS)
#define COUNT (OWN - 1)

INLINE int digit_of(wide_word key, int shift, int bits) { return (int)(key >> shift & (((wide_word)1 << bits) - 1)); }

// Lanes whose digit is this one's. Eight ballots: a match of all lanes takes as long as there are different digits.
INLINE word lanes_alike(int digit) {
    word alike = FULL_WARP;
    UNROLL for (int bit = 0; bit < 8; ++bit) {
        const bool mine = digit >> bit & 1;
        const word set = __ballot_sync(FULL_WARP, mine);
        alike &= mine ? set : ~set;
    }
    return alike;
}

// Of all threads of a block: the sum of what the threads up to and with this one have. ``sums`` is shared.
INLINE word sum_up_to(word one, word *sums) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    UNROLL for (int by = 1; by < 32; by *= 2) {
        const word left = __shfl_up_sync(FULL_WARP, one, by);
        if (lane >= by) one += left;
    }
    if (lane == 31) sums[warp] = one;
    __syncthreads();
    for (int w = 0; w < warp; ++w) one += sums[w];
    __syncthreads();
    return one;
}

// counts[pass * 256 + digit], of passes over eight bits each, ``bits`` in all, from ``shift`` on.
extern "C" __global__ void __launch_bounds__(THREADS) count_digits(Span span, const wide_word *keys, int shift, int bits,
                                                             word *counts) {
    __shared__ word own[MOST_PASSES * DIGITS];
    for (int i = threadIdx.x; i < MOST_PASSES * DIGITS; i += THREADS) own[i] = 0;
    __syncthreads();
    for (place base = span.first + (place)blockIdx.x * THREADS; base < span.end; base += (place)gridDim.x * THREADS) {
        const place i = base + threadIdx.x;
        const wide_word key = i < span.end ? keys[i] : 0;
        for (int pass = 0; pass * 8 < bits; ++pass) {
            const int left = bits - pass * 8;
            const int digit = i < span.end ? digit_of(key, shift + pass * 8, left < 8 ? left : 8) : -1;
            // A warp whose keys are alike here, as the highest digits often are, adds once.
            const bool differ = __any_sync(FULL_WARP, digit != __shfl_sync(FULL_WARP, digit, 0));
            if (differ ? digit >= 0 : digit >= 0 && threadIdx.x % 32 == 0)
                atomicAdd(&own[pass * DIGITS + digit], differ ? 1u : 32u);
        }
    }
    __syncthreads();
    for (int pass = 0; pass * 8 < bits; ++pass) {
        const word sum = own[pass * DIGITS + threadIdx.x];
        if (sum) atomicAdd(&counts[pass * DIGITS + threadIdx.x], sum);
    }
}

// One pass. A tile of keys is taken in turn, so that whoever waits for the tiles before it waits for some that began.
//   totals  how many there are of each digit
//   states  [tile][digit], zero at first; turn: zero at first
//   values  may be null: then they are the places of the keys
extern "C" __global__ void __launch_bounds__(THREADS, VALUES ? 3 : 4) sort_digit(const wide_word *keys, wide_word *keys_out,
                                                           const word *values, word *values_out, place n, int shift,
                                                           int bits, const word *totals, state *states, word *turn) {
    __shared__ wide_word staged[TILE];
    __shared__ word counts[WARPS][DIGITS], local[DIGITS], base[DIGITS], sums[WARPS], taken;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, mine = threadIdx.x;
    if (mine == 0) taken = atomicAdd(turn, 1u);
    for (int i = mine; i < WARPS * DIGITS; i += THREADS) counts[i / DIGITS][i % DIGITS] = 0;
    __syncthreads();
    const place tile = taken, first = tile * TILE + warp * (32 * ITEMS) + lane;
    const int count = (int)(n - tile * TILE < TILE ? n - tile * TILE : TILE);
    const word below = ((word)1 << lane) - 1;
    wide_word key[ITEMS];
    word to[ITEMS];
    UNROLL for (int i = 0; i < ITEMS; ++i) {
        const place at = first + i * 32;
        key[i] = at < n ? keys[at] : ~(wide_word)0;  // past the end: after all others of the tile
    }
    UNROLL for (int i = 0; i < ITEMS; ++i) {
        const int digit = digit_of(key[i], shift, bits);
        const word alike = lanes_alike(digit);
        const word before = counts[warp][digit];
        __syncwarp();
        if ((alike & below) == 0) counts[warp][digit] = before + __popc(alike);
        __syncwarp();
        to[i] = before + __popc(alike & below);
    }
    __syncthreads();
    // From here on each thread has a digit.
    word total = 0;
    UNROLL for (int w = 0; w < WARPS; ++w) {
        const word one = counts[w][mine];
        counts[w][mine] = total;
        total += one;
    }
    volatile state *told = states + tile * DIGITS + mine;
    *told = (tile ? OWN : ALL) | total;
    const word sum = sum_up_to(total, sums), before_digit = sum_up_to(totals[mine], sums) - totals[mine];
    state before = 0;
    for (place other = tile - 1; other >= 0; --other) {
        state found = 0;
        while (!(found >> FLAGS)) found = *(volatile state *)(states + other * DIGITS + mine);
        before += found & COUNT;
        if (found & ALL) break;
    }
    if (tile) *told = ALL | (before + total);
    local[mine] = sum - total;
    base[mine] = before_digit + (word)before - (sum - total);
    __syncthreads();
    UNROLL for (int i = 0; i < ITEMS; ++i) {
        const int digit = digit_of(key[i], shift, bits);
        to[i] += local[digit] + counts[warp][digit];
        staged[to[i]] = key[i];
    }
    __syncthreads();
    word out[ITEMS];
    UNROLL for (int i = 0; i < ITEMS; ++i) {
        const int at = i * THREADS + mine;
        const wide_word sorted = staged[at];
        out[i] = base[digit_of(sorted, shift, bits)] + at;
        if (at < count) keys_out[out[i]] = sorted;
    }
#if VALUES
    word *held = (word *)staged;
    __syncthreads();
    UNROLL for (int i = 0; i < ITEMS; ++i) {
        const place at = first + i * 32;
        if (at < n) held[to[i]] = values ? values[at] : (word)at;
    }
    __syncthreads();
    UNROLL for (int i = 0; i < ITEMS; ++i) {
        const int at = i * THREADS + mine;
        if (at < count) values_out[out[i]] = held[at];
    }
#endif
}

// Edit distance with swaps as Kim, Na and Sim have it, to compare with: a block of threads a pair, a row a
// thread (or every blockDim-th one), an anti-diagonal a cycle, the whole table H in global memory.
//
// H[i,j] = min(H[i,j-1] + 1, H[i-1,j] + 1, H[i-1,j-1] + (X[i] != Y[j]), H[p-1,q-1] + (i-p-1) + 1 + (j-q-1)), p being the
// last row before i with the letter Y[j], q the last column before j with the letter X[i] (equation 1). p comes from the
// table DX (last places of each letter in X[1..t], for every t), made beforehand by a thread a row that looks backward
// until it has seen all letters (section 3.2); q from DY, which each row keeps as it goes along.
//
// SHARED (1): three anti-diagonals of H lie in shared memory too, and DX and the strings where there is room for them:
// the paper's sH_CUDA. SHARED (0): all is in global memory: its H_CUDA. Both have H diagonal after diagonal, so that the
// threads of a cycle write side by side.
//
// Departures: more rows than threads, so that lengths are not bound by the block; numbers of NUMBER_BYTES 2 or 4, for
// distances of any length; a launch stops after some cycles and the next one goes on, so that none holds the display up.
#if NUMBER_BYTES == 2
typedef half_word number;
#else
typedef word number;
#endif

struct Pair {
    place x, y;        // where its letters begin
    place h, dx, dy;   // where its tables begin
    int m, n;          // rows, columns
};

// Row ``t`` of DX, 0 <= t < m: the last places of all letters in X[1..t], 0 for none. Returns after all were found.
INLINE void look_backward(const byte *x, int t, int letters, number *row) {
    for (int c = 0; c < letters; ++c) row[c] = 0;
    int found = 0;
    for (int i = t; i >= 1 && found < letters; --i)
        if (row[x[i - 1]] == 0) {
            row[x[i - 1]] = (number)i;
            ++found;
        }
}

// Block: a pair. DX into global memory.
extern "C" __global__ void prepare(const Pair *pairs, const byte *text, int letters, number *dxs) {
    const Pair pair = pairs[blockIdx.x];
    for (int t = threadIdx.x; t < pair.m; t += blockDim.x)
        look_backward(text + pair.x, t, letters, dxs + pair.dx + (place)t * letters);
}

INLINE place at(int i, int j, int m) { return (place)(i + j) * (m + 1) + i; }

// Block: a pair, cycles first..last of it: cells with first <= i + j < last. ``room``: what of DX (1) and of the strings (2)
// is in shared memory too; ``dys`` are zeros at first; ``rows``, ``columns``: the most of any pair, which the places there are laid out for.
extern "C" __global__ void __launch_bounds__(1024) cycles(const Pair *pairs, const byte *text, int letters,
                                                          number *dxs, number *dys, number *hs, int first, int last,
                                                          int room, int rows, int columns, int *out) {
    SHARED_POOL
    const Pair pair = pairs[blockIdx.x];
    const int m = pair.m, n = pair.n;
    if (first > m + n) return;
    const byte *x = text + pair.x, *y = text + pair.y;
    const number *dx = dxs + pair.dx;
    number *dy = dys + pair.dy, *h = hs + pair.h;
#if SHARED
    number *pool = (number *)shared_pool;
    number *now = pool, *before = pool + (rows + 1), *earlier = pool + 2 * (rows + 1), *far = pool + 3 * (rows + 1);
    if (room & 2) {
        byte *letters_here = (byte *)(far + (room & 1 ? (place)rows * letters : 0));
        for (int i = threadIdx.x; i < m; i += blockDim.x) letters_here[i] = x[i];
        for (int j = threadIdx.x; j < n; j += blockDim.x) letters_here[rows + j] = y[j];
        x = letters_here;
        y = letters_here + rows;
        __syncthreads();
    }
    if (room & 1) {
        for (int t = threadIdx.x; t < m; t += blockDim.x) look_backward(x, t, letters, far + (place)t * letters);
        dx = far;
    }
    // The two anti-diagonals before the first cycle; the first launch begins with none.
    for (int i = threadIdx.x; i <= m; i += blockDim.x) {
        if (first >= 1 && first - 1 - i >= 0 && first - 1 - i <= n) before[i] = h[at(i, first - 1 - i, m)];
        if (first >= 2 && first - 2 - i >= 0 && first - 2 - i <= n) earlier[i] = h[at(i, first - 2 - i, m)];
    }
#endif
    // A thread with one row has its DY in a register, as in the paper.
    const bool one_row = m < blockDim.x;
    int own = one_row && threadIdx.x <= m ? dy[threadIdx.x] : 0;
    __syncthreads();
    const int end = last < m + n + 1 ? last : m + n + 1;
    for (int d = first; d < end; ++d) {
        for (int i = threadIdx.x; i <= m; i += blockDim.x) {
            const int j = d - i;
            if (j < 0 || j > n) continue;
            int value;
            if (i == 0 || j == 0) {
                value = i + j;
            } else {
                const byte a = x[i - 1], b = y[j - 1];
#if SHARED
                const int left = before[i], up = before[i - 1], corner = earlier[i - 1];
#else
                const int left = h[at(i, j - 1, m)], up = h[at(i - 1, j, m)], corner = h[at(i - 1, j - 1, m)];
#endif
                value = left < up ? left + 1 : up + 1;
                const int changed = corner + (a != b);
                value = changed < value ? changed : value;
                const int p = dx[(place)(i - 1) * letters + b], q = one_row ? own : dy[i];
                if (p && q) {
                    const int swapped = h[at(p - 1, q - 1, m)] + (i - p - 1) + 1 + (j - q - 1);
                    value = swapped < value ? swapped : value;
                }
                if (a == b && one_row) own = j;
                else if (a == b) dy[i] = (number)j;
            }
            h[at(i, j, m)] = (number)value;
#if SHARED
            now[i] = (number)value;
#endif
            if (d == m + n) out[blockIdx.x] = value;
        }
        __syncthreads();
#if SHARED
        number *oldest = earlier;
        earlier = before;
        before = now;
        now = oldest;
#endif
    }
    if (one_row && threadIdx.x <= m) dy[threadIdx.x] = (number)own;
}

// O(ND): the furthest row on each diagonal that some path of cost d reaches, for many costs a launch.
//
// Source: Ukkonen 1985, Myers 1986; what a point means is in core/kernels/pairwise/diagonal_transition/furthest_points.py. A block of threads takes
// neighbouring diagonals through up to STEPS costs without looking at any other block: what it lacks from beyond its ends
// spoils one diagonal more a cost, so it starts with STEPS more on both sides than it answers for. Costs of neighbours
// differ by one at most, so a point that would leave the matrix may stop at its edge: that node costs no more either.
//
// Letters are packed, the first one of a word lowest: one comparison tells how many are equal up to a word of them. Few
// diagonals slide further, and those the whole warp follows together; what it reads there is near when it goes on.
//
// Macros: METHOD (LCS or EDIT), EACH diagonals a thread, STEPS, WARPS of a block, LETTER bits of a letter (2, 4 or 8).
#define LCS 1
#define EDIT 2
#define NOWHERE (-(1 << 30))
#define USED (32 * WARPS * EACH - 2 * STEPS)
#define LETTERS (32 / LETTER)  // of a word

struct Stretch {
    const int *from;  // the points before and after
    int *to;
    int from_low, from_size, to_low, to_size;  // their first diagonals, and how many
    int cost, steps;  // cost of the points before; costs to go, up to STEPS
};

// Thread: one word; behind the last letter there are zeros.
extern "C" __global__ void pack_letters(const byte *codes, place n, place n_words, word *out) {
    const place w = (place)blockIdx.x * blockDim.x + threadIdx.x;
    if (w >= n_words) return;
    word letters = 0;
    for (int k = 0; k < LETTERS && w * LETTERS + k < n; ++k) letters |= (word)codes[w * LETTERS + k] << (LETTER * k);
    out[w] = letters;
}

// A word of letters from letter i on; up to the number of letters, that is with a word or two behind them.
INLINE word letters_at(const word *letters, int i) {
    const word *at = letters + i / LETTERS;
    return __funnelshift_r(__ldg(at), __ldg(at + 1), i % LETTERS * LETTER);
}

INLINE int equal_letters(word differs) { return differs ? (__ffs((int)differs) - 1) / LETTER : LETTERS; }

// How many letters are equal from (i, j) on, ``most`` at most; the whole warp for one diagonal.
INLINE int slide_together(const word *a, const word *b, int i, int j, int most, int lane) {
    for (int done = 0;; done += 32 * LETTERS) {
        const int at = done + LETTERS * lane;
        const word differs = at < most ? letters_at(a, i + at) ^ letters_at(b, j + at) : 1;
        const word some = __ballot_sync(FULL_WARP, differs != 0);
        if (some) {
            const int first = __ffs((int)some) - 1;
            const int found = done + LETTERS * first + equal_letters(__shfl_sync(FULL_WARP, differs, first));
            return found < most ? found : most;
        }
    }
}

extern "C" __global__ void __launch_bounds__(32 * WARPS)
    diagonals(const word *a, const word *b, int n, int m, const Stretch *stretches, int which, int *found) {
    __shared__ int ends[2][WARPS + 2][2];  // of each warp, by turns: what its neighbours lack
    const Stretch s = stretches[which];
    const int lane = threadIdx.x & 31, warp = (threadIdx.x >> 5) + 1;
    const int low = s.to_low + (int)blockIdx.x * USED - STEPS + (int)threadIdx.x * EACH;  // first diagonal of this thread
    int point[EACH], most[EACH];
    UNROLL for (int e = 0; e < EACH; ++e) {
        const int x = low + e - s.from_low;
        point[e] = x >= 0 && x < s.from_size ? s.from[x] : NOWHERE;
        most[e] = n < m - low - e ? n : m - low - e;  // the last row of the diagonal
    }
    if (threadIdx.x < 4) ends[threadIdx.x & 1][threadIdx.x < 2 ? 0 : WARPS + 1][threadIdx.x < 2] = NOWHERE;
    ROLLED for (int cost = s.cost + 1; cost <= s.cost + s.steps; ++cost) {
        int(*mine)[2] = ends[cost & 1];
        if (lane == 0) mine[warp][0] = point[0];
        if (lane == 31) mine[warp][1] = point[EACH - 1];
        int beside = __shfl_sync(FULL_WARP, point[EACH - 1], lane - 1);
        int after = __shfl_sync(FULL_WARP, point[0], lane + 1);
        __syncthreads();
        if (lane == 0) beside = mine[warp - 1][1];
        if (lane == 31) after = mine[warp + 1][0];
        word differs[EACH];
        UNROLL for (int e = 0; e < EACH; ++e) {
            const int same = point[e] + (METHOD == EDIT), above = (e + 1 < EACH ? point[e + 1] : after) + 1;
            int i = same > above ? same : above;
            if (beside > i) i = beside;
            if (most[e] < i) i = most[e];
            beside = point[e];
            point[e] = i;
            const int at = i < 0 ? 0 : i, j = i + low + e;
            differs[e] = letters_at(a, at) ^ letters_at(b, j < 0 ? 0 : j);
        }
        UNROLL for (int e = 0; e < EACH; ++e) {
            const int i = point[e], left = i < 0 ? 0 : most[e] - i;
            int run = equal_letters(differs[e]);
            word far = __ballot_sync(FULL_WARP, run == LETTERS && left > LETTERS);
            while (far) {
                const int who = __ffs((int)far) - 1, from = __shfl_sync(FULL_WARP, i, who) + LETTERS;
                far &= far - 1;
                const int j = __shfl_sync(FULL_WARP, i + low + e, who) + LETTERS;
                const int more = slide_together(a, b, from, j, __shfl_sync(FULL_WARP, left, who) - LETTERS, lane);
                if (lane == who) run = LETTERS + more;
            }
            point[e] = i + (run < left ? run : left);
            if (low + e == m - n && point[e] == n) atomicMin(found, cost);
        }
    }
    UNROLL for (int e = 0; e < EACH; ++e) {
        const int x = (int)threadIdx.x * EACH + e - STEPS, at = (int)blockIdx.x * USED + x;
        if (x >= 0 && x < USED && at < s.to_size) s.to[at] = point[e];
    }
}

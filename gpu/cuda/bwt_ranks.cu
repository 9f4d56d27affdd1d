// Tell apart what is alike so far by the ranks of what comes ``step`` samples later: prefix doubling (Manber and Myers)
// of groups that are not done yet (Larsson and Sadakane).
//
// The items of a group are listed side by side in the order of their places; a group's rank is the place of its first item,
// so the ranks of others stay as they are when it is split. ``places`` is null while every item is listed: place k is item k's.

INLINE word place_of(const word *places, place k) { return places ? places[k] : (word)k; }

// Kinds of items: told apart from all others, in a group that is sorted by counting, in another one.
#define ALONE 0
#define SMALL 1
#define LARGE 2

// Items of a launch, of whole warps: ``k`` may be past the end.
#define EACH_OF_WARPS(k, span)                                                                                              \
    for (place k = (span).first + (place)blockIdx.x * blockDim.x + threadIdx.x; k - threadIdx.x % 32 < (span).end;         \
         k += (place)gridDim.x * blockDim.x)

// counts[w]: how many of flags [32 w, 32 w + 32) are 1; with two ``kinds`` counts[n_words + w]: how many are 2.
extern "C" __global__ void count_flags(Span span, const byte *flags, place n_words, int kinds, word *counts) {
    EACH_OF_WARPS(k, span) {
        const byte flag = k < span.end ? flags[k] : 0;
        for (int kind = 1; kind <= kinds; ++kind) {
            const word set = __ballot_sync(FULL_WARP, flag == kind);
            if (k < span.end && threadIdx.x % 32 == 0) counts[(kind - 1) * n_words + k / 32] = __popc(set);
        }
    }
}

// How many flags up to and with this lane's are set; ``sums`` are those of the counts, ``at`` its warp's. Of all lanes.
INLINE word flags_up_to(bool flag, const word *sums, place at) {
    const word set = __ballot_sync(FULL_WARP, flag);
    return (flag && at ? sums[at - 1] : 0) + __popc(set & FULL_WARP >> (31 - threadIdx.x % 32));
}

// begins[g]: where group g of the list begins; one more is its end.
extern "C" __global__ void list_begins(Span span, const byte *heads, const word *sums, place m, word *begins) {
    EACH_OF_WARPS(k, span) {
        const bool head = k < span.end && heads[k];
        const word number = flags_up_to(head, sums, k / 32);
        if (head) begins[number - 1] = (word)k;
        if (k == m - 1) begins[sums[k / 32]] = (word)m;
    }
}

// Give each item the rank of its group, and put what is alone where it belongs.
//   groups  the rank that the items had, null at first; a group that is not split, and the first part of one, keeps it
//   most    items of a small group
extern "C" __global__ void rank_groups(Span span, const word *items, const byte *heads, const word *sums, const word *begins,
                                       const word *places, const word *groups, int most, word *ranks, word *sorted,
                                       word *all_places, word *new_groups, byte *kinds) {
    EACH_OF_WARPS(k, span) {
        const word set = __ballot_sync(FULL_WARP, k < span.end && heads[k]);
        if (k >= span.end) continue;
        const word number = (k >= 32 ? sums[k / 32 - 1] : 0) + __popc(set & FULL_WARP >> (31 - threadIdx.x % 32));
        const word item = items[k], begin = begins[number - 1], size = begins[number] - begin;
        const word rank = place_of(places, begin);
        if (!groups || groups[k] != rank) ranks[item] = rank;
        if (size == 1) sorted[rank] = item;
        all_places[k] = place_of(places, k);
        new_groups[k] = rank;
        kinds[k] = size == 1 ? ALONE : size <= (word)most ? SMALL : LARGE;
    }
}

// List the items of small groups, then those of large ones; ``sums`` are those of the counts of both.
extern "C" __global__ void list_items(Span span, const word *sums, place n_words, const byte *kinds, const word *items,
                                      const word *places, const word *groups, word *items_out, word *places_out,
                                      word *groups_out, byte *kinds_out) {
    EACH_OF_WARPS(k, span) {
        const byte kind = k < span.end ? kinds[k] : ALONE;
        const word small = flags_up_to(kind == SMALL, sums, k / 32);
        const word large = flags_up_to(kind == LARGE, sums, n_words + k / 32);
        if (kind == ALONE) continue;
        const word to = (kind == SMALL ? small : large) - 1;
        items_out[to] = items[k];
        places_out[to] = places[k];
        groups_out[to] = groups[k];
        kinds_out[to] = kind;
    }
}

// keys[k]: group, then, in the lower ``bits``, the rank ``step`` samples later in the text; these are numbered from its end.
extern "C" __global__ void pair_ranks(Span span, const word *items, const word *groups, const byte *kinds, const word *ranks,
                                      word step, int bits, wide_word *keys) {
    EACH(k, span) keys[k] = (wide_word)groups[k] << bits | (kinds[k] != ALONE ? ranks[items[k] - step] : 0);
}

// Heads of groups among sorted ``keys``.
extern "C" __global__ void split_groups(Span span, const wide_word *keys, byte *heads) {
    EACH(k, span) heads[k] = k == 0 || keys[k] != keys[k - 1];
}

// Sort small groups by counting, which keeps them where they are: one pass, where a radix sort takes seven. A group is
// listed from its first place on, so an item tells where its group begins. What is alone is put where it belongs.
extern "C" __global__ void sort_small_groups(Span span, const word *items, const word *places, const byte *kinds,
                                             const wide_word *keys, place m, int bits, word *ranks, word *sorted,
                                             word *items_out, word *groups_out, byte *kinds_out) {
    EACH(k, span) {
        const wide_word key = keys[k], group = key >> bits;
        const word item = items[k];
        const place begin = k - (places[k] - (word)group);
        word less = 0, before = 0, alike = 0;
        if (kinds[k] != ALONE)
            for (place j = begin; j < m; ++j) {
                const wide_word other = keys[j];
                if (other >> bits != group) break;
                less += other < key;
                alike += other == key;
                before += j < k && other == key;
            }
        const word rank = (word)group + less;
        const place to = begin + less + before;
        if (less) ranks[item] = rank;
        if (alike == 1) sorted[rank] = item;
        items_out[to] = item;
        groups_out[to] = rank;
        kinds_out[to] = alike > 1 ? SMALL : ALONE;
    }
}

// Tell apart what is alike so far by the ranks of what comes ``step`` samples later: prefix doubling (Manber and Myers)
// of groups that are not done yet (Larsson and Sadakane).
//
// Items are listed in the order of their places; a group's rank is the place of its first item, so the ranks of others
// stay as they are when it is split. ``places`` is null while every item is listed: place k is item k's.

INLINE word place_of(const word *places, place k) { return places ? places[k] : (word)k; }

// first[g]: place of the head of group g; open[k]: whether item k is not alone. ``sums`` counts the heads.
extern "C" __global__ void open_groups(const byte *heads, const word *sums, const word *places, place m, word *first,
                                       byte *open) {
    EACH(k, m) {
        if (heads[k]) first[sums[k] - 1] = place_of(places, k);
        open[k] = !(heads[k] && (k + 1 == m || heads[k + 1]));
    }
}

// Give each item the rank of its group, and list what is not alone for the next round.
extern "C" __global__ void rank_groups(const word *items, const word *sums, const word *first, const word *places,
                                       const byte *open, const word *open_sums, place m, word *ranks, word *next_items,
                                       word *next_places, word *next_groups) {
    EACH(k, m) {
        const word item = items[k], rank = first[sums[k] - 1];
        ranks[item] = rank;
        if (open[k]) {
            const word to = open_sums[k] - 1;
            next_items[to] = item;
            next_places[to] = place_of(places, k);
            next_groups[to] = rank;
        }
    }
}

// keys[k]: group, then, in the lower ``bits``, the rank ``step`` samples later in the text; these are numbered from its end.
extern "C" __global__ void pair_ranks(const word *items, const word *groups, const word *ranks, place m, word step, int bits,
                                      wide_word *keys) {
    EACH(k, m) keys[k] = (wide_word)groups[k] << bits | ranks[items[k] - step];
}

// Heads of groups among sorted ``keys``.
extern "C" __global__ void split_groups(const wide_word *keys, place m, byte *heads) {
    EACH(k, m) heads[k] = k == 0 || keys[k] != keys[k - 1];
}

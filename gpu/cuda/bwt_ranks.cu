// Tell apart what is alike so far by the ranks of what comes ``step`` samples later: prefix doubling (Manber and Myers)
// of groups that are not done yet (Larsson and Sadakane).
//
// Items are listed in the order of their places; a group's rank is the place of its first item, so the ranks of others
// stay as they are when it is split. ``places`` is null while every item is listed: place k is item k's.

INLINE word place_of(const word *places, place k) { return places ? places[k] : (word)k; }

// first[g]: place of the head of group g; open[k]: whether item k is not alone. ``sums`` counts the heads.
extern "C" __global__ void open_groups(Span span, const byte *heads, const word *sums, const word *places, place m,
                                       word *first, byte *open) {
    EACH(k, span) {
        if (heads[k]) first[sums[k] - 1] = place_of(places, k);
        open[k] = !(heads[k] && (k + 1 == m || heads[k + 1]));
    }
}

// Give each item the rank of its group, put what is alone where it belongs, and list the others for the next round.
//   groups  the rank that the items had, null at first; a group that is not split, and the first part of one, keeps it
extern "C" __global__ void rank_groups(Span span, const word *items, const word *sums, const word *first, const word *places,
                                       const word *groups, const byte *open, const word *open_sums, word *ranks,
                                       word *sorted, word *next_items, word *next_places, word *next_groups) {
    EACH(k, span) {
        const word item = items[k], rank = first[sums[k] - 1];
        if (!groups || groups[k] != rank) ranks[item] = rank;
        if (!open[k]) sorted[rank] = item;
        else {
            const word to = open_sums[k] - 1;
            next_items[to] = item;
            next_places[to] = place_of(places, k);
            next_groups[to] = rank;
        }
    }
}

// keys[k]: group, then, in the lower ``bits``, the rank ``step`` samples later in the text; these are numbered from its end.
extern "C" __global__ void pair_ranks(Span span, const word *items, const word *groups, const word *ranks, word step,
                                      int bits, wide_word *keys) {
    EACH(k, span) keys[k] = (wide_word)groups[k] << bits | ranks[items[k] - step];
}

// Heads of groups among sorted ``keys``.
extern "C" __global__ void split_groups(Span span, const wide_word *keys, byte *heads) {
    EACH(k, span) heads[k] = k == 0 || keys[k] != keys[k - 1];
}

// Sort the groups of at most MOST by counting, which keeps them where they are: one pass, where a radix sort takes seven.
//   heads  of the items as sorted
//   large  items of other groups, in their old places; total: how many
#define MOST 32
extern "C" __global__ void sort_small_groups(Span span, const word *items, const wide_word *keys, place m, int bits,
                                             word *items_out, byte *heads, byte *large, word *total) {
    word found = 0;
    EACH(k, span) {
        const wide_word key = keys[k], group = key >> bits;
        int size = 1, before = 0, less = 0, equal = 0;
        for (place j = k; j-- > 0 && size <= MOST; ++size) {
            const wide_word other = keys[j];
            if (other >> bits != group) break;
            ++before;
            less += other < key;
            equal += other == key;
        }
        for (place j = k + 1; j < m && size <= MOST; ++size, ++j) {
            const wide_word other = keys[j];
            if (other >> bits != group) break;
            less += other < key;
        }
        large[k] = size > MOST;
        found += size > MOST;
        if (size > MOST) continue;
        const place to = k - before + less + equal;
        items_out[to] = items[k];
        heads[to] = equal == 0;
    }
    if (found) atomicAdd(total, found);
}

// List what was large, to be sorted alone, and put it back: places[j] is where item j of the list was.
extern "C" __global__ void list_large(Span span, const word *items, const wide_word *keys, const byte *large,
                                      const word *sums, word *items_out, wide_word *keys_out, word *places) {
    EACH(k, span) {
        if (!large[k]) continue;
        const word to = sums[k] - 1;
        items_out[to] = items[k];
        keys_out[to] = keys[k];
        places[to] = (word)k;
    }
}
extern "C" __global__ void put_large(Span span, const word *items, const wide_word *keys, const word *places,
                                     word *items_out, byte *heads) {
    EACH(j, span) {
        items_out[places[j]] = items[j];
        heads[places[j]] = j == 0 || keys[j] != keys[j - 1];
    }
}

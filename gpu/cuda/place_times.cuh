// When the places of the block map were computed, and by whom: what a replay of a run shows.
//
// Macro: RECORD (0: nothing is kept, to measure what it costs).
#ifndef RECORD
#define RECORD 1
#endif

struct PlaceTimes {
    word *begun;       // [place] complement of ticks, whose greatest is the earliest; 0: not yet
    wide_word *ended;  // [place] ticks << 32 | who ended it; 0: not yet; behind them again, of the first strips of several
    wide_word since;   // the timer when the attempt began; ticks count from there on, from 1
    int rows, groups;  // strips and groups of columns, or rows and columns of blocks, that a place has
    int group_bits;    // such groups as a power of two, where they are one
    int columns;       // places of a row
    int places;        // places in all, 0 where each has one strip
    int tick_bits;     // a tick is so many bits of a nanosecond
};

INLINE word ticks(const PlaceTimes &times) { return (word)(timer() - times.since >> times.tick_bits) + 1; }

// By one thread: somebody begins with what ``place`` has.
INLINE void begin_place(const PlaceTimes &times, place at) { atomicMax(times.begun + at, ~ticks(times)); }

// What is stored when somebody has done some of a place; the last one ends it.
INLINE wide_word stamp(const PlaceTimes &times, int who) { return (wide_word)ticks(times) << 32 | (word)who; }

// What a launch over strips is told, and where a warp is in it; for both forms of a lane.
#define LCS 1
#define EDIT 2
#define SIGNS METHOD
#define LANE_WORDS (SIGNS * WORDS)
#define TAGS 0xffff0000u
#define LAST_LANE 31
// Free ends (Sellers 1980): a path may begin in any row of column 0 (FREE_ROWS), in any column of row 0 (FREE_COLUMNS);
// what lies before costs nothing.
#ifndef FREE_ROWS
#define FREE_ROWS 0
#define FREE_COLUMNS 0
#endif
#define NOTHING_ABOVE (METHOD == EDIT && !FREE_COLUMNS ? 0xff00u : 0u)  // top row: no growth; one edit more a column
#define FRESH_ROWS (FREE_ROWS ? 0u : FULL_WARP)  // column 0: one edit more a row

struct Ticket {
    int strip, first, last;  // groups first..last of this strip
    int above;               // groups below this are in the mailbox of the ticket before; first where there are none
    int columns;             // columns below this exist
};

struct Matrix {
    const word *tables;       // of the rows, as the form of a lane has them
    const byte *columns;      // of the columns, likewise
    const Ticket *tickets;
    word *mail;               // [ring][mail_groups] packets: number of the reuse << 16 | HP byte << 8 | HN or carry byte
    word *v;                  // [strip][SIGNS] rows after the columns done, WORDS a lane
    word *flight;             // [strip][FLIGHT][lane] what of a lane is neither rows nor known from its step
    int *done;                // [strip] groups that have left the strip
    int *step;                // [strip] steps into the ticket at which the last launch stopped
    int *begun;               // [ticket] steps into it, -1 where no warp of this launch has it
    int *counter;             // next ticket
    const word *entering;     // [group] packets of reuse 0 that come to the first strip from another card, or null
    word *leaving;            // [group] where those of the last strip go for another card, instead of a mailbox, or null
    word *kept_v;             // [strip][kept column][SIGNS][lane][WORDS] rows before every keep_groups-th group
    byte *kept_h;             // [strip][kept lane][group][SIGNS] what every keep_lanes-th lane handed on; HN, HP
    const int *lo;            // first group of each strip, a multiple of keep_groups
    place kept_v_stride, kept_h_stride;  // of a strip
    int kept_width;           // groups there is room for in a row of kept_h
    int n_tickets, table_rows, ring, mail_groups;
    int batch;                // steps that are worth a look into the mailbox
    int keep_groups, keep_lanes;  // tiles: every so many groups, every so many lanes; powers of two
    wide_word slice;          // cycles
    PlaceTimes times;
};

struct Place {
    int lane, groups, columns;
    place first, lo;  // the ticket's first group, the strip's
    const byte *columns_at;  // ``Matrix::columns`` from the first group on
    word *mail;
    word tag;
    word *kept_v;   // of the strip
    byte *kept_h;   // of the lane, from the ticket's first group on
    bool keeps;     // whether this lane does, of what it hands on
    int from_lo;    // groups from the strip's first to the ticket's
    int tile_shift; // a tile has so many groups, as a power of two: a division by it would take longer than a column
};

// What the ticket of ``p`` reads and writes from its first group on, where the mailbox is known: its columns, and what the
// strip keeps in ``kept_v`` and ``kept_h``.
INLINE void find_place(const Matrix &m, word *kept_v, byte *kept_h, Place &p) {
    p.from_lo = (int)(p.first - p.lo);
    p.tile_shift = __ffs(m.keep_groups) - 1;
    p.kept_v = kept_v;
    p.keeps = KEEP && (p.lane & (m.keep_lanes - 1)) == m.keep_lanes - 1;
#if !SLICED
    p.columns_at = m.columns + p.first * (COLUMNS * TABLES * 2);
    hold(p.columns_at);
#endif
    p.kept_h = kept_h + ((place)(p.lane / m.keep_lanes) * m.kept_width + p.from_lo) * SIGNS;
    hold(p.mail);
    hold(p.kept_v);
}

// Whether rows are kept before group g.
INLINE bool is_kept(const Matrix &m, const Place &p, int g) { return ((p.from_lo + g) & (m.keep_groups - 1)) == 0; }

// Where they go, ``words`` of a tile.
INLINE word *kept_rows(const Place &p, int g, int words) {
    return (word *)((byte *)p.kept_v + (place)(p.from_lo + g >> p.tile_shift) * (4 * words));
}

// What one group of columns hands down, among those of a row, as bytes: HN, HP.
INLINE word link_at(const byte *row, place g) { return METHOD == EDIT ? ((const half_word *)row)[g] : row[g]; }
INLINE void put_link(byte *row, place g, word link) {
    if (METHOD == EDIT) ((half_word *)row)[g] = (half_word)link;
    else row[g] = (byte)link;
}

// Lane ``p.lane`` is through with group g; ``link``: HP byte << 8 | HN or carry byte, first column on top.
INLINE void hand_on(const Matrix &m, const Place &p, int g, word link) {
#if KEEP
    if (p.keeps) put_link(p.kept_h, g, link);
#endif
    if (p.lane == LAST_LANE) put(p.mail + g, (link & 0xffffu) | p.tag);
}

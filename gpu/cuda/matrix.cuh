// What a launch over strips is told, and where a warp is in it; for both forms of a lane.
#define LCS 1
#define EDIT 2
#define SIGNS METHOD
#define LANE_WORDS (SIGNS * WORDS)
#define TAGS 0xffff0000u
#define LAST_LANE 31
#define NOTHING_ABOVE (METHOD == EDIT ? 0xff00u : 0u)  // top row: no growth; one edit more a column

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
    word *kept_v;             // [strip][kept column][SIGNS][lane][WORDS] rows before every keep_groups-th group
    byte *kept_h;             // [strip][kept lane][SIGNS][group] what every keep_lanes-th lane handed on; HP, HN
    const int *lo;            // first group of each strip, a multiple of keep_groups
    place kept_v_stride, kept_h_stride;  // of a strip
    int kept_width;           // groups there is room for in a row of kept_h
    int n_tickets, table_rows, ring, mail_groups;
    int batch;                // steps that are worth a look into the mailbox
    int keep_groups, keep_lanes;  // tiles: every so many groups, every so many lanes; powers of two
    wide_word slice;          // cycles
};

struct Place {
    int lane, groups, columns;
    place first, lo;  // the ticket's first group, the strip's
    word *mail;
    word tag;
    word *kept_v;
    byte *kept_h;   // of the lane
};

INLINE place kept_of_lane(const Matrix &m, int lane) { return (place)(lane / m.keep_lanes) * SIGNS * m.kept_width; }

// Whether rows are kept before group g.
INLINE bool is_kept(const Matrix &m, const Place &p, int g) { return (((int)p.first + g) & (m.keep_groups - 1)) == 0; }

// Lane ``p.lane`` is through with group g; ``link``: HP byte << 8 | HN or carry byte, first column on top.
INLINE void hand_on(const Matrix &m, const Place &p, int g, word link) {
#if KEEP
    if ((p.lane & (m.keep_lanes - 1)) == m.keep_lanes - 1) {
        byte *at = p.kept_h + (p.first + g - p.lo);
        at[0] = (byte)(METHOD == EDIT ? link >> 8 : link);
        if (METHOD == EDIT) at[m.kept_width] = (byte)link;
    }
#endif
    if (p.lane == LAST_LANE) put(p.mail + g, (link & 0xffffu) | p.tag);
}

// LCS and edit distance, bit-parallel: strips of 1024 * WORDS rows, a warp each, that follow each other in time.
//
// Source: paper 1 (Kawanami and Fujimoto) for the column step V' = (V + (V & M)) | (V & ~M), a warp's rows as one long
// integer, and the block grid; paper 2 (Sudo and Shinohara) for the staggered lanes and the borders VP, VN and HP, HN of
// edit distance (Myers 1999, Hyyro 2003). Departures: no launch per anti-diagonal and no carry look-ahead. A lane is one
// group of columns behind the lane above it and gets that group's carries by one shuffle; a strip follows the strip above
// as closely as its carries arrive, through a mailbox in device memory; warps take strips by ticket, so a warp only ever
// waits for one that is already running. A launch ends after so many cycles and the next one goes on where it stopped.
//
// Macros: METHOD (LCS or EDIT), WORDS a lane (1, 2 or a multiple of 4), COLUMNS of a group, TABLES (1: a row of match
// words a code; 2: a code is two half codes, its match words are the AND of their rows), KEEP (1: borders of tiles are
// kept for the walk back), FLAG (1: carries go from word to word in the carry flag, the fewest instructions; 0: as bits,
// so that words of neighbouring columns overlap, the shortest wait where a scheduler has one warp), WARPS of a block.
#define TAGS 0xffff0000u
#define LAST_LANE 31
#define LEAD 192  // steps
#define LATE 1024  // steps: a strip so far behind began late, and is not waited for
#define NOTHING_ABOVE (METHOD == EDIT ? 0xff00u : 0u)  // top row: no growth; one edit more a column

struct Ticket {
    int strip, first, last;  // groups first..last of this strip
    int above;               // groups below this are in the mailbox of the ticket before; first where there are none
    int columns;             // columns below this exist
};

struct Matrix {
    const word *tables;       // [strip][row][WORDS / 4][lane][4] match words
    const byte *columns;      // group's COLUMNS row offsets, in units of 16 bytes: half_word each, or two of them
    const Ticket *tickets;
    word *mail;               // [ring][mail_groups] packets: number of the reuse << 16 | HP byte << 8 | HN or carry byte
    word *v;                  // [strip][SIGNS][lane][WORDS] rows after the columns done
    word *link;               // [strip][lane] what the lane last handed on
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
    int keep_groups, keep_lanes;  // tiles: every so many groups, every so many lanes
    wide_word slice;          // cycles
};

INLINE void load_state(const Matrix &m, int strip, int lane, bool fresh, Lane &s) {
    const word *v = m.v + ((place)strip * SIGNS * 32 + lane) * WORDS;
    UNROLL for (int w = 0; w < WORDS; ++w) s.v[w] = fresh ? FULL_WARP : look(v + w);
#if METHOD == EDIT
    UNROLL for (int w = 0; w < WORDS; ++w) s.vn[w] = fresh ? 0 : look(v + 32 * WORDS + w);
#endif
}

INLINE void store_rows(word *v, int lane, const Lane &s) {
    v += lane * WORDS;
    UNROLL for (int w = 0; w < WORDS; ++w) v[w] = s.v[w];
#if METHOD == EDIT
    UNROLL for (int w = 0; w < WORDS; ++w) v[32 * WORDS + w] = s.vn[w];
#endif
}

struct Place {
    int lane, groups, columns;
    place first, lo;  // the ticket's first group, the strip's
    word *mail;
    word tag;
    word *kept_v;
    byte *kept_h;
};

INLINE void hand_on(const Matrix &m, const Place &p, int g, const Carries &out, Lane &s) {
#if METHOD == LCS
    s.link = out.down;
#else
    s.link = out.up << 8 | out.down;
#endif
#if KEEP
    if (p.lane % m.keep_lanes == m.keep_lanes - 1) {
        byte *at = p.kept_h + (place)(p.lane / m.keep_lanes) * SIGNS * m.kept_width + (p.first + g - p.lo);
        at[0] = (byte)(METHOD == EDIT ? s.link >> 8 : s.link);
        if (METHOD == EDIT) at[m.kept_width] = (byte)s.link;
    }
#endif
    if (p.lane == LAST_LANE) put(p.mail + g, (s.link & 0xffffu) | p.tag);
}

INLINE void keep_rows(const Matrix &m, const Place &p, int g, const Lane &s) {
#if KEEP
    if ((p.first + g) % m.keep_groups == 0)
        store_rows(p.kept_v + (p.first + g - p.lo) / m.keep_groups * (LANE_WORDS * 32), p.lane, s);
#endif
}

// Step t where some lane has no group t - lane, or the last group is not full.
INLINE void edge_step(const Matrix &m, const Place &p, const byte *table, int t, word packet, Lane &s) {
    const int g = t - p.lane;
    word in = __shfl_up_sync(FULL_WARP, s.link, 1);
    if (p.lane == 0) in = packet;
    if (g < 0 || g >= p.groups) return;
    const place group = p.first + g;
    const Offsets offsets = load_offsets(m.columns, group);
    keep_rows(m, p, g, s);
    Carries from = unpack(in), out = {};
    UNROLL for (int c = 0; c < COLUMNS; ++c)
        column_step(load_match(table, offsets, c), group * COLUMNS + c < p.columns, from, out, s);
    hand_on(m, p, g, out, s);
}

// What is loaded ahead of its use: the offsets of two groups, the match words of DEPTH columns.
#define DEPTH (WORDS == 1 ? 8 : WORDS == 2 ? 4 : WORDS == 4 ? 2 : 1)
struct Ahead {
    Offsets now, next;
    Match match[DEPTH];
};

INLINE void look_ahead(const Matrix &m, const Place &p, const byte *table, int t, Ahead &ahead) {
    const place group = p.first + (t - p.lane);
    ahead.now = load_offsets(m.columns, group);
    ahead.next = load_offsets(m.columns, group + 1);
    UNROLL for (int c = 0; c < DEPTH; ++c) ahead.match[c] = load_match(table, ahead.now, c);
}

// Step t where every lane has its group. ``columns`` has two groups of padding past its end.
INLINE void inner_step(const Matrix &m, const Place &p, const byte *table, int t, word packet, Ahead &ahead, Lane &s) {
    const int g = t - p.lane;
    word in = __shfl_up_sync(FULL_WARP, s.link, 1);
    if (p.lane == 0) in = packet;
    const Offsets after = load_offsets(m.columns, p.first + g + 2);
    keep_rows(m, p, g, s);
    Carries from = unpack(in), out = {};
    UNROLL for (int c = 0; c < COLUMNS; ++c) {
        const Match match = ahead.match[c % DEPTH];
        const int later = c + DEPTH;
        ahead.match[c % DEPTH] = load_match(table, later < COLUMNS ? ahead.now : ahead.next, later % COLUMNS);
        column_step(match, true, from, out, s);
    }
    ahead.now = ahead.next;
    ahead.next = after;
    hand_on(m, p, g, out, s);
}

// Memory is zero at first. The driver sees to it that 16 bits are enough.
INLINE word tag_of(int ticket, int ring) { return (word)(ticket / ring + 1) << 16; }

INLINE bool is_done(const Matrix &m, int ticket) {
    return ticket < 0 || look(m.done + m.tickets[ticket].strip) >= m.tickets[ticket].last;
}

extern "C" __global__ void __launch_bounds__(32 * WARPS) strips(const Matrix m) {
    SHARED_POOL
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    const int table_words = m.table_rows * WORDS * 32;
    word *mine = (word *)shared_pool + (place)warp * table_words;
    const byte *table = (const byte *)(mine + (WORDS >= 4 ? 4 : WORDS) * lane);
    const wide_word start = cycles();
    bool stop = false;
    while (!stop) {
        int ticket = 0;
        if (lane == 0) ticket = atomicAdd(m.counter, 1);
        ticket = __shfl_sync(FULL_WARP, ticket, 0);
        if (ticket >= m.n_tickets) return;
        const Ticket job = m.tickets[ticket];
        if (look(m.done + job.strip) >= job.last) continue;  // an earlier launch did it
        // What must be there first: this strip's columns to the left; and whoever wrote and read the mailbox that is used
        // again must be through with it.
        const int before = ticket - m.ring;
        while (__any_sync(FULL_WARP, look(m.done + job.strip) < job.first || !is_done(m, before) || !is_done(m, before + 1))) {
            if (__any_sync(FULL_WARP, cycles() - start > m.slice)) return;
            rest();
        }
        __threadfence();
        __syncwarp();
        for (int i = lane; i < table_words; i += 32) mine[i] = m.tables[(place)job.strip * table_words + i];
        __syncwarp();
        int t = look(m.step + job.strip);
        Lane s;
        s.link = t ? look(m.link + (place)job.strip * 32 + lane) : 0;
        load_state(m, job.strip, lane, t == 0 && job.first == m.lo[job.strip], s);
        Place p;
        p.lane = lane; p.groups = job.last - job.first; p.columns = job.columns; p.first = job.first; p.lo = m.lo[job.strip];
        p.mail = m.mail + (place)(ticket % m.ring) * m.mail_groups;
        p.tag = tag_of(ticket, m.ring);
        p.kept_v = KEEP ? m.kept_v + job.strip * m.kept_v_stride : m.kept_v;
        p.kept_h = KEEP ? m.kept_h + job.strip * m.kept_h_stride : m.kept_h;
        const int sender = ticket ? ticket - 1 : 0;
        const word *above = m.mail + (place)(sender % m.ring) * m.mail_groups + (job.first - m.tickets[sender].first);
        const word above_tag = tag_of(sender, m.ring);
        const int from_above = job.above - job.first, end = p.groups + LAST_LANE;
        // The strip below, where it is being computed, is not left behind by more than LEAD: a scheduler serves one warp
        // before the other, so one could wait for all of the other's strip, and the strips below would wait with it.
        const bool follows = ticket + 1 < m.n_tickets && m.tickets[ticket + 1].above > m.tickets[ticket + 1].first;
        const int follower_at = follows ? m.tickets[ticket + 1].first - job.first : 0;
        int until = t;  // steps before the strip below has to be looked at
        bool ready = false;
        Ahead ahead;
        while (t < end) {
            if (lane == 0) put(m.begun + ticket, t);
            if (follows && t >= until) {
                const int begun = look(m.begun + ticket + 1);
                const int lead = t - begun - follower_at;
                until = begun < 0 || lead >= LATE ? t + LEAD : t - lead + LEAD;
                if (t >= until) {
                    stop = __any_sync(FULL_WARP, cycles() - start > m.slice);
                    if (stop) break;
                    rest();
                    continue;
                }
            }
            word packet = NOTHING_ABOVE;
            bool here = true;
            if (t + lane < from_above) {
                packet = look(above + t + lane);
                here = (packet & TAGS) == above_tag;
            }
            const word missing = __ballot_sync(FULL_WARP, !here);
            int n = missing ? __ffs(missing) - 1 : 32;
            if (n < m.batch && t + n < from_above) {
                stop = __any_sync(FULL_WARP, cycles() - start > m.slice);
                if (stop) break;
                rest();
                continue;
            }
            n = n < end - t ? n : end - t;
            if (t >= LAST_LANE && t + n < p.groups) {
                if (!ready) look_ahead(m, p, table, t, ahead);
                ready = true;
                word arrives = __shfl_sync(FULL_WARP, packet, 0);
                ROLLED for (int k = 0; k < n; ++k) {
                    const word now = arrives;
                    arrives = __shfl_sync(FULL_WARP, packet, k + 1);
                    inner_step(m, p, table, t + k, now, ahead, s);
                }
            } else {
                ready = false;
                ROLLED for (int k = 0; k < n; ++k) edge_step(m, p, table, t + k, __shfl_sync(FULL_WARP, packet, k), s);
            }
            t += n;
            stop = __any_sync(FULL_WARP, cycles() - start > m.slice);
            if (stop) break;
        }
        store_rows(m.v + (place)job.strip * SIGNS * 32 * WORDS, lane, s);
        if (t < end) put(m.link + (place)job.strip * 32 + lane, s.link);
        __threadfence();
        __syncwarp();
        if (lane == 0) {
            put(m.step + job.strip, t < end ? t : 0);
            if (t == end) {
                __threadfence();
                put(m.done + job.strip, job.last);
            }
        }
        __syncwarp();
    }
}

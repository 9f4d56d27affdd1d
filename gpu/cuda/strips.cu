// LCS and edit distance, bit-parallel: strips of 1024 * WORDS rows, a warp each, that follow each other in time.
//
// Source: Kawanami and Fujimoto for the column step V' = (V + (V & M)) | (V & ~M), a warp's rows as one long
// integer, and the block grid; Sudo and Shinohara for the staggered lanes and the borders VP, VN and HP, HN of
// edit distance (Myers 1999, Hyyro 2003). Departures: no launch per anti-diagonal and no carry look-ahead. A lane is one
// group of columns behind the lane above it and gets that group's carries by one shuffle; a strip follows the strip above
// as closely as its carries arrive, through a mailbox in device memory; warps take strips by ticket, so a warp only ever
// waits for one that is already running. A launch ends after so many cycles and the next one goes on where it stopped.
//
// Macros: METHOD (LCS or EDIT), WORDS a lane (1, 2 or a multiple of 4), COLUMNS of a group, TABLES (1: a row of match
// words a code; 2: a code is two half codes, its match words are the AND of their rows), KEEP (1: borders of tiles are
// kept for the walk back), WARPS of a block.
// A strip is not this many steps ahead of the next: see below. LATE: a strip so far behind began late, and is not waited for.
#define LEAD (SPAN + 160)
#define LATE 1024
#define LOOK 31  // groups that leave a strip beside the last one, at most, between two looks at the mailbox

// Memory is zero at first. The driver sees to it that 16 bits are enough.
INLINE word tag_of(int ticket, int ring) { return (word)(ticket / ring + 1) << 16; }

INLINE bool is_done(const Matrix &m, int ticket) {
    return ticket < 0 || look(m.done + m.tickets[ticket].strip) >= m.tickets[ticket].last;
}

// A strip is through with group g. This is stored after each look at the mailbox: the last store of a place tells when it
// was ended, and the next one begun. To wait for the end of a place would take registers that the steps have no room for.
INLINE void leave_group(const Matrix &m, int row, int g) {
    m.times.ended[row + (g >> m.times.group_bits)] = stamp(m.times, blockIdx.x * WARPS + (threadIdx.x >> 5));
}

// A strip begins with a ticket.
INLINE void begin_group(const Matrix &m, const Ticket &job) {
    const int row = job.strip / m.times.rows * m.times.columns;
    begin_place(m.times, row + (job.first >> m.times.group_bits));
}

extern "C" __global__ void __launch_bounds__(32 * WARPS) strips(const Matrix m) {
    SHARED_POOL
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
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
        Lane s;
        const byte *table = load_table(m, job.strip, warp, lane, (word *)shared_pool, s);
        int t = look(m.step + job.strip);
        load_lane(m, job.strip, lane, t, t == 0 && job.first == m.lo[job.strip], s);
        Place p;
        p.lane = lane; p.groups = job.last - job.first; p.columns = job.columns; p.first = job.first; p.lo = m.lo[job.strip];
        // What crosses to another card has an array of its own, whose packets all are of the first use.
        const bool leaves = m.leaving && job.strip == m.tickets[m.n_tickets - 1].strip, enters = m.entering && job.strip == 0;
        p.mail = leaves ? m.leaving + job.first : m.mail + (place)(ticket % m.ring) * m.mail_groups;
        p.tag = tag_of(leaves ? 0 : ticket, m.ring);
        find_place(m, m.kept_v + job.strip * m.kept_v_stride, m.kept_h + job.strip * m.kept_h_stride, p);
        const int sender = ticket ? ticket - 1 : 0;
        const word *above = enters ? m.entering + job.first
                                   : m.mail + (place)(sender % m.ring) * m.mail_groups + (job.first - m.tickets[sender].first);
        const word above_tag = tag_of(enters ? 0 : sender, m.ring);
        hold(above);
        const int from_above = job.above - job.first, end = p.groups + SPAN - 1;
        // The strip below, where it is being computed, is not left behind by more than LEAD: a scheduler serves one warp
        // before the other, so one could wait for all of the other's strip, and the strips below would wait with it.
        const bool follows = ticket + 1 < m.n_tickets && m.tickets[ticket + 1].strip && m.tickets[ticket + 1].above > m.tickets[ticket + 1].first;
        const int follower_at = follows ? m.tickets[ticket + 1].first - job.first : 0;
        int until = t;  // steps before the strip below has to be looked at
        // Of several strips to a place the first one begins it, and what it does is told beside what the others do.
        const int row = job.strip / m.times.rows * m.times.columns + (job.strip % m.times.rows ? 0 : m.times.places);
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
            if (t >= SPAN && t + n < p.groups) {
                if (!ready) look_ahead(m, p, table, t, ahead);
                ready = true;
                word arrives = __shfl_sync(FULL_WARP, packet, 0);
                STEPS for (int k = 0; k < n; ++k) {
                    const word now = arrives;
                    arrives = __shfl_sync(FULL_WARP, packet, k + 1);
                    inner_step(m, p, table, t + k, now, ahead, s);
                }
                hand_on_after(m, p, t + n - 1, s);
            } else {
                ready = false;
                if (RECORD && t == 0 && lane == 0) begin_group(m, job);
                ROLLED for (int k = 0; k < n; ++k) edge_step(m, p, table, t + k, __shfl_sync(FULL_WARP, packet, k), s);
            }
            t += n;
            if (RECORD && lane == 0 && t >= SPAN) leave_group(m, row, job.first + max(t - (SPAN + LOOK), 0));
            stop = __any_sync(FULL_WARP, cycles() - start > m.slice);
            if (stop) break;
        }
        store_lane(m, job.strip, lane, s);
        __threadfence();
        __syncwarp();
        if (lane == 0) {
            put(m.step + job.strip, t < end ? t : 0);
            if (t == end) {
                if (RECORD) leave_group(m, row, job.last - 1);
                __threadfence();
                put(m.done + job.strip, job.last);
            }
        }
        __syncwarp();
    }
}

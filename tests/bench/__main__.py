"""``python main.py bench [lcs|edit|alike|ties|swap|affine|search|narrow|bwt|peers|...]...``: print the tables."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable
from importlib.util import find_spec
from statistics import median
from typing import TYPE_CHECKING

from wavediff.core.jit import compile_cache

if TYPE_CHECKING:  # numba must not be loaded before the place of its cache is known
    from wavediff.tests.bench import lcs
    from wavediff.tests.bench.edit import Row

PACKAGES = ("rapidfuzz", "edlib")


def main(argv: list[str]) -> int:
    """Run the benchmarks named in ``argv``; returns 0, or 2 when the peers are missing or an answer differs."""
    parser = argparse.ArgumentParser(
        prog="wavediff bench", description="Ours beside the peers, answers compared.", allow_abbrev=False
    )
    parser.add_argument(
        "tables", nargs="*", metavar="TABLE", help=f"of {', '.join(TABLES)}; all but peers when none is named"
    )
    parser.add_argument("--quick", action="store_true", help="leave out what takes a peer more than a second")
    parser.add_argument(
        "--cpu", action="store_true", help="count the time of the processor: for one thread where others are at work"
    )
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="of 'peers' (default: 1)")
    choices = parser.parse_args(argv)
    unknown = [name for name in choices.tables if name not in TABLES]
    if unknown:
        parser.error(f"no table '{unknown[0]}'; there are {', '.join(TABLES)}")
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        print(f"bench: {' and '.join(missing)} missing; install the extra 'bench'", file=sys.stderr)
        return 2
    compile_cache.prepare()
    from wavediff.tests.bench import machine

    for line in machine.describe():
        print(line)
    if choices.cpu:
        from wavediff.tests.bench import measure

        measure.use_processor_time()
    tables = TABLES | {"peers": lambda quick: _peers(quick, choices.threads)}
    # All of them, whatever the ones before found.
    fine = [tables[name](choices.quick) for name in choices.tables or [one for one in TABLES if one != "peers"]]
    return 0 if all(fine) else 2


def _lcs(quick: bool) -> bool:
    from wavediff.tests.bench import lcs

    heads = f"{'ours':>11} {'GCUPS':>8}   {'rapidfuzz':>11} {'GCUPS':>7} {'ratio':>7}  answers"
    print(f"\n{'LCS (one core unless said)':48} {heads}")
    fine = True
    for row in lcs.rows(quick):
        print(line_of(row), flush=True)
        fine &= row.agrees is not False
    return fine


def _edit(quick: bool) -> bool:
    from wavediff.tests.bench import edit

    return _edit_table("edit distance (one core unless said)", edit.rows(quick))


def _alike(quick: bool) -> bool:
    from wavediff.tests.bench import similar

    return _edit_table("pairs that are alike, long ones on all cores", similar.rows(quick), similar.PEERS)


def _contest(quick: bool) -> bool:
    from wavediff.tests.bench import edit

    return _edit_table("contest of Sudo 2009, stand-ins, distance only", edit.contest())


def _swap(quick: bool) -> bool:
    from wavediff.tests.bench import swap

    heads = f"{'ours':>11} {'GCUPS':>8}   {'rapidfuzz':>11} {'ratio':>8}  answers"
    print(f"\n{'with swaps, and many pairs (one core unless said)':58} {heads}")
    fine = True
    for row in swap.rows(quick):
        line = f"{row.what:58} {unit(row.ours.best):>11} {row.cells / row.ours.best / 1e9:8.1f}"
        if row.ratio is not None:
            verdict = "equal" if row.agrees else "DIFFERENT"
            slower = ", SLOWER" if row.ratio < 1 else ""
            line += f"   {unit(row.peers['rapidfuzz'].best):>11} {row.ratio:8.2f}  {verdict}{slower}"
        print(line, flush=True)
        fine &= row.agrees is not False
    return fine


def _affine(quick: bool) -> bool:
    if find_spec("parasail") is None:
        print("\naffine gaps: parasail is missing, which has no wheels for ARM")
        return True
    from wavediff.tests.bench import affine

    return affine.table(quick, unit)


def _narrow(quick: bool) -> bool:
    from wavediff.tests.bench import narrow_vectors

    print(f"\n{'compiled for vectors of 256 bits, one core':48} {'ours':>11} {'GCUPS':>8}")
    for what, seconds, gcups in narrow_vectors.rows():
        print(f"{what:48} {unit(seconds):>11} {gcups:8.1f}", flush=True)
    return True


def _search(quick: bool) -> bool:
    from wavediff.tests.bench import search

    print(f"\n{'search, Gbit of text a second (one core unless said)':52} {'ours':>8} " + " ".join(
        f"{name:>14}" for name in search.PEERS
    ) + "  fastest, hits")  # fmt: skip
    fine = True
    for row in search.rows(quick):
        beside = " ".join(f"{row.gbps(row.peers[one]):14.2f}" if one in row.peers else " " * 14 for one in search.PEERS)
        verdict = "" if row.agrees is None else f"  {row.winner}, {'equal' if row.agrees else 'DIFFERENT'}"
        print(f"{row.what:52} {row.gbps(row.ours):8.2f} {beside}{verdict}  {row.note}".rstrip(), flush=True)
        fine &= row.agrees is not False
    return fine


def _peers(quick: bool, threads: int = 1) -> bool:
    from wavediff.tests.bench import peers

    for name in peers.missing():
        print(f"\n{name} is not installed: its column is empty, and rows with it alone have none", end="")
    print(f"\n| {threads} thread{'s' * (threads > 1)} | ours | best peer | | ratio | answers | |")
    print("|---|--:|---|--:|--:|---|---|")
    fine = True
    for row in peers.rows(quick, threads):
        cells = [row.what, unit(row.ours.best), "", "", "", "", row.note]
        if row.peers:
            best = min(row.peers, key=lambda name: row.peers[name].best)
            bold = "**" if row.ratio is not None and row.ratio < 1 else ""
            verdict = "equal" if row.agrees else "DIFFERENT"
            cells[2:6] = best, unit(row.peers[best].best), f"{bold}{row.ratio:.2f}{bold}", verdict
        print(f"| {' | '.join(cells)} |", flush=True)
        fine &= row.agrees is not False
    return fine


def _gpu(quick: bool) -> bool:
    from wavediff.tests.bench import gpu, gpu_bwt, gpu_search, gpu_swap

    parts = gpu, gpu_swap, gpu_search, gpu_bwt
    fine = [part.table(quick, unit) for part in parts]  # all of them, whatever the first found
    return all(fine)


def _bwt(quick: bool) -> bool:
    from wavediff.tests.bench import bwt

    heads = f"{'sorting':>11} {'MB/s':>7} {'checked too':>11} {'divsufsort':>11} {'MB/s':>7} {'ratio':>6} {'all':>6}"
    print(f"\n{'Burrows-Wheeler transform (one core unless said)':52} {heads}  answers, way")
    fine = True
    for row in bwt.rows(quick):
        line = f"{row.what:52} {unit(row.ours):>11} {row.n / row.ours / 1e6:7.1f} {unit(row.whole):>11}"
        if row.peer is not None:
            line += f" {unit(row.peer):>11} {row.n / row.peer / 1e6:7.1f}"
            line += f" {row.peer / row.ours:6.2f} {row.peer / row.whole:6.2f}"
        verdict = "" if row.agrees is None else "  equal" if row.agrees else "  DIFFERENT"
        print(f"{line}{verdict}  {row.note}".rstrip(), flush=True)
        fine &= row.agrees is not False
    return fine


def _record(quick: bool) -> bool:
    from wavediff.tests.bench import record
    from wavediff.tests.bench.measure import median_interval

    heads = f"{'places':>9} {'with':>11} {'without':>11} {'ratio':>7} {'95 %':>15} {'pairs':>6}"
    print(f"\n{'CPU time with a record and without, in turn':48} {heads}  answers")
    fine = True
    for row in record.rows(quick):
        low, high = median_interval(row.ratios)
        seconds = f"{unit(median(row.on)):>11} {unit(median(row.off)):>11} {median(row.ratios):7.3f}"
        tail = f"{f'{low:.3f} to {high:.3f}':>15} {len(row.ratios):6}"
        agrees = len(row.answers) == 1
        verdict = "equal" if agrees else "DIFFERENT"
        print(f"{row.what:48} {max(row.places):9,} {seconds} {tail}  {verdict}", flush=True)
        fine &= agrees
    return fine


def _start(quick: bool) -> bool:
    from wavediff.tests.bench import start

    print(f"\n{'process start to result, demo pair':48} {'seconds':>11}")
    for what, seconds in start.rows():
        print(f"{what:48} {seconds:11.2f}", flush=True)
    return True


def _ties(quick: bool) -> bool:
    from wavediff.tests.bench import ties

    heads = f"{'number':>10} {'left-most':>10} {'fewest':>10} {'on top':>7} {'check':>10} {'share':>6}  gaps"
    print(f"\n{'equal costs (one core)':34} {heads}")
    fine = True
    for row in ties.rows(quick):
        times = f"{unit(row.number):>10} {unit(row.left_most):>10} {unit(row.fewest):>10}"
        shares = f"{row.fewest / row.left_most - 1:7.0%} {unit(row.check):>10} {row.check / row.number:6.1%}"
        verdict = "" if row.agrees else "  DIFFERENT"
        print(f"{row.what:34} {times} {shares}  {row.gaps[0]:,} to {row.gaps[1]:,}{verdict}", flush=True)
        fine &= row.agrees
    return fine


def _loaded(quick: bool) -> bool:
    from wavediff.core.run.dispatch import graphics_card
    from wavediff.tests.bench import loaded

    print(f"\n{'a command from its start, ms':26} {'wall':>6} {'CPU':>6} ", *(f"{part:>8}" for part in loaded.PARTS))
    for row in loaded.rows(gpu=graphics_card() is not None):
        parts = (f"{1e3 * row.parts[part]:8.0f}" for part in loaded.PARTS)
        print(f"{row.what:26} {1e3 * row.wall:6.0f} {1e3 * row.cpu:6.0f} ", *parts, end="  ")
        print(f"{row.modules} modules, {row.kernels} kernels", flush=True)
    return True


def _window(quick: bool) -> bool:
    from wavediff.tests.bench import window
    from wavediff.tests.bench.measure import median_interval

    heads = f"{'with':>9} {'without':>9} {'ratio':>7} {'95 %':>15} {'pairs':>6} {'window thread':>14}"
    print(f"\n{'a run with the window, and its neighbour without':48} {heads}")
    for run in window.runs(quick):
        seconds = f"{median(run.shown):7.3f} s {median(run.plain):7.3f} s {median(run.ratios):7.3f}"
        low, high = median_interval(run.ratios)
        tail = f"{f'{low:.3f} to {high:.3f}':>15} {len(run.ratios):6} {100 * median(run.gui):12.1f} %"
        print(f"{run.what:48} {seconds} {tail}", flush=True)
    print(f"\n{'files opened in the window':48} {'painted':>9} {'result':>9} {'longest halt':>14}")
    for one in window.halts(quick):
        print(f"{one.what:48} {one.painted:7.2f} s {one.result:7.2f} s {1000 * one.worst_gap:11.0f} ms", flush=True)
    return True


TABLES: dict[str, Callable[[bool], bool]] = {
    "lcs": _lcs, "edit": _edit, "alike": _alike, "contest": _contest, "swap": _swap, "affine": _affine,
    "ties": _ties, "narrow": _narrow, "search": _search, "bwt": _bwt, "peers": _peers, "gpu": _gpu,
    "start": _start, "loaded": _loaded, "window": _window, "record": _record,
}  # fmt: skip


def line_of(row: lcs.Row) -> str:
    """One line of the table: times are the best of several rounds, a ratio above 1 means ours is faster."""
    line = f"{row.what:48} {unit(row.ours.best):>11} {row.cells / row.ours.best / 1e9:8.1f}"
    if row.peer is None:
        return line
    verdict = "equal" if row.agrees else "DIFFERENT"
    return (
        f"{line}   {unit(row.peer.best):>11} {row.cells / row.peer.best / 1e9:7.1f}"
        f" {row.peer.best / row.ours.best:7.2f}  {verdict}"
    )


def _edit_table(title: str, rows: Iterable[Row], peers: tuple[str, ...] = PACKAGES[::-1]) -> bool:
    """Print a table with both peers; the ratio is to the faster of the two."""
    heads = f"{'ours':>11} {'GCUPS':>8}   " + " ".join(f"{name:>11}" for name in peers)
    print(f"\n{title:48} {heads} {'ratio':>8}  answers")
    fine = True
    for row in rows:
        line = f"{row.what:48} {unit(row.ours.best):>11} {row.cells / row.ours.best / 1e9:8.1f}   "
        line += " ".join(f"{unit(row.peers[name].best) if name in row.peers else '':>11}" for name in peers)
        if row.ratio is not None:
            verdict = "equal" if row.agrees else "DIFFERENT"
            line += f" {row.ratio:8.2f}  {verdict}{', SLOWER' if row.ratio < 1 else ''}"
        print(f"{line}  {row.note}".rstrip(), flush=True)
        fine &= row.agrees is not False
    return fine


def unit(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:.1f} us"
    return f"{seconds * 1e3:.2f} ms" if seconds < 1 else f"{seconds:.2f} s"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""``wavediff bench [lcs|edit|alike|ties|growth|choice|swap|affine|search|bwt|peers|...]...``: print the tables."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from statistics import median
from typing import Any

from wavediff.core.jit import compile_cache
from wavediff.core.system import program

PACKAGES = ("rapidfuzz", "edlib")
ASKED = ("peers", "genome", "growth", "choice")  # tables that are printed by name alone


def main(argv: list[str]) -> int:
    """Run the benchmarks named in ``argv``; returns 0, or 2 when the peers are missing or an answer differs."""
    parser = argparse.ArgumentParser(
        prog="wavediff bench", description="Ours beside the peers, answers compared.", allow_abbrev=False
    )
    parser.add_argument(
        "tables",
        nargs="*",
        metavar="TABLE",
        help=f"of {', '.join(TABLES)}; all but {', '.join(ASKED)} when none is named",
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
        print(f"wavediff: {'; '.join(map(program.lacks, missing))}", file=sys.stderr)
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
    fine = [tables[name](choices.quick) for name in choices.tables or [one for one in TABLES if one not in ASKED]]
    return 0 if all(fine) else 2


def _of(module: str, title: str, peers: tuple[str, ...] = (), rows: str = "rows", **how: Any) -> Callable[[bool], bool]:
    """Return what prints the table of a module, which is imported then."""

    def print_table(quick: bool) -> bool:
        from wavediff.tests.bench.table import show

        return show(title, getattr(import_module(f"wavediff.tests.bench.{module}"), rows)(quick), peers, **how)

    return print_table


def _affine(quick: bool) -> bool:
    if find_spec("parasail") is None:
        print("\naffine gaps: parasail is missing, which has no wheels for ARM")
        return True
    return _of("affine", "affine gaps (one core)", ("parasail",))(quick)


def _peers(quick: bool, threads: int = 1) -> bool:
    from wavediff.tests.bench import peers
    from wavediff.tests.bench.table import unit

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

    fine = [part.table(quick) for part in (gpu, gpu_swap, gpu_search, gpu_bwt)]  # all, whatever the first found
    return all(fine)


def _genome(quick: bool) -> bool:
    from wavediff.tests.bench import rearranged

    print("\nrearranged genomes, all cores, each process from its start")
    return rearranged.genome(quick)


def _record(quick: bool) -> bool:
    from wavediff.tests.bench import record
    from wavediff.tests.bench.measure import median_interval
    from wavediff.tests.bench.table import unit

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
    from wavediff.tests.bench.table import unit

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
    from wavediff.core.run.graphics_cards import graphics_cards
    from wavediff.tests.bench import loaded

    print(f"\n{'a command from its start, ms':26} {'wall':>6} {'CPU':>6} ", *(f"{part:>8}" for part in loaded.PARTS))
    for row in loaded.rows(gpu=graphics_cards().describe() is not None):
        parts = (f"{1e3 * row.parts[part]:8.0f}" for part in loaded.PARTS)
        print(f"{row.what:26} {1e3 * row.wall:6.0f} {1e3 * row.cpu:6.0f} ", *parts, end="  ")
        print(f"{row.modules} modules, {row.kernels} kernels", flush=True)
    print(f"\n{'a call from Python, us':26} {'ours':>8} {'RapidFuzz':>10}")
    for what, ours, theirs in loaded.calls():
        print(f"{what:26} {ours:8.1f} {theirs:10.1f}", flush=True)
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


PEERS = ("edlib", "rapidfuzz")
SEARCHERS = ("ahocorasick_rs", "pyahocorasick", "stringzilla", "hyperscan", "sassy")
TABLES: dict[str, Callable[[bool], bool]] = {
    "lcs": _of("lcs", "LCS (one core unless said)", ("rapidfuzz",)),
    "edit": _of("edit", "edit distance (one core unless said)", PEERS),
    "alike": _of("similar", "pairs that are alike, long ones on all cores", ("edlib", "WFA2")),
    "contest": _of("edit", "contest of Sudo 2009, stand-ins, distance only", PEERS, "contest"),
    "swap": _of("swap", "with swaps, and many pairs (one core unless said)", ("rapidfuzz",)),
    "affine": _affine,
    "ties": _ties,
    "growth": _of("growth", "growth: alignments of DNA that is alike"),
    "narrow": _of("narrow_vectors", "compiled for vectors of 256 bits, one core"),
    "search": _of("search", "search (one core unless said)", SEARCHERS, speed="Gbit/s", per=1e9 / 8),
    "rearranged": _of("rearranged", "rearranged genomes, CPU time", ("mummer", "minimap2"), speed="MB/s", per=1e6),
    "bwt": _of("bwt", "Burrows-Wheeler transform (one core unless said)", ("divsufsort",), speed="MB/s", per=1e6),
    "choice": _of("gpu", "the device chosen: a card, and all cores", ("cores",), "choices", speed="TCUPS", per=1e12),
    "genome": _genome,
    "peers": _peers, "gpu": _gpu, "start": _start, "loaded": _loaded, "window": _window, "record": _record,
}  # fmt: skip


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""``python main.py bench``: print the tables."""

from __future__ import annotations

import argparse
import sys
from importlib.util import find_spec

from core import compile_cache


def main(argv: list[str]) -> int:
    """Run the benchmarks named in ``argv``; returns 0, or 2 when the peers are missing or an answer differs."""
    parser = argparse.ArgumentParser(prog="wavediff bench", description="Ours beside the peers, answers compared.")
    parser.add_argument("--quick", action="store_true", help="leave out what takes a peer more than a second")
    parser.add_argument("--start", action="store_true", help="only the time from process start to the first result")
    choices = parser.parse_args(argv)
    if find_spec("rapidfuzz") is None:
        print("bench: rapidfuzz is missing; install the extra 'bench'", file=sys.stderr)
        return 2
    compile_cache.prepare()
    from tests.bench import lcs, machine, start

    for line in machine.describe():
        print(line)
    fine = True
    if not choices.start:
        heads = f"{'ours':>11} {'GCUPS':>8}   {'rapidfuzz':>11} {'GCUPS':>7} {'ratio':>7}  answers"
        print(f"\n{'LCS (one core unless said)':48} {heads}")
        for row in lcs.rows(choices.quick):
            print(line_of(row), flush=True)
            fine &= row.agrees is not False
    print(f"\n{'process start to result, demo pair':48} {'seconds':>11}")
    for what, seconds in start.rows():
        print(f"{what:48} {seconds:11.2f}", flush=True)
    compile_cache.seal()
    return 0 if fine else 2


def line_of(row: object) -> str:
    """One line of the table: times are the best of several rounds, a ratio above 1 means ours is faster."""
    from tests.bench.lcs import Row

    assert isinstance(row, Row)
    line = f"{row.what:48} {unit(row.ours.best):>11} {row.cells / row.ours.best / 1e9:8.1f}"
    if row.peer is None:
        return line
    verdict = "equal" if row.agrees else "DIFFERENT"
    return (
        f"{line}   {unit(row.peer.best):>11} {row.cells / row.peer.best / 1e9:7.1f}"
        f" {row.peer.best / row.ours.best:7.2f}  {verdict}"
    )


def unit(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:.1f} us"
    return f"{seconds * 1e3:.2f} ms" if seconds < 1 else f"{seconds:.2f} s"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Every format of a comparison by its name; run as a program it writes one file on a full disk."""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np

from tests.core.export.helpers import comparison, sequence
from wavediff.core.base.errors import ExportError
from wavediff.core.export.atomic import write_atomic
from wavediff.core.export.comparison import Comparison
from wavediff.core.export.registry import COMPARISON
from wavediff.core.jobs.alignment import Alignment
from wavediff.core.sequences.sequence import Sequence

Case = tuple[Sequence, Sequence, Alignment]

FORMATS = {kind.id: kind for kind in COMPARISON if not kind.method}  # of every method
LIMIT = 100_000  # bytes; every file of ``long_case`` is longer


def answer(a: Sequence, b: Sequence, runs: Alignment) -> Comparison:
    found = comparison(a, b, runs)
    return replace(found, result=replace(found.result, reason="x" * 300_000))


def long_case() -> Case:
    """A pair with 60,000 differences."""
    ops = np.tile(np.array([0, 1, 0, 3, 0, 2], np.uint8), 20_000)
    runs = Alignment(ops, np.full(ops.size, 2, np.int64))
    return sequence(b"ACGT" * (runs.n_a // 4), "ref"), sequence(b"AGGT" * (runs.n_b // 4), "query"), runs


def main(kind: str, target: str) -> int:
    """Write ``kind`` to ``target`` on a disk that is full."""
    chunks = FORMATS[kind].chunks(answer(*long_case()))
    import resource
    import signal

    # The kernel itself then takes part of a write and refuses the rest, as a full disk does.
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (LIMIT, LIMIT))
    try:
        write_atomic(target, chunks)
    except ExportError as error:
        sys.stdout.write(f"{error}\n")
        return 7
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))

"""Read mutated files of each of our formats for some time: python -m tests.fuzz [--seconds N] [--seed N] [TARGET...]

An input that raises what its reader does not promise, takes too long or too much memory is written to ``.fuzz``. Put it
into ``tests/fuzz/corpus/TARGET`` beside the repair: ``make test`` reads it from then on.
"""

from __future__ import annotations

import argparse
import hashlib
import random
import signal
import sys
import time
import traceback
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.fuzz.targets import TARGETS, corpus, made

MAX_READ_SECONDS = 20.0  # of one input; the slowest takes a hundredth
MAX_MEMORY_BYTES = 4 << 30  # of addresses, beyond those in use at the start
MAX_FAULTS = 5  # of a target, then the next one begins
ROOT = Path(__file__).parents[2]


class TooSlowError(Exception):
    """An input takes longer than it may."""


def main(arguments: list[str]) -> int:
    """Return 0 when every input of every target was read or refused as promised."""
    parser = argparse.ArgumentParser(prog="fuzz", description="Read mutated files.", allow_abbrev=False)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"of {', '.join(TARGETS)} (default: all)")
    parser.add_argument("--seconds", type=float, default=600.0, help="of each target (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=time.time_ns() % 1_000_000_007, help="of the mutations")
    asked = parser.parse_args(arguments)
    if not set(asked.targets) <= set(TARGETS):
        parser.error(f"the targets are {', '.join(TARGETS)}")
    for name in TARGETS:  # compile before memory is limited
        for data in corpus(name):
            TARGETS[name].read(data)
    _limit_memory()
    return int(sum(fuzz(name, asked.seconds, asked.seed) for name in asked.targets or TARGETS) > 0)


def fuzz(name: str, seconds: float, seed: int) -> int:
    """Return the number of faults that were found."""
    rng, seeds, n, found = random.Random(seed), corpus(name), 0, dict[str, bytes]()
    end = time.monotonic() + seconds
    while time.monotonic() < end and len(found) < MAX_FAULTS:
        data = made(name, seeds, rng)
        n += 1
        if place := fault(name, data):
            found.setdefault(place, data)
    sys.stdout.write(f"{name}: {n:,} inputs, {len(found)} faults (--seed {seed})\n")
    for place, data in found.items():
        path = ROOT / ".fuzz" / f"{name}-{hashlib.sha256(data).hexdigest()[:12]}"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(data)
        sys.stdout.write(f"  {place}\n  {path.relative_to(ROOT)}\n")
    sys.stdout.flush()
    return len(found)


def fault(name: str, data: bytes) -> str:
    """Return what was raised and where; nothing where the input was read or refused."""
    has_timer = hasattr(signal, "setitimer")
    if has_timer:
        signal.signal(signal.SIGALRM, _too_slow)
        signal.setitimer(signal.ITIMER_REAL, MAX_READ_SECONDS)
    try:
        TARGETS[name].read(data)
    except Exception as error:
        last = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__}: {str(error)[:120]} ({Path(last.filename).name}, line {last.lineno})"
    finally:
        if has_timer:
            signal.setitimer(signal.ITIMER_REAL, 0)
    return ""


def _too_slow(_number: int, _frame: Any) -> None:
    raise TooSlowError(f"more than {MAX_READ_SECONDS:.0f} s")


def _limit_memory() -> None:
    with suppress(ImportError, OSError, ValueError):
        import resource

        import psutil

        used = psutil.Process().memory_info().vms
        resource.setrlimit(resource.RLIMIT_AS, (used + MAX_MEMORY_BYTES, resource.RLIM_INFINITY))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

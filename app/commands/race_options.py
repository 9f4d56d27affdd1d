"""Options of ``race``."""

from __future__ import annotations

import argparse
from typing import Any

from wavediff.app.commands.help_format import RawFormatter
from wavediff.app.commands.options import (
    add_case,
    add_letters,
    add_orientation,
    add_output,
    add_pictures,
    add_reading,
    add_threads,
    whole,
)
from wavediff.core.base.errors import WavediffError, printable
from wavediff.core.export.registry import RACE
from wavediff.core.methods import METHODS
from wavediff.core.methods.base import Method
from wavediff.core.methods.race_job import AUTO_ROUNDS, MAX_KERNELS, MAX_ROUNDS, SHORT_RUN_ROUNDS, race_kernels


def add_race(commands: Any) -> None:
    race = commands.add_parser(
        "race",
        usage="%(prog)s [OPTION...] A B",
        description="Let several kernels solve the same pair, one after the other so that none disturbs the next; "
        "compare their answers and the times of their stages.",
        epilog=f"kernels:\n{_kernels()}\n\nexit codes: 0 every kernel has the same answer, 1 the answers differ, "
        "2 error, also of a single kernel; 130 interrupted",
        formatter_class=RawFormatter,
    )
    race.add_argument("a", metavar="A", help="file with the reference")
    race.add_argument("b", metavar="B", help="file with the query")
    race.add_argument(
        "-m",
        "--method",
        choices=[method.id for method in METHODS if method.race_kernels],
        default=METHODS[0].id,
        help="comparison method (default: %(default)s)",
    )
    race.add_argument(
        "--kernels",
        metavar="K,K...",
        help=f"which of them, at most {MAX_KERNELS} (default: usual ones that can run here)",
    )
    race.add_argument(
        "--alignment", action=argparse.BooleanOptionalAction, default=True,
        help="whether each finds the alignment too (default: yes)",
    )  # fmt: skip
    race.add_argument(
        "--rounds", type=whole(0, MAX_ROUNDS), default=AUTO_ROUNDS, metavar="N",
        help=f"runs of each kernel, of which the fastest counts; at most {MAX_ROUNDS} (default: {SHORT_RUN_ROUNDS} of "
        "kernels that take less than a second, else 1)",
    )  # fmt: skip
    add_reading(race, ("--record-a", "A"), ("--record-b", "B"))
    matching = race.add_argument_group("which letters match")
    add_case(matching)
    add_letters(matching)
    add_orientation(race)
    add_threads(race, " of the CPU's kernels")
    written = add_output(race, *RACE)
    add_pictures(race, written, "the maps of all, and their times", "all maps in step")


def named_kernels(method: Method, asked: str) -> tuple[str, ...]:
    """Return the ids in ``--kernels``.

    Raises:
        WavediffError: the method has no such kernel, or they are too many.
    """
    known, ids = race_kernels(method), tuple(dict.fromkeys(part.strip() for part in asked.split(",")))
    for id_ in ids:
        if id_ not in known:
            raise WavediffError(f"--kernels {printable(id_)}: --method {method} has {', '.join(known)}")
    if len(ids) > MAX_KERNELS:
        raise WavediffError(f"--kernels: {len(ids)} kernels, at most {MAX_KERNELS} can race")
    return ids


def _kernels() -> str:
    lines = []
    for method in METHODS:
        lines += [f"  {method.id}: {race_kernel.id:<15} {race_kernel.tip}" for race_kernel in method.race_kernels]
    return "\n".join(lines)

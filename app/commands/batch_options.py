"""Options of ``batch``."""

from __future__ import annotations

from typing import Any

from wavediff.app.commands.cluster import add_cluster
from wavediff.app.commands.method_options import add_method_options
from wavediff.app.commands.options import (
    add_case,
    add_device,
    add_format,
    add_output,
    add_pictures,
    add_threads,
    listed,
)
from wavediff.core.export.registry import BATCH
from wavediff.core.jobs.choices import Pairing
from wavediff.core.methods import METHODS
from wavediff.core.methods.edit import EDIT

BATCH_OPTIONS = [(one, option) for one in METHODS if one.batch is not None for option in one.batch.options]


def add_batch(commands: Any) -> None:
    """Add the subcommand; ``commands`` is what ``add_subparsers`` returned."""
    batch = commands.add_parser(
        "batch",
        help="distances of many pairs at once",
        description="Compare the records of A with those of B, pair by pair or each with each, or those of A with each "
        "other: distances only, no alignments.",
        epilog="exit codes: 0 the two of every pair have the same letters, 1 not so, 2 error, 130 interrupted",
    )
    batch.add_argument("a", metavar="A", help="file of many records")
    batch.add_argument("b", metavar="B", nargs="?", help="another one; without it the records of A with each other")
    batch.add_argument(
        "--method", choices=[one.id for one in METHODS if one.batch is not None], default=EDIT.id,
        help=f"{', '.join(f'{one.id}: {one.batch.numbers}' for one in METHODS if one.batch)} (default: %(default)s)",
    )  # fmt: skip
    batch.add_argument(
        "--pairs", choices=listed(Pairing),
        help="one-to-one: first with first, second with second...; all-to-all: each with each (default: one-to-one "
        "of two files)",
    )  # fmt: skip
    add_format(batch, "B")
    add_case(batch)
    add_device(batch)
    add_method_options(batch, BATCH_OPTIONS)
    add_threads(batch)
    add_cluster(batch, "compute the pairs")
    add_pictures(batch, add_output(batch, *BATCH), "the heat map of --pairs all-to-all")

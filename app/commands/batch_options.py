"""Options of ``batch``."""

from __future__ import annotations

from typing import Any

from app.commands.options import add_case, add_device, add_format, add_output, add_threads
from core.export.registry import BATCH


def add_batch(commands: Any) -> None:
    """Add the subcommand; ``commands`` is what ``add_subparsers`` returned."""
    batch = commands.add_parser(
        "batch",
        help="distances of many pairs at once",
        description="Compare the records of A with those of B, pair by pair or each with each, or those of A with each "
        "other: distances only, no alignments.",
        epilog="exit codes: 0 the two of every pair have the same letters, 1 not so, 2 trouble, 130 interrupted",
    )
    batch.add_argument("a", metavar="A", help="file of many records")
    batch.add_argument("b", metavar="B", nargs="?", help="another one; without it the records of A with each other")
    batch.add_argument(
        "--method", choices=["edit", "swap", "lcs"], default="edit",
        help="edit distance, the same with swaps, or the length of the LCS (default: %(default)s)",
    )  # fmt: skip
    batch.add_argument(
        "--pairs", choices=["zip", "all"],
        help="zip: first with first, second with second...; all: each with each (default: zip of two files)",
    )  # fmt: skip
    add_format(batch, "B")
    add_case(batch)
    add_device(batch)
    batch.add_argument(
        "--kernel", choices=["default", "paper", "paper-global"],
        help="swap: what computes the cells; paper: as paper 5 has it, to compare with: on a GPU only; paper-global: "
        "the same without shared memory",
    )  # fmt: skip
    add_threads(batch)
    add_output(batch, *BATCH)

"""Options shared by several comparison methods: traceback, ties, block size."""

from __future__ import annotations

from wavediff.core.methods.base import Ties, TracebackMethod
from wavediff.core.methods.options import Choice, Value, joined


def path_option(*paths: TracebackMethod) -> Choice:
    """Return the traceback option; the first of ``paths`` is the default."""
    return Choice(
        id="traceback",
        label="Traceback",
        tip="How the path of the alignment is found",
        help=f"how the alignment is found: {joined([_PATHS_HELP[one] for one in paths], 'or')}",
        default=paths[0],
        values=tuple(one for one in _PATHS if one.value in paths),
        kept=True,
    )


def ties_option() -> Choice:
    """Return the option that selects one of the optimal alignments."""
    return Choice(
        id="ties",
        label="Equal costs",
        tip="Choice among alignments of equal cost",
        help="choice among alignments of equal cost: the one with the fewest gaps between long equal "
        "runs (default), or the one whose gaps lie as far left as possible, however many",
        default=Ties.FEWEST_GAPS,
        kept=True,
        values=(
            Value(Ties.FEWEST_GAPS, "Fewest gaps", "Fewest gaps between long equal runs, as far left as possible"),
            Value(Ties.LEFT_MOST, "Left-most", "Every gap as far left as possible, however many gaps"),
        ),
    )


_PATHS_HELP = {
    TracebackMethod.BLOCKS: "from stored block borders",
    TracebackMethod.HIRSCHBERG: "by halving (least memory)",
    TracebackMethod.NONE: "not at all",
}
_PATHS = (
    Value(TracebackMethod.BLOCKS, "Checkpoints", "Trace back through the stored borders of the blocks: one pass"),
    Value(TracebackMethod.HIRSCHBERG, "Hirschberg", "Halve and recurse: least memory, about twice the cells"),
    Value(TracebackMethod.NONE, "None", "Only the score or distance, no alignment"),
)

BlockShape = tuple[int, int]  # rows, columns in letters; (0, 0) = as suits the pair
AUTO_BLOCKS: BlockShape = (0, 0)
MAX_BLOCK_LETTERS = 1 << 20


def block_option(*shapes: Value, shown: bool, help: str) -> Choice:
    return Choice(
        id="blocks",
        label="Blocks",
        tip="Rows and columns of a block",
        help=help,
        default=AUTO_BLOCKS,
        kept=True,
        values=(Value(AUTO_BLOCKS, "Auto", "Blocks as large as suits the pair", typed="0x0"), *shapes),
        others=_shape,
        others_metavar="ROWSxCOLS",
        shown=shown,
    )


def _shape(text: str) -> BlockShape:
    rows, _, cols = text.lower().partition("x")
    if not (rows.isascii() and rows.isdigit() and cols.isascii() and cols.isdigit()):
        raise ValueError(f"'{text}' is not like 128x1280")
    if not (1 <= int(rows) <= MAX_BLOCK_LETTERS and 1 <= int(cols) <= MAX_BLOCK_LETTERS):
        raise ValueError(f"{text}: a block has 1 to {MAX_BLOCK_LETTERS:,} rows and columns")
    return int(rows), int(cols)

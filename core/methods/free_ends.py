"""Options of the edit distance with free ends: which ends are free, and how many places are listed."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from wavediff.core.base.errors import WavediffError
from wavediff.core.base.numbers import count, number
from wavediff.core.methods.options import MAX_DIGITS, Choice, Options, Value

if TYPE_CHECKING:
    from wavediff.core.methods.base import PairJob
    from wavediff.core.sequences.sequence import Sequence


class Ends(StrEnum):
    """Ends whose overhang (letters before and after the aligned part) costs nothing."""

    NONE = "none"  # global: each sequence from end to end
    A = "a"  # of A: all of B lies inside A (semi-global, as edlib's HW)
    B = "b"  # of B: all of A lies inside B
    BOTH = "both"  # of both: one inside the other, or the end of one on the start of the other (overlap, dovetail)


EDIT_PENALTY = 3  # score of an overlap: its letters minus this per edit
ENDS = Choice(
    id="ends",
    label="Free ends",
    advanced=False,
    tip="Sequences whose ends may overhang at no cost",
    help="sequences whose ends may overhang at no cost; none (default; each sequence from end to end), a (B is placed "
    "inside A), b (A is placed inside B), both (one inside the other, or the end of one overlaps the start of the "
    f"other; the overlap has the most letters minus {EDIT_PENALTY} per edit)",
    default=Ends.NONE,
    values=(
        Value(Ends.NONE, "None", "Global: each sequence from its first letter to its last"),
        Value(Ends.A, "Of A: B inside A", "All of B is placed where it fits best in A; the rest of A costs nothing"),
        Value(Ends.B, "Of B: A inside B", "All of A is placed where it fits best in B; the rest of B costs nothing"),
        Value(
            Ends.BOTH,
            "Of both: overlap",
            "One inside the other, or the end of one over the start of the other: the overlap with the most "
            "letters minus 3 per edit",
        ),
    ),
)
BEST_ONLY = "best"


def _limit(text: str) -> str:
    """Parse a limit of edits: ``12``, or ``5%`` of the letters of B."""
    number = text.removesuffix("%")
    plain = number.replace(".", "", 1) if text.endswith("%") else number
    if not (plain.isascii() and plain.isdigit() and len(plain) <= MAX_DIGITS):
        raise ValueError(f"'{text}' is not {BEST_ONLY}, a number of edits, or a percentage of B's letters such as 5%")
    if text.endswith("%") and float(number) >= 100:
        raise ValueError(f"{text} of B's letters as edits would fit everywhere: the limit must be below 100%")
    return text


def edits_within(limit: str, n: int) -> int | None:
    """Return the number of edits that a limit allows for ``n`` letters; None if no places are listed.

    >>> edits_within("5%", 1542), edits_within("12", 1542), edits_within("best", 1542)
    (77, 12, None)
    """
    if limit == BEST_ONLY:
        return None
    if not limit.endswith("%"):
        return int(limit)
    return int(n * float(limit.removesuffix("%")) / 100 + 1e-9)


_ALL = "All places where B has no more edits than that share of its letters, on both strands of DNA"
LOCI = Choice(
    id="loci",
    label="Places",
    advanced=False,
    tip="Find the best place, or all places within some edits",
    help="with --ends a: list all places of B in A within N edits, or P% of its letters; on both strands of DNA, "
    "without overlaps; --paf, --tsv and --json have one entry for each (default: best, only the best place)",
    default=BEST_ONLY,
    values=(
        Value(BEST_ONLY, "The best one", "Only the place with the fewest edits"),
        Value("2%", "All within 2 %", _ALL),
        Value("5%", "All within 5 %", _ALL),
        Value("10%", "All within 10 %", _ALL),
        Value("20%", "All within 20 %", _ALL),
    ),
    others=_limit,
    others_metavar="N|P%",
    only_with=("ends", Ends.A),
)


def check_loci(values: Options) -> None:
    """Raise an error for a limit of edits that does not fit the free ends.

    Raises:
        WavediffError: with the names of the command line.
    """
    if values["loci"] != BEST_ONLY and values["ends"] is not Ends.A:
        raise WavediffError(
            f"--loci {values['loci']} lists places of B in A: it goes with --ends a, not with --ends {values['ends']}"
        )


def as_placed(b: Sequence, *, listed: bool) -> Sequence:
    """Return ``b`` as it is placed in A: in file order if places are listed on both strands, else on its strand.

    The result is linear: of the two sequences, only A can be a circle here.

    Raises:
        WavediffError: a list of places in a circle was requested.
    """
    from wavediff.core.sequences.orientation import Orientation

    if listed and b.orientation.circular:
        raise WavediffError("A list of places needs a linear A; in a circle only the best place is found")
    return b.original if listed else b.original.oriented(Orientation(b.orientation.strand))


def overlong_text(job: PairJob) -> str:
    """Return an error if the sequence to place is longer than the other one, else an empty string."""
    n, m, ends = int(job.a.size), int(job.b.size), getattr(job, "ends", Ends.NONE)
    inner, outer, longer = ("B", "A", m > n) if ends is Ends.A else ("A", "B", ends is Ends.B and n > m)
    if not longer:
        return ""
    lengths = f"{number(max(n, m))} and {number(min(n, m))} letters"
    fits = f"compare whole (--ends none), or place {outer} inside {inner} (--ends {inner.lower()})"
    return f"{inner} is longer than {outer} ({lengths}), so it cannot be placed inside it: {fits}"


def require_limit(limit: str, m: int) -> None:
    """Raise an error for a limit so large that B (``m`` letters) matches everywhere.

    Raises:
        WavediffError: as many edits are allowed as B has letters.
    """
    within = edits_within(limit, m)
    if within is not None and within >= m:
        edits = count(within, "edit", "edits")
        text = f"{edits} would fit everywhere: B has only {count(m, 'letter', 'letters')}, choose a smaller limit"
        raise WavediffError(text)

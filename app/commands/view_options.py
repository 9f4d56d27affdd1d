"""Options for the part of a comparison that a picture shows, and their valid combinations."""

from __future__ import annotations

import argparse
import re
from typing import Any

from wavediff.app.commands.options import letters, listed
from wavediff.core.base.errors import ExportError, WavediffError
from wavediff.core.export.registry import FILMS, PICTURES
from wavediff.core.jobs.choices import Column, DifferenceKind, View
from wavediff.core.methods.base import LETTER
from wavediff.core.teach.unit import Unit

MOVING = (View.MAP, View.BAND, View.CELLS, View.WORDS)
ALIGNED = (View.LETTERS, View.DIFFERENCES)  # show the alignment
OF_LETTERS = (*ALIGNED, View.BAND, View.CELLS, View.WORDS)  # for which a pair is compared by letters
OF_MATCHES = (View.DOTS, View.BLOCKS)  # for which A and B are not compared from end to end
SEEN_IN = {  # options of views, by their names
    "at": (*ALIGNED, View.LINES, View.BLOCKS, View.DOTS),
    "unique": (View.DOTS,),
    "opacity": (View.DOTS,),
    "layout": (View.LINES,),
    "colours": (View.LETTERS,),
    "sort": (View.DIFFERENCES,),
    "least": (View.DIFFERENCES,),
    "kinds": (View.DIFFERENCES,),
    "moment": (View.MAP,),
    "corner": (View.CELLS, View.WORDS),
    "unit": (View.CELLS, View.WORDS),
    "step": (View.CELLS, View.WORDS),
}
USUAL = {"size": None, "width": None, "dpi": 96, "keep_paths": False}  # of pictures of all views
DESCENDING = ":desc"


def add_views(compare: Any) -> None:
    group = compare.add_argument_group("what a picture shows")
    group.add_argument(
        "--view", choices=listed(View), help="a part of the window: the alignment in letters, the lines of two "
        "texts, the map of the computation, the band (of the edit distance) and what it proves, the cells of the table "
        "or their machine words, the list of differences, the statistics, the timings, the skipped work, the dot plot "
        "of exact matches, for which A and B are not compared, the collinear blocks of --rearranged; films are of "
        "map, band, cells or words (default: lines of --method lines and words, else letters where there is an "
        "alignment, else map; of films map)",
    )  # fmt: skip
    group.add_argument(
        "--at", metavar="PLACE", help="letters: first column: a number, A:5000, B:5000, NAME:5000, 50%% or #123 for a "
        "difference (default: the first column); lines: A:150, B:163 or #4 for a hunk; differences: #123 is the first "
        "row; blocks: #4 is the one whose borders are shown in letters; dots: letters of A and B, as 101-600,201-700",
    )  # fmt: skip
    group.add_argument(
        "--unique", action="store_const", const=True, help="dots: only runs with a k-mer that is unique in A and in B"
    )
    group.add_argument(
        "--opacity", type=_share, metavar="SHARE", help="dots: opacity of sparse dots, 0%% (hidden) to 100%%"
    )
    group.add_argument("--layout", choices=("side", "inline"), help="lines: side by side (default), or inline")
    group.add_argument(
        "--colours", choices=("differences", "letters", "cells"), help="letters: colour the differences alone "
        "(default), also the letter of each base, or also its cell",
    )  # fmt: skip
    group.add_argument(
        "--sort", type=_sort, metavar=f"COLUMN[{DESCENDING}]", help=f"differences: sort by {', '.join(Column)} "
        "(default: number)",
    )  # fmt: skip
    group.add_argument("--least", type=letters, metavar="N", help="differences: only those of at least N letters")
    group.add_argument(
        "--kinds", type=_kinds, metavar="KIND,...", help=f"differences: kinds shown, of {', '.join(DifferenceKind)}"
    )
    group.add_argument("--moment", type=_share, metavar="SHARE", help="map: state at this share of the run: 40%%")
    group.add_argument(
        "--corner", type=_corner, metavar="ROW,COLUMN", help="cells, words: first row and column of the 64 x 64 cells, "
        "counted from 1 (default: all cells of a small table)",
    )  # fmt: skip
    group.add_argument("--unit", choices=listed(Unit), help="cells, words: what one step computes")
    group.add_argument("--step", type=letters, metavar="K", help="cells, words: the step shown (default: the last)")


def usual_view(unit: str, aligned: bool) -> View:
    return View.LINES if unit != LETTER else View.LETTERS if aligned else View.MAP


def check_view(arguments: argparse.Namespace, *, aligned: bool, unit: str) -> None:
    """Raise an error for views that no picture can show, before any computation.

    Raises:
        ExportError: invalid combination.
    """
    view = arguments.view
    if view in ALIGNED and not aligned:
        raise ExportError(f"--view {view} needs the alignment, which '--traceback none' leaves out")
    if view == View.LINES and unit == LETTER:
        raise ExportError(f"--view {view} needs --method lines or words")
    drawn = [kind.id for kind in (*FILMS, *PICTURES) if getattr(arguments, kind.dest, None) is not None]
    films = [kind.id for kind in FILMS if kind.id in drawn]
    if films and view is not None and view not in MOVING:
        raise ExportError(f"--{films[0]}: nothing moves in --view {view}; {', '.join(MOVING)} do")
    shown = {view or usual_view(unit, aligned=True)}
    if view is None and not drawn:
        shown.add(View.DIFFERENCES)  # which the window lists beside the letters
    for name, views in SEEN_IN.items():
        if getattr(arguments, name) is not None and shown.isdisjoint(views):
            raise ExportError(f"--{name} goes with --view {' or '.join(views)}")


def check_matches(arguments: argparse.Namespace) -> None:
    """Raise WavediffError for options of blocks and dots without blocks or dots."""
    dots, blocks = arguments.view == View.DOTS, arguments.rearranged or arguments.view == View.BLOCKS
    if arguments.all_records and (blocks or not dots):
        raise WavediffError("--all-records goes with --view dots alone; --rearranged compares one record of each")
    if arguments.seed_letters and not blocks and not dots:
        raise WavediffError("--seed-letters goes with --rearranged, --view blocks or dots")


def check_drawn(arguments: argparse.Namespace) -> None:
    """Raise ExportError for options of pictures, other than defaults of the user, without a picture."""
    given = {name: value for name, value in vars(arguments).items() if name not in getattr(arguments, "defaults", {})}
    if all(getattr(arguments, kind.dest, None) is None for kind in (*FILMS, *PICTURES)):
        for name in (*SEEN_IN, *USUAL):
            if given.get(name, USUAL.get(name)) != USUAL.get(name):
                raise ExportError(f"--{name.replace('_', '-')} is for pictures and films: add one, as --png FILE")


def range_of(at: str, n: int, m: int) -> tuple[int, int, int, int]:
    """Return the ranges ``at`` of a dot plot in A (``n`` letters) and B (``m``), 0-based and half-open.

    Raises:
        WavediffError: not two ranges, or outside the sequences.
    """
    found = re.fullmatch(r"(\d{1,18})-(\d{1,18}),(\d{1,18})-(\d{1,18})", at)
    a, a_end, b, b_end = map(int, found.groups()) if found else (0, 0, 0, 0)
    if not (1 <= a <= a_end <= n and 1 <= b <= b_end <= m):
        raise WavediffError(f"--at {at}: give a range of A and one of B, within 1-{n},1-{m}")
    return a - 1, a_end, b - 1, b_end


def asked_of(view: View, arguments: argparse.Namespace) -> dict[str, Any]:
    given = {name: getattr(arguments, name) for name, views in SEEN_IN.items() if view in views}
    return {name: value for name, value in given.items() if value is not None}


def _sort(text: str) -> str:
    if text.removesuffix(DESCENDING) not in listed(Column):
        raise argparse.ArgumentTypeError(f"{text} is none of {', '.join(Column)}, with or without {DESCENDING}")
    return text


def _kinds(text: str) -> str:
    if not set(text.split(",")) <= set(listed(DifferenceKind)):
        raise argparse.ArgumentTypeError(f"{text} are none of {', '.join(DifferenceKind)}")
    return text


def _share(text: str) -> float:
    share = float(text.removesuffix("%")) / 100
    if not 0 <= share <= 1:
        raise argparse.ArgumentTypeError(f"{text} is not between 0% and 100%")
    return share


def _corner(text: str) -> str:
    row, col = map(letters, text.split(","))
    if min(row, col) < 1:
        raise argparse.ArgumentTypeError(f"{text}: rows and columns are counted from 1")
    return text

"""Options of ``search``."""

from __future__ import annotations

from typing import Any

from wavediff.app.commands.options import (
    add_all,
    add_case,
    add_cluster,
    add_device,
    add_format,
    add_letters,
    add_output,
    add_threads,
    listed,
    whole,
)
from wavediff.core.export.registry import SEARCH, TIMINGS
from wavediff.core.jobs.choices import SearchLayout
from wavediff.core.sequences.letter_rules import LetterRule
from wavediff.core.sequences.orientation import Topology


def add_search(commands: Any) -> None:
    search = commands.add_parser(
        "search",
        usage="%(prog)s [OPTION...] PATTERN FILE...",
        description="Find every occurrence of every pattern in each FILE (FASTA, FASTQ, GenBank, EMBL, SnapGene or "
        "plain text, also compressed), overlapping and nested ones too.",
        epilog="exit codes: 0 something was found, 1 nothing was found, 2 error, 130 interrupted",
    )
    search.add_argument(
        "words", metavar="PATTERN FILE", nargs="+",
        help="the pattern, letter for letter, unless --pattern or --patterns is there; and where to search: all its "
        "records, or of a single file the one of --record; a folder stands for all files in it and below. FILE "
        "PATTERN... is understood where the first word alone is a file",
    )  # fmt: skip
    search.add_argument(
        "--patterns", metavar="F", help="file with patterns: FASTA, or one a line (a name, a tab before it), with the "
        "escapes \\t, \\n, \\r, \\xHH and \\\\; blank lines are skipped",
    )  # fmt: skip
    search.add_argument(
        "--pattern", action="append", metavar="P", help="a pattern, letter for letter; may be given many times"
    )
    search.add_argument(
        "--enzyme", metavar="NAME,...", help="restriction enzymes, whose sites and cuts are found; in DNA a pattern "
        "may be such a name too, or two primers (FORWARD..REVERSE), whose products of up to 10,000 letters are found",
    )  # fmt: skip
    read = search.add_argument_group("how files are read")
    read.add_argument("--record", metavar="NAME|N", help="search in this record only, by name or 1-based number")
    add_format(read)
    what = search.add_argument_group("what matches")
    what.add_argument(
        "-k",
        "--errors",
        dest="k",
        type=whole(0, 4_096),
        default=0,
        metavar="N",
        help="errors allowed, 0 to 8 (default: 0)",
    )
    kind = what.add_mutually_exclusive_group()
    kind.add_argument("--mismatches", action="store_true", help="errors are substitutions (default)")
    kind.add_argument("--edits", action="store_true", help="errors are substitutions, insertions and deletions")
    what.add_argument("--both-strands", action="store_true", help="also find the reverse complements")
    what.add_argument(
        "--alphabet", choices=["auto", *listed(LetterRule)], default="auto",
        help="what the letters of patterns stand for; auto: IUPAC codes in sequences, themselves in text",
    )  # fmt: skip
    what.add_argument(
        "--topology", choices=listed(Topology), default=str(Topology.AUTO),
        help="circular: find what lies across the origin too; auto: as the file says (default: %(default)s)",
    )  # fmt: skip
    add_letters(what)
    add_case(what)
    how = search.add_argument_group("how it is computed")
    add_device(how)
    how.add_argument(
        "--layout", choices=listed(SearchLayout), default="auto",
        help="single: one letter a step; quad: four nucleotides; same hits (default: the fastest)",
    )  # fmt: skip
    how.add_argument(
        "--limit", type=whole(1, 1 << 40), metavar="N", help="stop after so many hits (default: 10,000,000)"
    )
    add_threads(how)
    add_cluster(search, "search the files")
    add_all(add_output(search, *SEARCH, TIMINGS), "hits")

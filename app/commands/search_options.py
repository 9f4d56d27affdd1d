"""Options of ``search``, and of ``bwt`` and ``find`` (index search)."""

from __future__ import annotations

import argparse
from typing import Any

from wavediff.app.commands.options import (
    add_all,
    add_case,
    add_cluster,
    add_device,
    add_format,
    add_letters,
    add_output,
    add_pictures,
    add_reading,
    add_threads,
    count,
    letters,
    listed,
    whole,
)
from wavediff.core.export.registry import BWT, FIND, INVERSE_BWT, SEARCH, TIMINGS
from wavediff.core.jobs.choices import BwtMethod, SearchLayout
from wavediff.core.sequences.letter_rules import CaseRule, LetterRule
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
        help="a pattern without escapes, unless --pattern or --patterns is given; then the files: all their records "
        "are searched, or the one of --record in a single file; a folder stands for all files in and below it. "
        "FILE PATTERN... is accepted if only the first word is a file",
    )  # fmt: skip
    search.add_argument(
        "--patterns", metavar="F", help="file with patterns, or - for standard input: FASTA, or one per line (a "
        "name and a tab may precede it), with the escapes \\t, \\n, \\r, \\xHH and \\\\; blank lines are skipped",
    )  # fmt: skip
    search.add_argument("--pattern", action="append", metavar="P", help="a pattern without escapes; may be repeated")
    search.add_argument(
        "--enzyme", metavar="NAME,...", help="find the sites and cuts of these restriction enzymes; in DNA a pattern "
        "can also be an enzyme, or two primers (FORWARD..REVERSE): their products of up to 10,000 letters are found",
    )  # fmt: skip
    read = search.add_argument_group("how files are read")
    read.add_argument("--record", metavar="NAME|N", help="search in this record only, by name or 1-based number")
    add_format(read)
    what = search.add_argument_group("what matches")
    what.add_argument(
        "-k", "--errors", dest="k", type=count, default=0, metavar="N", help="errors allowed, 0 to 8 (default: 0)"
    )
    kind = what.add_mutually_exclusive_group()
    kind.add_argument("--mismatches", action="store_true", help="errors are substitutions (default)")
    kind.add_argument("--edits", action="store_true", help="errors are substitutions, insertions and deletions")
    what.add_argument("--both-strands", action="store_true", help="also find the reverse complements")
    what.add_argument(
        "--alphabet", choices=["auto", *listed(LetterRule)], default="auto",
        help="meaning of the letters of patterns; auto: IUPAC codes in sequences, literal letters in text",
    )  # fmt: skip
    what.add_argument(
        "--topology", choices=listed(Topology), default=str(Topology.AUTO),
        help="circular: find hits across the origin too; auto: as the file says (default: %(default)s)",
    )  # fmt: skip
    add_letters(what)
    add_case(what)
    how = search.add_argument_group("how it is computed")
    add_device(how)
    how.add_argument(
        "--layout", choices=listed(SearchLayout), default="auto",
        help="letters per step: single (one) or quad (four nucleotides); the hits are the same (default: the fastest)",
    )  # fmt: skip
    how.add_argument(
        "--limit", type=whole(1, 1 << 40), metavar="N", help="maximum number of hits (default: 10,000,000)"
    )
    add_threads(how)
    add_cluster(search, "search the files")
    add_all(add_output(search, *SEARCH, TIMINGS), "hits")


MAX_SAMPLE_INTERVAL = 4096


def add_bwt(commands: Any) -> None:
    bwt = commands.add_parser(
        "bwt",
        usage="%(prog)s [OPTION...] FILE [FILE2]",
        description="Burrows-Wheeler transform of one record, or of two joined by a separator: the "
        "rotations of the text and $ are sorted; $ is smaller than every byte and not stored. The inverse is checked.",
    )
    bwt.add_argument("file", metavar="FILE", help="FASTA, FASTQ or text; --inverse: saved transform or last column")
    bwt.add_argument("second", metavar="FILE2", nargs="?", help="a second sequence, joined to the first")
    add_reading(bwt, ("--record", "FILE"), ("--record-b", "FILE2"))
    bwt.add_argument(
        "--separator", metavar="C", type=separator,
        help="separator of the two: a character, or 0x and two digits (default: an unused one)",
    )  # fmt: skip
    bwt.add_argument(
        "--case", choices=listed(CaseRule),
        help="whether lower case is converted to capitals; auto: yes, except in text (default: auto with --save-index, "
        "else exact)",
    )  # fmt: skip
    bwt.add_argument("--inverse", action="store_true", help="recover the text from a last column")
    bwt.add_argument("--primary-index", type=int, metavar="ROW", help="primary index, if FILE is only a last column")
    how = bwt.add_argument_group("how it is computed")
    how.add_argument(
        "--sorter", choices=listed(BwtMethod), default=str(BwtMethod.AUTO),
        help="sorting method; auto: the fastest for the text; ternary: the quicksort of Yamanaka, "
        "Ino and Hagihara, with ranks for long repeats; yamanaka: their published kernels, on a GPU only; sais: "
        "induced sorting; packed: words of 31 letters",
    )  # fmt: skip
    how.add_argument(
        "--compression", action="store_true",
        help="also report bits per letter after move-to-front and run lengths, and those of zlib and bzip2",
    )  # fmt: skip
    add_device(how)
    add_threads(how)
    written = add_output(bwt, *BWT, *INVERSE_BWT, TIMINGS)
    add_pictures(bwt, written, "the first rows of the transform", "how a short text is sorted and recovered")


def add_find(commands: Any) -> None:
    find = commands.add_parser(
        "find",
        usage="%(prog)s [OPTION...] PATTERN... FILE",
        description="Count and locate patterns by backward search in an index of one record.",
        epilog="exit codes: 0 something was found, 1 nothing was, 2 error, 130 interrupted",
    )
    find.add_argument(
        "words", metavar="PATTERN FILE", nargs="+",
        help="patterns without escapes, and a file: FASTA, FASTQ, text, or a saved index or transform; FILE PATTERN... "
        "is accepted if the first word is a file",
    )  # fmt: skip
    add_reading(find, ("--record", "FILE"), normalize=False)
    matching = find.add_argument_group("which letters match")
    add_case(matching, "; a saved index keeps its own")
    add_letters(matching)
    find.add_argument(
        "--limit", type=letters, metavar="N", help="report at most N positions of a pattern, any of them (default: all)"
    )
    find.add_argument("--count-only", action="store_true", help="report counts only, no positions")
    how = find.add_argument_group("how it is computed")
    add_device(how)
    add_threads(how)
    how.add_argument(
        "--sample-interval", type=whole(1, MAX_SAMPLE_INTERVAL), default=32, metavar="N",
        help=f"sample every Nth position, 1 to {MAX_SAMPLE_INTERVAL:,}: a larger N is slower, with a smaller index "
        "(default: %(default)s)",
    )  # fmt: skip
    add_output(find, *FIND, TIMINGS)


def separator(text: str) -> int:
    """Parse a separator: one character, or ``0x`` and two hexadecimal digits."""
    byte = text.encode("utf-8", "surrogateescape")
    if len(byte) == 1:
        return byte[0]
    try:
        number = int(text, 16) if text.lower().startswith("0x") and len(text) == 4 else -1
    except ValueError:
        number = -1
    if number >= 0:
        return number
    raise argparse.ArgumentTypeError(f"'{text}' is neither a character of one byte nor like 0x0A")

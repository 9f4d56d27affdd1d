"""Options shared by several commands."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from typing import Any

from wavediff.core.base.errors import WavediffError
from wavediff.core.export.registry import FILMS, PICTURES, Format
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.cluster import Cluster
from wavediff.core.sequences.letter_rules import CaseRule, UracilRule
from wavediff.core.sequences.orientation import Strand, Topology
from wavediff.core.sequences.read_as import ReadAs

MIN_PICTURE_PX, MAX_PICTURE_PX = 50, 10_000  # of a side of a picture


def whole(least: int, most: int) -> Callable[[str], int]:

    def number(text: str) -> int:
        with suppress(ValueError):
            if least <= (value := int(text.replace(",", ""))) <= most:
                return value
        raise argparse.ArgumentTypeError(f"'{text}' is no whole number from {least:,} to {most:,}")

    return number


count, letters = whole(0, 4_096), whole(0, 1 << 40)
_MM, _DPI = whole(20, 2_000), whole(24, 2_400)


def listed(choices: type[StrEnum]) -> list[str]:
    return [str(choice) for choice in choices]


_FORMATS = listed(ReadAs)


def add_format(command: Any, second: str = "") -> None:
    command.add_argument(
        "--format", choices=_FORMATS, default=_FORMATS[0],
        help="input format; text: each character is a letter, line ends become LF, the last one is dropped; "
        "bytes: the bytes of the file, not decompressed; auto: recognised from the content (default: %(default)s)",
    )  # fmt: skip
    command.add_argument(
        "--encoding", type=encoding, metavar="NAME",
        help="encoding of text, such as cp1252 or shift_jis (default: UTF-8; UTF-16 and UTF-32 are recognised)",
    )  # fmt: skip
    if second:
        command.add_argument("--format-b", choices=_FORMATS, help=f"input format of {second} (default: as --format)")
        command.add_argument(
            "--encoding-b", type=encoding, metavar="NAME", help=f"encoding of {second} (default: as --encoding)"
        )


def add_reading(command: Any, *records: tuple[str, str], normalize: bool = True) -> None:
    group = command.add_argument_group("how files are read")
    for option, file in records:
        group.add_argument(
            option, metavar="NAME|N", help=f"which record of {file}, by name, whole header or 1-based number"
        )
    add_format(group, "".join(file for _, file in records[1:]))
    if len(records) > 1:
        group.add_argument(
            "--features", metavar="FILE", help="features of A, B or both, in records of the same names: GFF3, GTF or "
            "BED (default: a file next to A or B with the same name)",
        )  # fmt: skip
    if normalize:
        group.add_argument(
            "--normalize", choices=("nfc", "nfd", "nfkc", "nfkd"),
            help="convert texts to a Unicode normalization form (default: as they are)",
        )  # fmt: skip


def read_as_of(arguments: argparse.Namespace) -> tuple[ReadAs, ReadAs]:
    one = arguments.format
    return ReadAs(one), ReadAs(getattr(arguments, "format_b", None) or one)


def encodings_of(arguments: argparse.Namespace) -> tuple[str, str]:
    one = arguments.encoding or ""
    return one, getattr(arguments, "encoding_b", None) or one


def add_case(command: Any, more: str = "") -> None:
    command.add_argument(
        "--case", choices=listed(CaseRule), default=str(CaseRule.AUTO),
        help=f"whether a and A match; auto: yes, except in text (default: %(default)s){more}",
    )  # fmt: skip


def add_letters(command: Any) -> None:
    command.add_argument(
        "--letters", choices=listed(UracilRule), default=str(UracilRule.AUTO),
        help="whether U and T of nucleotide sequences match; auto: yes (default: %(default)s)",
    )  # fmt: skip


def add_orientation(command: Any) -> None:
    group = command.add_argument_group("strand and origin of B")
    group.add_argument(
        "--orient", choices=[*listed(Strand), "auto"], default=str(Strand.PLUS),
        help="strand of B that is compared; minus: its reverse complement, auto: the one that shares more k-mers with "
        "A. Positions in B are always those of its file (default: %(default)s)",
    )  # fmt: skip
    group.add_argument(
        "--topology", choices=listed(Topology), default=str(Topology.AUTO),
        help="whether B is circular; auto: as its file says; circular: begin at the letter of B that matches the start "
        "of A; with --ends a, A is the circle, and B may span the end of its file (default: %(default)s)",
    )  # fmt: skip


def add_device(group: Any) -> None:
    group.add_argument(
        "--device", choices=listed(Device), default=str(Device.AUTO), help="device that computes (default: %(default)s)"
    )


def add_threads(group: Any, of: str = "") -> None:
    group.add_argument("-t", "--threads", type=count, default=0, metavar="N", help=f"threads{of} (default: all cores)")


def add_output(
    command: Any, *formats: Format, verbose: str = "also print strategy, device and times", unless: str = ""
) -> Any:
    """Add an option for each output format, and ``--quiet``; return the group.

    Args:
        verbose: help of ``--verbose``; empty: no such option.
        unless: default output, for the help.
    """
    group = command.add_argument_group(f"what is written ('-' = standard output){unless}")
    group.add_argument(
        "-o", "--output", metavar="FILE", action="append", default=[],
        help="output file; its suffix selects the format, such as .json; may be repeated",
    )  # fmt: skip
    named: dict[str, Format] = {}
    for one in formats:
        named.setdefault(one.id, one)  # both directions of a transform have JSON: the first explains it
    for one in named.values():
        group.add_argument(f"--{one.id}", metavar="F", help=one.help)
    group.add_argument("-q", "--quiet", action="store_true", help="no progress and no summary")
    if verbose:
        group.add_argument("-v", "--verbose", action="store_true", help=verbose)
    group.add_argument("--no-pager", action="store_true", help="print a long summary without $PAGER (less -FRX)")
    return group


def add_answer(group: Any) -> None:
    add_all(group, "differences")
    add_color(group)


def add_color(group: Any) -> None:
    group.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto",
        help="colours; auto: in a terminal, unless NO_COLOR is set (default: %(default)s)",
    )  # fmt: skip


def add_all(group: Any, what: str) -> None:
    group.add_argument("--all", action="store_true", help=f"show all {what}, not only the first")


def add_pictures(command: Any, group: Any, picture: str, film: str = "") -> None:
    """Add an option for each picture format (and, with ``film``, each film format) and the size.

    Args:
        picture, film: their content, for the help.
    """
    for one in PICTURES:
        group.add_argument(f"--{one.id}", metavar="F", help=f"a picture {one.help}: {picture}")
    for one in FILMS if film else ():
        group.add_argument(f"--{one.id}", metavar="F", help=f"a film, {one.help}: {film}")
    command = command.add_argument_group("size of pictures and films")
    command.add_argument("--size", type=size, metavar="WxH", help="pixels of a picture or film (default: by content)")
    command.add_argument(
        "--width", type=_MM, metavar="MM", help="width of a picture on paper (default: 96 pixels of --size per inch)"
    )
    command.add_argument("--dpi", type=_DPI, default=96, metavar="N", help="resolution of a PNG (default: %(default)s)")
    command.add_argument(
        "--keep-paths",
        action="store_true",
        help="store full paths of the inputs in pictures and films (default: only the file names)",
    )


def chosen(arguments: argparse.Namespace, usual: argparse.Namespace) -> dict[str, Any]:
    """Return the arguments that differ from ``usual`` and from the user's defaults."""
    given = {name: value for name, value in vars(arguments).items() if name not in getattr(arguments, "defaults", ())}
    return {name: value for name, value in given.items() if value != getattr(usual, name, value)}


def encoding(text: str) -> str:
    try:
        "".encode(text)  # refuses codecs that are none of text
    except (LookupError, ValueError):
        raise argparse.ArgumentTypeError(f"'{text}' is no known text encoding") from None
    return text


def size(text: str) -> tuple[int, int]:
    """Parse the size of a picture, ``WxH`` in pixels."""
    wide, _, high = text.lower().partition("x")
    both = int(wide), int(high)
    if not all(MIN_PICTURE_PX <= one <= MAX_PICTURE_PX for one in both):
        raise argparse.ArgumentTypeError(f"{text} is not {MIN_PICTURE_PX} to {MAX_PICTURE_PX} pixels per side")
    return both


def add_cluster(command: Any, what: str) -> None:
    """Add ``--scheduler`` and the TLS options; ``what``: the work done by the workers."""
    group = command.add_argument_group("on a cluster (with the package distributed)")
    group.add_argument(
        "--scheduler",
        metavar="ADDRESS",
        help=f"address of a Dask scheduler, tcp://host:8786: its workers {what} (see 'worker')",
    )
    for name, text in (("ca", "certificate authority"), ("cert", "certificate"), ("key", "private key")):
        group.add_argument(f"--tls-{name}", metavar="FILE", default="", help=f"{text} for tls:// addresses, PEM")


def cluster_of(arguments: argparse.Namespace) -> Cluster | None:
    """Return the cluster from the options, or None; raise WavediffError for options that exclude each other."""
    files = (arguments.tls_ca, arguments.tls_cert, arguments.tls_key)
    if arguments.scheduler is None:
        if any(files):
            raise WavediffError("--tls-ca, --tls-cert and --tls-key go with --scheduler only")
        return None
    return Cluster(arguments.scheduler, *files)

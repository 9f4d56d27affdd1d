"""Arguments of the window and of `compare`, `difftool`, `batch` and `race`."""

from __future__ import annotations

import argparse
from typing import Any

from wavediff.app.commands.help_format import RawFormatter
from wavediff.app.commands.method_options import BATCH_OPTIONS, COMPARE_OPTIONS, add_method_options, method_options
from wavediff.app.commands.options import (
    add_all,
    add_answer,
    add_case,
    add_cluster,
    add_color,
    add_device,
    add_format,
    add_letters,
    add_orientation,
    add_output,
    add_pictures,
    add_reading,
    add_threads,
    letters,
    listed,
    whole,
)
from wavediff.app.commands.view_options import add_views, check_matches, check_view
from wavediff.core.base.errors import WavediffError, printable
from wavediff.core.export.registry import BATCH, COMPARISON, CONTIGS, MATRIX, RACE, RECORD, TIMINGS
from wavediff.core.jobs.choices import MAX_K, MIN_K, Pairing, TreeMethod
from wavediff.core.methods import METHODS, method
from wavediff.core.methods.base import AUTOMATIC, Method, TracebackMethod
from wavediff.core.methods.edit import EDIT
from wavediff.core.methods.options import accepted
from wavediff.core.methods.race_job import AUTO_ROUNDS, MAX_KERNELS, MAX_ROUNDS, SHORT_RUN_ROUNDS, race_kernels
from wavediff.core.sequences.letter_rules import Ambiguity, CaseRule
from wavediff.core.sequences.orientation import Topology


def add_open(commands: Any) -> None:
    from wavediff.app.commands.cli import main

    window = commands.add_parser(
        "open",
        usage="%(prog)s [OPTION...] [A [B]]",
        description="Open the window, on A and B if given, compared and shown as the options say. Other "
        "choices are those of the last session.",
    )
    window.add_argument("paths", nargs="*", metavar="FILE", help="A and B; without files the window asks for them")
    _pair_options(window)
    add_views(window)
    _other_alignments(window)
    window.set_defaults(method=None, device=None, case=None, letters=None, ambiguity=None)  # as in the last session
    window.add_argument("--demo", action="store_true", help="without a display compare two samples in the terminal")
    window.set_defaults(main=main)  # for the demo pair where there is no display


def add_compare(commands: Any) -> None:
    compare = commands.add_parser(
        "compare",
        usage="%(prog)s [OPTION...] A B",
        description="Compare A (reference) with B (query): FASTA, FASTQ, GenBank, EMBL, SnapGene or plain text, also "
        "compressed.",
        epilog="exit codes: 0 same letters under the case rule, 1 different, 2 error, 130 stopped by Ctrl+C",
    )
    compare.add_argument("a", metavar="A", nargs="?", help="file with the reference")
    compare.add_argument("b", metavar="B", nargs="?", help="file with the query")
    compare.compares_pair = True
    compare.set_defaults(title="", names={}, single_lines=False)
    _compare_options(compare)
    _other_alignments(compare)


def _other_alignments(command: Any) -> None:
    """Add the options for blocks, for dots of all records, and for an alignment made elsewhere."""
    blocks = command.add_argument_group("rearranged genomes")
    blocks.add_argument(
        "--rearranged", action="store_true", help="find the collinear blocks on both strands, and align each of them "
        "exactly: inverted, moved, duplicated, only in A, only in B; compare writes them with --paf, --sam, --vcf, "
        "--tsv and --json",
    )  # fmt: skip
    _add_seed_letters(blocks, "with --rearranged, --view blocks or dots: ")
    blocks.add_argument(
        "--all-records", action="store_true", help="with --view dots: draw all records of A and B, separated by lines, "
        "instead of one record of each",
    )  # fmt: skip
    theirs = command.add_argument_group("an alignment made elsewhere")
    theirs.add_argument(
        "--alignment", metavar="FILE", help="show this alignment next to that of Wavediff, with both costs: PAF, SAM, "
        "BAM, aligned FASTA, CLUSTAL or MAF; the last three, and PAF with long cs:Z, need no A and B",
    )  # fmt: skip
    theirs.add_argument(
        "--record-alignment", metavar="N", type=int, help="which alignment of FILE (default: by the names of A and B)",
    )  # fmt: skip


def add_difftool(commands: Any) -> None:
    from wavediff.app.commands.cli import parsed

    difftool = commands.add_parser(
        "difftool",
        usage="%(prog)s [OPTION...] LOCAL REMOTE [MERGED]",
        description="Show what differs between two versions of a file, or between the files of two folders, as "
        "compare does: texts by lines, sequences by letters. A file that is not one sequence is a text.",
        epilog="exit codes: 0 shown, 2 error, 130 stopped by Ctrl+C",
    )
    difftool.add_argument("a", metavar="LOCAL", help="the old file, /dev/null if there is none, or a folder")
    difftool.add_argument("b", metavar="REMOTE", help="the new file, /dev/null if there is none, or a folder")
    difftool.add_argument("merged", metavar="MERGED", nargs="?", help="path of the file in the repository")
    difftool.add_argument("--window", action="store_true", help="open the window instead")
    difftool.set_defaults(
        parsed=parsed, alignment=None, record_alignment=None, rearranged=False, seed_letters=0, all_records=False
    )
    _compare_options(difftool)


def add_batch(commands: Any) -> None:
    batch = commands.add_parser(
        "batch",
        usage="%(prog)s [OPTION...] A [B [FILE...]]",
        description="Compute distances (no alignments) between the records of A and B, one to one or all to all. "
        "With one file, or three or more, compare every record with every other.",
        epilog="exit codes: 0 the sequences of every pair are equal, 1 some differ, 2 error, 130 interrupted",
    )
    batch.add_argument("a", metavar="A", help="file of many records")
    batch.add_argument("b", metavar="B", nargs="?", help="second file; without it, all records of A are compared")
    batch.add_argument("more", metavar="FILE", nargs="*", help="more files: all records of all files are compared")
    batch.add_argument(
        "-m", "--method", choices=[one.id for one in METHODS if one.batch is not None], default=EDIT.id,
        help=f"{', '.join(f'{one.id}: {one.batch.numbers}' for one in METHODS if one.batch)} (default: %(default)s)",
    )  # fmt: skip
    batch.add_argument(
        "--pairs", choices=listed(Pairing),
        help="one-to-one: first with first, second with second...; all-to-all: all with all (default: one-to-one "
        "for two files, else all-to-all)",
    )  # fmt: skip
    batch.add_argument(
        "--tree", choices=listed(TreeMethod),
        help="method of the tree that --newick writes and that orders the heat map: nj, neighbour joining (default of "
        "--newick), or upgma",
    )  # fmt: skip
    add_format(batch.add_argument_group("how files are read"), "B")
    matching = batch.add_argument_group("which letters match")
    add_case(matching)
    add_letters(matching)
    how = batch.add_argument_group("how it is computed")
    add_device(how)
    add_method_options(how, BATCH_OPTIONS)
    add_threads(how)
    add_cluster(batch, "compute the pairs")
    add_pictures(batch, add_output(batch, *BATCH, *MATRIX), "the heat map of --pairs all-to-all")


def add_contigs(commands: Any) -> None:
    contigs = commands.add_parser(
        "contigs",
        usage="%(prog)s [OPTION...] A CONTIGS",
        description="Place the contigs of an assembly on A: order, strand, gaps, overlaps, edits inside, and "
        "contigs without a place.",
        epilog="exit codes: 0 all contigs are placed, 1 some are not, 2 error, 130 stopped by Ctrl+C",
    )
    contigs.add_argument("a", metavar="A", help="file with the reference")
    contigs.add_argument("b", metavar="CONTIGS", help="file with the contigs of the assembly")
    add_reading(contigs, ("--record-a", "A"), normalize=False)
    how = contigs.add_argument_group("how contigs are placed")
    how.add_argument(
        "--topology", choices=listed(Topology), default=str(Topology.AUTO),
        help="whether A is circular, so that a contig may span the end of its file; auto: as the file says "
        "(default: %(default)s)",
    )  # fmt: skip
    _add_seed_letters(how, "")
    add_threads(how)
    add_device(how)
    add_cluster(contigs, "place the contigs")
    written = add_output(contigs, *CONTIGS, TIMINGS, verbose="also print the stages of the computation")
    add_all(written, "contigs")
    add_color(written)


def _add_seed_letters(group: Any, where: str) -> None:
    group.add_argument(
        "--seed-letters", metavar="K", type=whole(MIN_K, MAX_K), help=f"{where}minimum letters of an exact match, "
        f"{MIN_K} to {MAX_K} (default: by the lengths)",
    )  # fmt: skip


def _pair_options(command: Any) -> Any:
    """Add the options for reading and comparing a pair; return the group of the comparison."""
    command.add_argument(
        "-m", "--method", choices=[*(one.id for one in METHODS), AUTOMATIC], default=AUTOMATIC,
        help=f"{', '.join(f'{one.id}: {one.long_name}' for one in METHODS)}; {AUTOMATIC}: lines for texts of several "
        f"lines, else {METHODS[0].id} (default: {AUTOMATIC})",
    )  # fmt: skip
    add_reading(command, ("--record-a", "A"), ("--record-b", "B"))
    matching = command.add_argument_group("which letters match")
    add_case(matching)
    matching.add_argument(
        "-i", "--ignore-case", dest="case", action="store_const", const=str(CaseRule.FOLD), help="same as --case fold"
    )
    add_letters(matching)
    matching.add_argument(
        "--ambiguity", choices=listed(Ambiguity), default=str(Ambiguity.MISSING),
        help="how statistics count ambiguity codes (compared as letters); missing: columns with N (in proteins X) "
        "are counted separately and in no identity; compatible: codes that may stand for the same residue (R and A) "
        "count as matches; letters: like any other letter (default: %(default)s)",
    )  # fmt: skip
    add_orientation(command)
    how = command.add_argument_group("how it is computed")
    add_device(how)
    add_method_options(how, COMPARE_OPTIONS)
    return how


def _compare_options(compare: Any) -> None:
    how = _pair_options(compare)
    add_threads(how)
    how.add_argument(
        "--anyway", action="store_true", help="run a long comparison even if it cannot show what A and B share"
    )
    how.add_argument(
        "--prove", action="store_true", help="verify the score by a second algorithm, named in the summary, JSON, PAF, "
        "SAM and VCF",
    )  # fmt: skip
    add_cluster(compare, "compute the matrix (without an alignment: --traceback none)")
    written = add_output(
        compare, *COMPARISON, TIMINGS, *RECORD, verbose="print statistics, strategy, device and checks too"
    )
    add_answer(written)
    add_pictures(compare, written, "the alignment, or another --view", "how it was computed, or how a band widens")
    add_views(compare)
    written.add_argument(
        "--split", type=letters, metavar="N", help="with --paf: split the alignment into lines at gaps of N letters "
        "or more; 0: one line (default: 1000)",
    )  # fmt: skip
    written.add_argument(
        "--vcf-strict", action="store_true", help="with --vcf: where A has an ambiguity code, REF is the first base "
        "that the code can stand for, as in VCF 4.3 (default: the code, which bcftools consensus accepts)",
    )  # fmt: skip


def add_race(commands: Any) -> None:
    race = commands.add_parser(
        "race",
        usage="%(prog)s [OPTION...] A B",
        description="Run several kernels on the same pair, one after the other; "
        "compare their answers and the times of their stages.",
        epilog=f"kernels:\n{_kernels()}\n\nexit codes: 0 all answers are the same, 1 answers differ, "
        "2 error, also of a single kernel; 130 interrupted",
        formatter_class=RawFormatter,
    )
    race.add_argument("a", metavar="A", help="file with the reference")
    race.add_argument("b", metavar="B", help="file with the query")
    race.add_argument(
        "-m", "--method", choices=[method.id for method in METHODS if method.race_kernels], default=METHODS[0].id,
        help="comparison method (default: %(default)s)",
    )  # fmt: skip
    race.add_argument(
        "--kernels", metavar="K,K...", help=f"kernels to run, at most {MAX_KERNELS} (default: the usual ones "
        "that this machine can run)",
    )  # fmt: skip
    race.add_argument(
        "--alignment", action=argparse.BooleanOptionalAction, default=True,
        help="find the alignment too (default: yes)",
    )  # fmt: skip
    race.add_argument(
        "--rounds", type=whole(0, MAX_ROUNDS), default=AUTO_ROUNDS, metavar="N",
        help=f"runs of each kernel, of which the fastest counts; at most {MAX_ROUNDS} (default: {SHORT_RUN_ROUNDS} for "
        "kernels that take less than a second, else 1)",
    )  # fmt: skip
    add_reading(race, ("--record-a", "A"), ("--record-b", "B"))
    matching = race.add_argument_group("which letters match")
    add_case(matching)
    add_letters(matching)
    add_orientation(race)
    add_threads(race, " of the CPU kernels")
    written = add_output(race, *RACE)
    add_pictures(race, written, "the block maps and times of all kernels", "the block maps of all kernels")


def check_pair(arguments: argparse.Namespace) -> None:
    """Check the options of ``open`` for a pair, as ``compare`` does; files that they name are read.

    Raises:
        WavediffError: an option or a value that the method or the view does not have.
    """
    by = method(arguments.method or METHODS[0].id)
    options = method_options(arguments, by, COMPARE_OPTIONS)
    by.check({**accepted(by.options, options), **options})
    check_matches(arguments)
    check_view(arguments, aligned=by.values(options)["traceback"] is not TracebackMethod.NONE, unit=by.unit)


def named_kernels(method: Method, asked: str) -> tuple[str, ...]:
    """Return the ids in ``--kernels``; raise WavediffError for unknown or too many kernels."""
    known, ids = race_kernels(method), tuple(dict.fromkeys(part.strip() for part in asked.split(",")))
    for id_ in ids:
        if id_ not in known:
            raise WavediffError(f"--kernels {printable(id_)}: --method {method} has {', '.join(known)}")
    if len(ids) > MAX_KERNELS:
        raise WavediffError(f"--kernels: {len(ids)} kernels, at most {MAX_KERNELS} can race")
    return ids


def _kernels() -> str:
    lines = []
    for one in METHODS:
        lines += [f"  {one.id}: {race_kernel.id:<15} {race_kernel.tip}" for race_kernel in one.race_kernels]
    return "\n".join(lines)

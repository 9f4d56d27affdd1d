"""Table of all output formats; the options of the command line and the save dialogs are generated from it.

A new format is a pure function that yields bytes, in a separate module, and a line here. Functions are named by
strings, so that the table imports neither NumPy nor unused writers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any

from wavediff.core.base.errors import ExportError

if TYPE_CHECKING:
    from wavediff.core.export.atomic import StrPath
    from wavediff.core.jobs.cancel import CancelToken
    from wavediff.core.sequences.sequence import Sequence


@dataclass(frozen=True, slots=True)
class Format:
    """Output format.

    Attributes:
        id: the option of the command line without its dashes.
        title: for users, in save dialogs and tips.
        endings: of file names, in lower case, each with its dot; the first is the default.
        writer: ``module:function`` of this package, or ``package.module:function``, that yields the bytes of an answer
            (``wavediff.core.export.comparison.Comparison`` ...).
        help: one line for ``--help``.
        needs_alignment: whether the format needs the alignment.
        method: id of the only method with this format; empty: all methods have it.
        lists_places: whether the file has a line for each place of B in A, if all places were requested.
        check: ``module:function``, called with A and B; raises ``ExportError`` for letters that the file cannot hold.
        size: ``module:function`` that returns the minimum size of the file in bytes for an answer.
        notice: ``module:function`` that returns a note for readers of the file, or an empty string.
    """

    id: str
    title: str
    endings: tuple[str, ...]
    writer: str
    help: str
    needs_alignment: bool = False
    method: str = ""
    lists_places: bool = False
    check: str = ""
    size: str = ""
    notice: str = ""

    @property
    def dest(self) -> str:
        """Return the name of the option in the parsed arguments."""
        return self.id.replace("-", "_")

    def is_of(self, method: str) -> bool:
        """Return whether the format supports answers of the method with this id."""
        return self.method in ("", method)

    def chunks(self, answer: Any) -> Iterable[bytes]:
        """Return the file in pieces.

        Raises:
            ExportError: immediately, see ``require_fit``.
        """
        if self.check:
            self.require_fit(answer.a, answer.b)
        pieces: Iterable[bytes] = _function(self.writer)(answer)
        return pieces

    def save(
        self, path: StrPath, answer: Any, cancel: CancelToken | None = None, inputs: Iterable[StrPath] = ()
    ) -> int:
        """Write ``answer`` to ``path`` atomically; return the number of bytes.

        Args:
            cancel: stops writing between pieces.
            inputs: files that must not be overwritten.

        Raises:
            Cancelled: ``cancel`` was set; the file is unchanged.
            ExportError: the file cannot be written.
        """
        from wavediff.core.export.atomic import write_atomic
        from wavediff.core.jobs.cancel import heeding

        chunks = self.chunks(answer)
        whole = chunks if cancel is None else heeding(cancel, chunks)
        return write_atomic(path, whole, inputs=tuple(inputs), size=self.least_bytes(answer))

    def require_fit(self, a: Sequence, b: Sequence) -> None:
        """Raise an error for sequences that the format cannot hold, before any computation.

        Raises:
            ExportError: a sequence has letters, or a length, that the format cannot hold.
        """
        if self.check:
            _function(self.check)(a, b)

    def lack(self, answer: Any) -> str:
        """Return why the format cannot hold ``answer``, as a clause, or an empty string."""
        if not self.is_of(answer.method.id):
            return f"it needs '--method {self.method}'"
        if not self.needs_alignment or answer.result.alignment is not None:
            return ""
        if answer.loci == ():
            return "" if self.lists_places else "no place of B in A is within the limit"
        return "no alignment was computed"

    def least_bytes(self, answer: Any) -> int:
        """Return the minimum size of the file in bytes; 0 if unknown."""
        return int(_function(self.size)(answer)) if self.size else 0

    def notice_of(self, answer: Any) -> str:
        """Return a note for readers of the file, as a clause, or an empty string."""
        return str(_function(self.notice)(answer)) if self.notice else ""

    def ending_of(self, name: str) -> str:
        """Return the suffix of this format that the file ``name`` has, or an empty string."""
        return next(
            (ending for ending in self.endings if name.lower().endswith(ending) and len(name) > len(ending)), ""
        )


def _function(name: str) -> Callable[..., Any]:
    module, _, function = name.partition(":")
    writer: Callable[..., Any] = getattr(
        import_module(module if "." in module else f"{__package__}.{module}"), function
    )
    return writer


TIMINGS = Format("timings", "Timings", (".json",), "json:timings", "time of each kernel, as JSON")

COMPARISON = (
    Format(
        "paf", "PAF", (".paf",), "paf:paf",
        "the alignment as PAF with cg:Z and NM:i, split into several lines at long gaps",
        needs_alignment=True, lists_places=True, size="paf:paf_bytes",
    ),
    Format(
        "sam", "SAM", (".sam",), "sam:sam", "the alignment as SAM text; A is the reference",
        needs_alignment=True, check="sam:check", size="sam:sam_bytes",
    ),
    Format(
        "fasta", "Aligned FASTA", (".fa", ".fasta"), "fasta:fasta", "the aligned pair, with gaps",
        needs_alignment=True, check="fasta:check", size="fasta:fasta_bytes",
    ),
    Format(
        "cigar", "CIGAR", (".cigar",), "paf:cigar_line", "the CIGAR alone, with = and X",
        needs_alignment=True, size="paf:cigar_bytes",
    ),
    Format(
        "tsv", "Table of differences", (".tsv",), "tsv:tsv",
        "one line per difference, with positions and letters; per hunk (--method lines) or change (--method words)",
        needs_alignment=True, lists_places=True, size="tsv:tsv_bytes",
    ),
    Format(
        "vcf", "VCF", (".vcf",), "vcf:vcf",
        "the differences as VCF 4.3; A is the reference; DNA only",
        needs_alignment=True, check="vcf:check", notice="vcf:notice",
    ),
    Format(
        "variants", "List of variants", (".variants",), "variants:variants",
        "one line per variant: C241T, 11288-11296del, 21764_21765insACG; not for texts",
        needs_alignment=True, check="variants:check",
    ),
    Format(
        "text", "Text", (".txt",), "terminal:text",
        "the answer, and the letters of both below each other, as in a terminal",
    ),
    Format(
        "emboss", "EMBOSS pair", (".needle", ".pair"), "emboss:emboss",
        "the alignment in the srspair format of EMBOSS needle and water",
        needs_alignment=True, check="emboss:check",
    ),
    Format(
        "diff", "Unified diff", (".diff", ".patch"), "unified_diff:unified",
        "the hunks of lines as a unified diff, for patch and git apply; with --method lines",
        method="lines", check="unified_diff:check",
    ),
    Format(
        "diff-html", "Page of two texts by lines", (".html",), "unified_diff:page",
        "an HTML page with the lines of both side by side; with --method lines", method="lines",
    ),
    Format("json", "JSON", (".json",), "json:comparison", "the result and its statistics"),
)  # fmt: skip

REARRANGED = (
    Format("paf", "PAF", (".paf",), "rearranged:paf_lines", "one line per block"),
    Format(
        "sam", "SAM", (".sam",), "rearranged:sam_lines",
        "one record per block, all but one supplementary", check="sam:check",
    ),
    Format("tsv", "Table of blocks", (".tsv",), "rearranged:tsv_lines", "one line per block"),
    Format(
        "vcf", "VCF", (".vcf",), "rearranged:vcf_lines",
        "blocks as symbolic alleles and breakends, and the differences inside",
        check="vcf:check", notice="rearranged:vcf_notice",
    ),
    Format("json", "JSON", (".json",), "rearranged:document", "blocks, seeds and statistics"),
)  # fmt: skip

CONTIGS = (
    Format("tsv", "Table of contigs", (".tsv",), "contigs:tsv_lines", "one line per contig, in the order of A"),
    Format("paf", "PAF", (".paf",), "contigs:paf_lines", "one line per block of a contig"),
    Format(
        "agp", "AGP", (".agp",), "contigs:agp_lines",
        "AGP 2.1: contigs in the order of A, and gaps as long as in A",
    ),
    Format(
        "fasta", "Ordered FASTA", (".fa", ".fasta"), "contigs:fasta_lines",
        "sequences of the AGP objects: contigs ordered and oriented, with N in gaps",
    ),
    Format("json", "JSON", (".json",), "contigs:document", "contigs, gaps and statistics"),
)  # fmt: skip

RECORD = (
    Format(
        "record", "Record of the run", (".json",), "record:record",
        "which thread computed each block and when, for a replay in the window",
    ),
    Format(
        "trace", "Trace events", (".trace.json",), "record:trace",
        "this record as trace events for ui.perfetto.dev or chrome://tracing",
    ),
)  # fmt: skip

DIFFERENCES = (
    Format("tsv", "Table of differences", (".tsv",), "tsv:listed_tsv", "one line per difference"),
)  # fmt: skip

BATCH = (
    Format("tsv", "TSV", (".tsv",), "batch:tsv", "one line per pair"),
    Format("json", "JSON", (".json",), "batch:document", "names, lengths and all values"),
)

MATRIX = (  # the first also of two files
    Format("csv", "Matrix as CSV", (".csv",), "matrix:values_csv", "the matrix of all pairs"),
    Format(
        "phylip", "PHYLIP distances", (".phy", ".dist"), "matrix:phylip",
        "1 - identity (affine: 1 - similarity of scores) of all pairs of one file as a PHYLIP matrix with long names",
    ),
    Format("nexus", "NEXUS distances", (".nex", ".nexus"), "matrix:nexus", "as --phylip, in NEXUS format"),
    Format(
        "newick", "Newick tree", (".nwk", ".tree"), "matrix:newick",
        "the tree of these distances, by the method of --tree",
    ),
)  # fmt: skip

RACE = (
    Format("json", "JSON", (".json",), "race:document", "answers, and all times of each kernel"),
    Format("tsv", "TSV", (".tsv",), "race:table", "one line per kernel: answer, seconds, stages"),
)

HITS = (
    Format(
        "tsv", "TSV", (".tsv",), "hits:hits_tsv",
        "a header line, then one line per hit; positions are 1-based, inclusive",
    ),
    Format("bed", "BED", (".bed",), "hits:hits_bed", "BED6: positions are 0-based, half-open"),
)  # fmt: skip
SEARCH = (*HITS, Format("json", "JSON", (".json",), "json:search", "statistics, and hits per pattern"))
FILES_SEARCH = (
    Format("tsv", "TSV", (".tsv",), "files_hits:tsv", ""),
    Format("bed", "BED", (".bed",), "files_hits:bed", ""),
    Format("json", "JSON", (".json",), "files_hits:document", ""),
)

INDEX = (
    Format(
        "save-index", "Index to be searched again", (".bwt",), "bwt:index",
        "the transform as one file with checksums, for --inverse and find",
    ),
    Format(
        "last-column", "Last column without $", (".txt",), "bwt:column",
        "only the last column, without $",
    ),
)  # fmt: skip
BWT = (
    *INDEX,
    Format("json", "JSON", (".json",), "bwt:bwt", "length, primary index, runs and statistics"),
    Format(
        "suffix-array", "Suffix array", (".txt",), "bwt:suffixes",
        "position in the text (0-based) where each row begins, one per line",
    ),
)  # fmt: skip
INVERSE_BWT = (
    Format("text", "Text", (".txt",), "bwt:text", "with --inverse: the text (default: standard output)"),
    Format("json", "JSON", (".json",), "bwt:inverse_bwt", "length and statistics"),
)  # fmt: skip
FIND = (
    Format("json", "JSON", (".json",), "bwt:found", "counts, and positions (0-based)"),
    Format("tsv", "TSV", (".tsv",), "bwt:positions_tsv", "one line per occurrence (1-based)"),
    Format(
        "save-index", "Index to be searched again", (".bwt",), "bwt:index",
        "the index, for later searches",
    ),
)  # fmt: skip

PICTURES = (
    Format("png", "PNG image", (".png",), "", "of pixels"),
    Format("svg", "SVG drawing", (".svg",), "", "of vectors, with selectable text"),
    Format("pdf", "PDF page", (".pdf",), "", "for print"),
)
FILMS = (
    Format("apng", "Film, an animated PNG", (".png", ".apng"), "", "an animated PNG"),
    Format("gif", "Film, an animated GIF", (".gif",), "", "an animated GIF"),
    Format("mp4", "Film, MP4", (".mp4",), "", "MP4 (needs ffmpeg)"),
)
LESSON = (
    Format("text", "Text", (".txt",), "wavediff.core.teach.lesson_data:text", "every step as text"),
    Format(
        "html", "Page", (".html",), "wavediff.app.draw.page:page", "one file with the animation, without a network"
    ),
    Format(
        "json", "JSON", (".json",), "wavediff.core.teach.lesson_data:document",
        "the lesson as data: tables, words, sentences, questions",
    ),
    Format(
        "scorm", "SCORM 1.2", (".zip",), "wavediff.app.draw.scorm:package",
        "a package for a learning platform; it reports a score there",
    ),
)  # fmt: skip


def of_id(formats: Iterable[Format], id_: str) -> Format:
    """Return the format with this id, or raise ``ExportError``."""
    known = {one.id: one for one in formats}
    if id_ not in known:
        raise ExportError(f"format '{id_}': {', '.join(known)} are known")
    return known[id_]


def titles(formats: Iterable[Format]) -> str:
    """Return e.g. ``PAF, SAM or JSON``."""
    *others, last = (one.title for one in formats)
    return f"{', '.join(others)} or {last}" if others else last

"""Table of all output formats; the options of the command line and the save dialogs are generated from it.

A new format is a pure function that yields bytes, in a module of its own, and a line here. Functions are named by
strings, so that the table loads neither NumPy nor a writer that nobody asked for.
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
        title: for a person, as save dialogs and tips list it.
        endings: of file names, in small letters, each with its dot; the first is added to a name that has none.
        writer: ``module:function`` of this package, or ``package.module:function``, that yields the bytes of an answer
            (``wavediff.core.export.comparison.Comparison`` ...).
        help: one line for ``--help``.
        needs_alignment: whether a score alone is not enough.
        method: the one whose answers it has, by its id; empty: of all.
        lists_places: whether it has a line for each place of B in A where all were asked for.
        check: ``module:function`` of A and B that raises an ``ExportError`` for letters that the file cannot hold.
        size: ``module:function`` that returns how many bytes an answer takes at least.
        notice: ``module:function`` that returns what the readers of the file need to know, empty for nothing.
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
        pieces: Iterable[bytes] = _function(self.writer)(answer)
        return pieces

    def save(
        self, path: StrPath, answer: Any, cancel: CancelToken | None = None, inputs: Iterable[StrPath] = ()
    ) -> int:
        """Write ``answer`` to ``path`` atomically; return the number of bytes.

        Args:
            cancel: stops the writing between pieces.
            inputs: files that must not be overwritten.

        Raises:
            Cancelled: asked to stop; the file is as it was before.
            ExportError: it cannot be written.
        """
        from wavediff.core.export.atomic import write_atomic
        from wavediff.core.jobs.cancel import heeding

        chunks = self.chunks(answer)
        whole = chunks if cancel is None else heeding(cancel, chunks)
        return write_atomic(path, whole, inputs=tuple(inputs), size=self.least_bytes(answer))

    def require_fit(self, a: Sequence, b: Sequence) -> None:
        """Raise an error for sequences that the format cannot hold, before any computation.

        Raises:
            ExportError: one has letters, or a length, that the format has no place for.
        """
        if self.check:
            _function(self.check)(a, b)

    def lack(self, answer: Any) -> str:
        """Return why the format cannot hold ``answer``, as a clause, or an empty string."""
        if not self.is_of(answer.method.id):
            return f"it is of '--method {self.method}' alone"
        if not self.needs_alignment or answer.result.alignment is not None:
            return ""
        if answer.loci == ():
            return "" if self.lists_places else "no place of B in A is within the limit"
        return "only the number was computed"

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
        "the alignment as PAF with cg:Z and NM:i, a line for each part between long gaps",
        needs_alignment=True, lists_places=True, size="paf:paf_bytes",
    ),
    Format(
        "sam", "SAM", (".sam",), "sam:sam", "the alignment as SAM text, A being the reference",
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
        "every difference on a line of its own, with places and letters; hunks of --method lines, changes of words",
        needs_alignment=True, lists_places=True, size="tsv:tsv_bytes",
    ),
    Format(
        "vcf", "VCF", (".vcf",), "vcf:vcf",
        "the differences as VCF 4.3, A being the reference; DNA only",
        needs_alignment=True, check="vcf:check", notice="vcf:notice",
    ),
    Format(
        "variants", "List of variants", (".variants",), "variants:variants",
        "a line a variant: C241T, 11288-11296del, 21764_21765insACG; no texts",
        needs_alignment=True, check="variants:check",
    ),
    Format(
        "text", "Text", (".txt",), "terminal:text",
        "the answer, and the letters of both below each other, as in a terminal",
    ),
    Format(
        "emboss", "EMBOSS pair", (".needle", ".pair"), "emboss:emboss",
        "the alignment as EMBOSS's needle and water write it (srspair)",
        needs_alignment=True, check="emboss:check",
    ),
    Format(
        "diff", "Unified diff", (".diff", ".patch"), "unified_diff:unified",
        "the hunks of lines as a unified diff, for patch and git apply; with --method lines",
        method="lines", check="unified_diff:check",
    ),
    Format(
        "diff-html", "Page of two texts by lines", (".html",), "unified_diff:page",
        "the lines of both side by side as one page without a script; with --method lines", method="lines",
    ),
    Format("json", "JSON", (".json",), "json:comparison", "the result with its figures"),
)  # fmt: skip

REARRANGED = (
    Format("paf", "PAF", (".paf",), "rearranged:paf_lines", "a line a block"),
    Format(
        "sam", "SAM", (".sam",), "rearranged:sam_lines",
        "a record a block, all but one supplementary", check="sam:check",
    ),
    Format("tsv", "Table of blocks", (".tsv",), "rearranged:tsv_lines", "a line a block"),
    Format(
        "vcf", "VCF", (".vcf",), "rearranged:vcf_lines",
        "blocks as symbolic alleles and breakends, and the differences inside",
        check="vcf:check", notice="rearranged:vcf_notice",
    ),
    Format("json", "JSON", (".json",), "rearranged:document", "blocks, seeds and figures"),
)  # fmt: skip

CONTIGS = (
    Format("tsv", "Table of contigs", (".tsv",), "contigs:tsv_lines", "a line a contig, along A"),
    Format("paf", "PAF", (".paf",), "contigs:paf_lines", "a line a block of a contig"),
    Format(
        "agp", "AGP", (".agp",), "contigs:agp_lines",
        "AGP 2.1: contigs along A, and gaps of the size that A has there",
    ),
    Format(
        "fasta", "Ordered FASTA", (".fa", ".fasta"), "contigs:fasta_lines",
        "the letters of the objects of AGP: contigs turned and in order, N in gaps",
    ),
    Format("json", "JSON", (".json",), "contigs:document", "contigs, gaps and figures"),
)  # fmt: skip

RECORD = (
    Format(
        "record", "Record of the run", (".json",), "record:record",
        "when each block was computed and by which thread, to be replayed in the window",
    ),
    Format(
        "trace", "Trace events", (".trace.json",), "record:trace",
        "the same as trace events, for ui.perfetto.dev or chrome://tracing",
    ),
)  # fmt: skip

DIFFERENCES = (
    Format("tsv", "Table of differences", (".tsv",), "tsv:listed_tsv", "a line a difference"),
)  # fmt: skip

BATCH = (
    Format("tsv", "TSV", (".tsv",), "batch:tsv", "a line a pair"),
    Format("json", "JSON", (".json",), "batch:document", "names, lengths and all values"),
)

MATRIX = (  # the first also of two files
    Format("csv", "Matrix as CSV", (".csv",), "matrix:values_csv", "the matrix of all pairs"),
    Format(
        "phylip", "PHYLIP distances", (".phy", ".dist"), "matrix:phylip",
        "1 - identity (affine: 1 - similarity of scores) of all pairs of one file as PHYLIP's matrix, with long names",
    ),
    Format("nexus", "NEXUS distances", (".nex", ".nexus"), "matrix:nexus", "the same as NEXUS"),
    Format(
        "newick", "Newick tree", (".nwk", ".tree"), "matrix:newick",
        "the tree of these distances, as --tree has it",
    ),
)  # fmt: skip

RACE = (
    Format("json", "JSON", (".json",), "race:document", "everything, with every kernel's timings"),
    Format("tsv", "TSV", (".tsv",), "race:table", "a line a kernel: answer, seconds, stages"),
)

HITS = (
    Format(
        "tsv", "TSV", (".tsv",), "hits:hits_tsv",
        "one header line, then every hit on a line; positions from 1, closed",
    ),
    Format("bed", "BED", (".bed",), "hits:hits_bed", "BED6: positions from 0, half open"),
)  # fmt: skip
SEARCH = (*HITS, Format("json", "JSON", (".json",), "json:search", "figures, and the hits of each pattern counted"))
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
        "last-column", "Last column alone, $ left out", (".txt",), "bwt:column",
        "the last column alone, $ left out",
    ),
)  # fmt: skip
BWT = (
    *INDEX,
    Format("json", "JSON", (".json",), "bwt:bwt", "length, primary index, runs and figures"),
    Format(
        "suffix-array", "Suffix array", (".txt",), "bwt:suffixes",
        "where each row begins in the text (0-based), a line a row",
    ),
)  # fmt: skip
INVERSE_BWT = (
    Format("text", "Text", (".txt",), "bwt:text", "with --inverse: the text; standard output when nothing is named"),
    Format("json", "JSON", (".json",), "bwt:inverse_bwt", "length and figures"),
)  # fmt: skip
FIND = (
    Format("json", "JSON", (".json",), "bwt:found", "counts, and positions from 0 on"),
    Format("tsv", "TSV", (".tsv",), "bwt:positions_tsv", "a line for every occurrence (1-based)"),
    Format(
        "save-index", "Index to be searched again", (".bwt",), "bwt:index",
        "the index, to be searched again at once",
    ),
)  # fmt: skip

PICTURES = (
    Format("png", "PNG image", (".png",), "", "of pixels"),
    Format("svg", "SVG drawing", (".svg",), "", "of lines, its text as text"),
    Format("pdf", "PDF page", (".pdf",), "", "for print"),
)
FILMS = (
    Format("apng", "Film, an animated PNG", (".png", ".apng"), "", "an animated PNG"),
    Format("gif", "Film, an animated GIF", (".gif",), "", "an animated GIF"),
    Format("mp4", "Film, MP4", (".mp4",), "", "MP4, where ffmpeg is found"),
)
LESSON = (
    Format("text", "Text", (".txt",), "wavediff.core.teach.lesson_data:text", "every step as text"),
    Format(
        "html", "Page", (".html",), "wavediff.app.draw.page:page", "one file that plays from disk, without a network"
    ),
    Format(
        "json", "JSON", (".json",), "wavediff.core.teach.lesson_data:document",
        "the lesson as data: tables, words, sentences, questions",
    ),
    Format(
        "scorm", "SCORM 1.2", (".zip",), "wavediff.app.draw.scorm:package",
        "a package for a learning platform, to which it reports its score",
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

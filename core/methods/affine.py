"""Global alignment with affine gaps and a substitution matrix (Needleman and Wunsch 1970, Gotoh 1982)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from wavediff.core.base.errors import WavediffError, count_noun
from wavediff.core.base.numbers import number
from wavediff.core.jobs import KernelModules, Rates
from wavediff.core.methods.base import (
    AlignedPair,
    Batch,
    BlockJob,
    Measure,
    Method,
    RaceKernel,
    TracebackMethod,
    device_kernels,
)
from wavediff.core.methods.common_options import AUTO_BLOCKS, block_option, path_option
from wavediff.core.methods.options import Number, Options, Text, Value, kernel_option
from wavediff.core.methods.second import CELL_BY_CELL, Second, backwards
from wavediff.core.methods.wording import Edits, alike_text, definition_text, gaps_named, shown_identity

if TYPE_CHECKING:
    from wavediff.core.base.arrays import Letters
    from wavediff.core.jobs.affine_result import AffineResult
    from wavediff.core.methods.batch import BatchJob
    from wavediff.core.sequences.scoring.scheme import ScoringScheme
    from wavediff.core.sequences.sequence import Alphabet, Sequence

AUTO = "auto"
FINE_BLOCKS = ((1 << 20, 128), (1 << 24, 256))  # up to so many cells, letters a side: the map has something to show


class AffineKernel(StrEnum):
    """Kernel that computes the table."""

    DEFAULT = "default"  # vectors of differences
    GOTOH = "gotoh"  # Gotoh's recurrence cell by cell, to compare with: the score only


def _default_scheme() -> ScoringScheme:
    from wavediff.core.sequences.scoring.scheme import default_scheme

    return default_scheme(proteins=False)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class AffineJob(BlockJob):
    """Global alignment of ``a`` (rows, reference) and ``b`` (columns, query) with the largest score.

    Attributes:
        path: BLOCKS for the alignment, NONE for the score only; HIRSCHBERG is not offered.
        fold_case: count letters that differ only in case as identities; does not change the score.
        scoring: the substitution matrix, which must have every letter, and gap costs, also at the ends.
        kernel: for the cells; GOTOH needs ``TracebackMethod.NONE``.
        doubt: notice that the matrix may not suit these letters, or empty.
    """

    modules = KernelModules(cpu="wavediff.core.kernels.affine.run")
    rates = Rates(0.01e12)

    scoring: ScoringScheme = field(default_factory=_default_scheme)
    kernel: AffineKernel = AffineKernel.DEFAULT
    doubt: str = ""

    def __post_init__(self) -> None:
        if self.path is TracebackMethod.HIRSCHBERG:
            raise ValueError(
                "alignments with affine gaps are traced back through blocks, not by Hirschberg's recursion"
            )
        if self.kernel is AffineKernel.GOTOH and self.path is not TracebackMethod.NONE:
            raise ValueError("Gotoh's recurrence cell by cell gives the score only")
        BlockJob.__post_init__(self)


def _check_matrix(name: str) -> None:
    try:
        import_module("wavediff.core.sequences.scoring.builtin").find_matrix(name)
    except WavediffError as error:
        raise ValueError(str(error)) from None


_MATRIX = Text(
    id="matrix",
    label="Matrix",
    advanced=False,
    tip="Substitution matrix: score of two aligned letters; also a file in NCBI's format",
    help="substitution matrix: BLOSUM45, BLOSUM62, BLOSUM80, PAM250, DNAfull or a file in NCBI's format (default: "
    "BLOSUM62 for proteins, DNAfull for nucleotides, match 1 and mismatch -1 for texts)",
    default=AUTO,
    names=(
        Value(AUTO, "Auto", "BLOSUM62 for proteins, DNAfull for nucleotides, match 1 and mismatch -1 for texts"),
        Value("BLOSUM45", "BLOSUM45", "Proteins that are distant"),
        Value("BLOSUM62", "BLOSUM62", "Proteins"),
        Value("BLOSUM80", "BLOSUM80", "Proteins that are close"),
        Value("PAM250", "PAM250", "Proteins that are distant, by accepted mutations"),
        Value("DNAfull", "DNAfull", "Nucleotides with their ambiguity codes: match 5, mismatch -4"),
    ),
    check=_check_matrix,
    files=True,
    what="FILE",
)
_GAP = partial(Number, advanced=False, default=None, least=0, most=10_000, decimals=2, unset="Auto")
_OPEN = _GAP(
    id="gap_open",
    label="Gap open",
    tip="Cost of the first letter of a gap",
    help="cost of the first letter of a gap (default: 11 for proteins, 10 for nucleotides, 2 for texts)",
)
_EXTEND = _GAP(
    id="gap_extend",
    label="Gap extend",
    tip="Cost of each further letter of a gap",
    help="cost of each further letter of a gap (default: 1 for proteins and texts, 0.5 for nucleotides)",
)
_KERNELS = kernel_option(
    AffineKernel.DEFAULT,
    "kernel of the cells; gotoh: cell by cell, for comparison: score only",
    Value(
        AffineKernel.GOTOH,
        "Gotoh, cell by cell",
        "Gotoh's recurrence as published, cell by cell, for comparison: score without a path",
    ),
    tip="Vectors of differences between neighbouring cells",
)
_OF_SCORING = (_MATRIX.id, _OPEN.id, _EXTEND.id)
_SCORE = "the largest sum of substitution scores of all columns minus the gap costs"


def _score_text(result: AffineResult) -> str:
    digits = 0 if result.score == int(result.score) else 1 if result.score * 10 == int(result.score * 10) else 2
    return f"Score {number(result.score, digits)}"


class Affine(Method):
    id, name, long_name = "affine", "Scores (affine gaps)", "global alignment with affine gaps"
    tip = "Global alignment with a substitution matrix; a gap costs more to open than to extend"
    job_type = AffineJob
    options = (
        path_option(TracebackMethod.BLOCKS, TracebackMethod.NONE),
        _MATRIX,
        _OPEN,
        _EXTEND,
        _KERNELS,
        block_option(shown=False, help="size of a block, rounded to vector sizes (default: the fastest)"),
    )
    batch = Batch(
        modules=KernelModules(cpu="wavediff.core.kernels.affine.pairs"),
        rates=Rates(0.006e12),
        name="Affine gaps",
        numbers="scores",
        column="score",
        heading="Score",
        options=(_MATRIX, _OPEN, _EXTEND),
        share="Similarity",
        share_definition="2 × score(A, B) / (score(A, A) + score(B, B)), at least 0",
    )
    race_kernels = (
        *device_kernels("Every core, vectors of differences"),
        RaceKernel(
            "gotoh", "Gotoh", "Gotoh's recurrence cell by cell on one core: the score only", "cpu",
            {"kernel": AffineKernel.GOTOH},
        ),
    )  # fmt: skip
    unknown = "no score yet"
    usual = ("cpu", "gotoh")

    def implied(self, values: Options) -> Options:
        return {} if values["kernel"] is AffineKernel.DEFAULT else {"traceback": TracebackMethod.NONE}

    def check(self, values: Options) -> None:
        if values["kernel"] is AffineKernel.GOTOH and values["traceback"] is not TracebackMethod.NONE:
            raise WavediffError("--kernel gotoh gives the score only: '--traceback none' goes with it")

    def finer(self, n_cells: int, values: Options) -> Options:
        if values["blocks"] != AUTO_BLOCKS:
            return {}
        return next(({"blocks": (side, side)} for most, side in FINE_BLOCKS if n_cells <= most), {})

    def job(self, a: Sequence, b: Sequence, options: Options, *, fold_case: bool, threads: int = 0) -> AffineJob:
        from wavediff.core.sequences.scoring.builtin import MATCH_NAME

        job: AffineJob = super().job(a, b, options, fold_case=fold_case, threads=threads)
        alphabets = a.alphabet, b.alphabet
        scoring = _scheme(self.values(options), alphabets, fold_case, job.a, job.b)
        for sequence in (a, b) if scoring.matrix.name != MATCH_NAME else ():
            source, record = sequence.source or sequence.name, (sequence.record, sequence.name)
            scoring.matrix.require_letters(sequence.counts, source, record, sequence.characters)
        return replace(job, scoring=scoring, doubt=doubt(scoring, alphabets))

    def arguments(self, values: Options, a: Sequence, b: Sequence) -> dict[str, Any]:
        arguments = super().arguments(values, a, b)
        return {name: value for name, value in arguments.items() if name not in _OF_SCORING}

    def value(self, result: AffineResult) -> float:
        return result.score

    def same(self, result: AffineResult, n_a: int, n_b: int) -> bool:  # noqa: ARG002
        return result.identical

    def answer(self, result: AffineResult, n_a: int, n_b: int) -> str:
        score = _score_text(result)
        return score if result.alignment is None else alike_text(score, shown_identity(result, 0, n_a, n_b))

    def remarks(self, result: AffineResult) -> list[str]:
        score = [_score_text(result)] if result.identical else []
        return [*score, *gaps_named(Edits.of(result), result.ties), result.scoring.text, "exact"]

    def explanation(self, result: AffineResult) -> str:
        score = f"Score: {_SCORE}."
        return score if result.alignment is None else f"{score} {definition_text(result)}"

    def summary(self, result: AffineResult, n_a: int, n_b: int, figures: Mapping[str, Measure]) -> list[str]:  # noqa: ARG002
        lines = [f"score: {result.score:,} ({result.scoring.text})"]
        columns = result.columns
        if columns is not None and result.apart.columns(columns.total):
            gap_letters = (figures["insertions"].value or 0) + (figures["deletions"].value or 0)
            total, matches = result.apart.columns(columns.total), figures["matches"].value or 0
            of_all = f"of {count_noun(total, 'column')}"
            lines += [
                f"identities: {matches:,} {of_all} ({matches / total:.2%})",
                f"positives: {columns.positives:,} {of_all} ({columns.positives / total:.2%})",
                f"gaps: {figures['gap_opens'].value:,}, with {count_noun(int(gap_letters), 'letter')}",
            ]
        return lines

    def measures(self, result: AffineResult) -> list[Measure]:
        columns = result.columns
        positives = "columns of two letters whose score is above 0"
        score = f"{_SCORE} ({result.scoring.text})"
        return [
            Measure("score", "Score", score, result.score),
            Measure("positives", "Positives", positives, None if columns is None else columns.positives),
        ]

    def shown_identity(self, result: AffineResult, n_a: int, n_b: int) -> float | None:
        return None if result.alignment is None else shown_identity(result, 0, n_a, n_b)

    def automatic(self, result: AffineResult) -> Mapping[str, str]:
        scoring = result.scoring
        return {
            "matrix": scoring.matrix.name,
            "gap_open": number(scoring.gap_open, 2),
            "gap_extend": number(scoring.gap_extend, 2),
        }

    def second(self, job: AffineJob, result: AffineResult) -> Second:  # noqa: ARG002
        if job.n_cells > CELL_BY_CELL or job.kernel is AffineKernel.GOTOH:
            return backwards(job, "differences in vectors", kernel=AffineKernel.DEFAULT)
        return backwards(job, "Gotoh's recurrence cell by cell", kernel=AffineKernel.GOTOH)

    def cost(self, pair: AlignedPair) -> tuple[str, float] | None:
        import numpy as np

        from wavediff.core.jobs.alignment import Op
        from wavediff.core.sequences.scoring.matrix import ABSENT

        letters, alphabets = self.letters(pair.a, pair.b, pair.fold_case), (pair.a.alphabet, pair.b.alphabet)
        scoring = _scheme(self.values(pair.options), alphabets, pair.fold_case, *letters)
        a, b = (scoring.matrix.codes[each] for each in letters)
        if ABSENT in a or ABSENT in b:
            return None
        in_a, in_b = pair.alignment.pairs()
        lengths = pair.alignment.lengths[np.isin(pair.alignment.ops, (Op.INSERTION, Op.DELETION))]
        gaps = int((scoring.open + (lengths - 1) * scoring.extend).sum())
        units = int(scoring.matrix.scores[a[in_a], b[in_b]].sum(dtype=np.int64)) * scoring.scale - gaps
        return f"score ({scoring.text})", units / scoring.scale if units % scoring.scale else units // scoring.scale

    def fields(self, result: AffineResult) -> dict[str, Any]:
        scoring = result.scoring
        return {
            "score": result.score,
            "matrix": scoring.matrix.name,
            "gap_open": scoring.gap_open,
            "gap_extend": scoring.gap_extend,
        }


def doubt(scoring: ScoringScheme, alphabets: Collection[Alphabet]) -> str:
    """Return a warning when a protein matrix scores nucleotides, else an empty string."""
    if not scoring.matrix.is_amino_acid or not all(one.is_nucleotide for one in alphabets):
        return ""
    return (
        f"{scoring.matrix.name} scores amino acids, and all letters are nucleotides, which it takes for alanine, "
        "cysteine, glycine and threonine: try --matrix DNAfull"
    )


def scheme_for(job: BatchJob) -> ScoringScheme:
    """Return the scoring of a batch.

    Raises:
        WavediffError: unknown matrix, invalid gap costs, or texts with too many different letters.
    """
    values = {one.id: job.value(one.id) for one in job.batch.options}
    pools = (job.a,) if job.b is None else (job.a, job.b)
    return _scheme(values, alphabets_of(job), job.fold_case, *(one.letters for one in pools))


def alphabets_of(job: BatchJob) -> Collection[Alphabet]:
    """Return the alphabets of a batch; without any, nucleotides if all letters are A, C, G, T, U or N."""
    import numpy as np

    from wavediff.core.sequences.sequence import Alphabet

    if job.alphabets:
        return job.alphabets
    counts = (np.bincount(one.letters, minlength=256) for one in (job.a, job.b) if one is not None)
    others = any(np.delete(each, np.frombuffer(b"ACGTUNacgtun", np.uint8)).any() for each in counts)
    return (Alphabet.PROTEIN if others else Alphabet.DNA,)


def _scheme(values: Options, alphabets: Collection[Alphabet], fold_case: bool, *letters: Letters) -> ScoringScheme:
    """Return the scoring chosen by ``values`` for the ``letters`` of a job."""
    from wavediff.core.sequences.scoring.builtin import built_in, find_matrix, match_matrix
    from wavediff.core.sequences.scoring.scheme import ScoringScheme, default_gaps
    from wavediff.core.sequences.sequence import Alphabet

    if values["matrix"] != AUTO:
        matrix = find_matrix(values["matrix"])
    elif Alphabet.TEXT in alphabets:
        matrix = match_matrix(_occurring(fold_case, *letters))
    else:
        matrix = built_in("BLOSUM62" if Alphabet.PROTEIN in alphabets else "DNAfull")
    usual = default_gaps(matrix)
    gaps = (
        default if values[id_] is None else values[id_]
        for id_, default in zip(("gap_open", "gap_extend"), usual, strict=True)
    )  # fmt: skip
    try:
        return ScoringScheme(matrix, *gaps)
    except ValueError as error:
        raise WavediffError(str(error)) from None


def _occurring(fold_case: bool, *letters: Letters) -> str:
    """Return one character for each code that occurs in ``letters`` (texts)."""
    import numpy as np

    from wavediff.core.sequences.characters import folding_of
    from wavediff.core.sequences.scoring.matrix import MAX_LETTERS

    folding = folding_of(fold_case, *letters)
    codes = {code for each in letters for code in folding[np.flatnonzero(np.bincount(each))].tolist()}
    if len(codes) <= MAX_LETTERS:
        return "".join(map(chr, sorted(codes))) or " "
    raise WavediffError(
        f"{len(codes):,} different letters: scores are for up to {MAX_LETTERS}; the edit distance (--method edit) has "
        "no limit"
    )


AFFINE = Affine()

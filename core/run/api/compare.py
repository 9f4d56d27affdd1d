"""Comparison of two sequences in the API."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from wavediff.core.base.errors import ExportError, WavediffError
from wavediff.core.export.comparison import NOT_RECORDED, Comparison
from wavediff.core.export.registry import COMPARISON, RECORD, Format, of_id
from wavediff.core.export.terminal import html, lines
from wavediff.core.jobs.alignment import APART, LETTER, SWAP
from wavediff.core.jobs.alignment_index import AlignmentIndex
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.choices import Device
from wavediff.core.jobs.difference_rows import all_rows
from wavediff.core.jobs.events import KernelTiming, Recorded
from wavediff.core.jobs.given_alignment import AlignmentRecord
from wavediff.core.methods import METHODS
from wavediff.core.methods.base import Method
from wavediff.core.methods.options import Option, accepted, parsed
from wavediff.core.methods.statistics import measures
from wavediff.core.run.api.lessons import LessonPage
from wavediff.core.run.api.reading import pair_of
from wavediff.core.run.api.running import Progressed, require_one_of, require_threads, run
from wavediff.core.run.api.short_pairs import ShortAnswer, ShortWay, short_letters
from wavediff.core.run.pair_request import PairRequest, given_records
from wavediff.core.sequences.common_characters import with_common_characters
from wavediff.core.sequences.letter_rules import Ambiguity, CaseRule, UracilRule
from wavediff.core.sequences.orientation import Strand, Topology
from wavediff.core.sequences.sequence import Sequence

_FIELDS = ("a_start", "a_end", "b_start", "b_end", "column")
DIFFERENCE = np.dtype([("kind", "U1"), *((name, "i8") for name in _FIELDS)])
EFFECT = np.dtype([("difference", "i8"), ("kind", "O"), ("text", "O")])
_REST = "to('text') shows them"
_FORMATS = (*COMPARISON, *RECORD)
_KINDS = dict(enumerate(LETTER)) | {SWAP: "S", APART: "N"}


class Answer:
    """Result of a comparison; ``print`` shows it as in the terminal, a notebook with coloured letters.

    Attributes:
        comparison: input of ``wavediff.core.export``, with the result of the method.
    """

    def __init__(self, computed: Callable[[], Comparison], method: Method, short: ShortAnswer | None = None) -> None:
        self._computed, self._method, self._short = computed, method, short

    @cached_property
    def comparison(self) -> Comparison:
        """The whole comparison; after the fast path for short pairs it is computed on first use."""
        return self._computed()

    @property
    def a(self) -> Sequence:
        return self.comparison.a

    @property
    def b(self) -> Sequence:
        """B as compared, on the requested strand, rotated to the requested start."""
        return self.comparison.b

    @property
    def method(self) -> str:
        return self._method.id

    @property
    def value(self) -> int | float:
        """The distance, the length of the LCS, or the score."""
        return self._method.value(self.comparison.result) if self._short is None else self._short.value

    @property
    def distance(self) -> int:
        """Number of edits; columns with unknown letters are not counted.

        Raises:
            AttributeError: the method computes no distance.
        """
        return int(self._figure("distance"))

    @property
    def length(self) -> int:
        """Length of a longest common subsequence."""
        return int(self._figure("lcs"))

    @property
    def score(self) -> float:
        return float(self._figure("score"))

    def _figure(self, key: str) -> Any:
        if self._short is not None and self._method.batch is not None and self._method.batch.column == key:
            return self._short.value
        fields = self._method.fields(self.comparison.result)
        if fields.get(key) is None:
            raise AttributeError(f"method '{self.method}' has no {key}; value is {self.value}")
        return fields[key]

    @property
    def exact(self) -> bool:
        """False for an upper bound from a band too narrow to prove optimality."""
        return self._short is not None or bool(getattr(self.comparison.result, "exact", True))

    @property
    def identical(self) -> bool:
        if self._short is not None:
            return self._short.value == self._short.of_identical
        return self._method.same(self.comparison.result, len(self.a), len(self.b))

    @cached_property
    def statistics(self) -> dict[str, float]:
        """Statistics by key, as the window shows them; identities are fractions from 0 to 1."""
        comparison = self.comparison
        figures = measures(comparison.method, comparison.result, len(self.a), len(self.b))
        return {measure.key: measure.value for measure in figures if measure.value is not None}

    @property
    def cigar(self) -> str:
        """CIGAR with ``=``, ``X``, ``I`` and ``D``; empty if no alignment was computed."""
        alignment = self.comparison.result.alignment if self._short is None else self._short.alignment
        return "" if alignment is None else str(alignment.cigar())

    @cached_property
    def differences(self) -> npt.NDArray[Any]:
        """Runs of differences of one kind (``DIFFERENCE``, shape (n,)). Positions in A and B as compared, 0-based,
        half-open.

        ``kind``: X substituted, I inserted, D deleted, S swapped, N an unknown letter; ``column``: the first column.
        """
        index = self._index() if self._short is None else self._short.indexed
        if index is None:
            return np.empty(0, DIFFERENCE)
        pieces = []
        for rows in all_rows(index):
            piece = np.empty(len(rows), DIFFERENCE)
            piece["kind"] = [_KINDS[op] for op in rows.op.tolist()]
            for name, column in zip(_FIELDS, (rows.a0, rows.a1, rows.b0, rows.b1, rows.col0), strict=True):
                piece[name] = column
            pieces.append(piece)
        return np.concatenate(pieces) if pieces else np.empty(0, DIFFERENCE)

    @cached_property
    def effects(self) -> npt.NDArray[Any]:
        """Effects on the features of A, or of B if A has none (``EFFECT``, shape (n,), sorted by ``difference``).

        ``difference``: index (from 0) in ``differences``; ``kind``: e.g. ``missense``; ``text``: e.g. ``S:N501Y``.
        """
        effects, differences = self.comparison.effects, self.differences
        if effects is None:
            return np.empty(0, EFFECT)
        places = zip(*(differences[name].tolist() for name in _FIELDS[:4]), strict=True)
        rows = [(k, str(one.kind), one.text) for k, place in enumerate(places) for one in effects.between(*place)]
        return np.array(rows, EFFECT)

    def _index(self) -> AlignmentIndex | None:
        return None if self.comparison.result.shown is None else self.comparison.index

    @property
    def run(self) -> LessonPage:
        """Replay of the run by its measured times, for a notebook.

        Raises:
            WavediffError: compared without ``record=True``, or without blocks (a short or similar pair).
        """
        from wavediff.core.export.record import run_of
        from wavediff.core.teach.lesson import trace_lesson
        from wavediff.core.teach.recorded import RecordedTrace

        comparison, recorded = self.comparison, self.comparison.recorded
        if recorded is None:
            raise WavediffError(NOT_RECORDED)
        try:
            trace = RecordedTrace(run_of(comparison, recorded, comparison.threads), "")
        except ValueError as error:
            raise WavediffError(str(error)) from None
        return LessonPage(trace_lesson(trace, f"{comparison.a.name} and {comparison.b.name}"))

    def to(self, format: str) -> bytes:
        """Export the comparison as bytes: ``paf``, ``sam``, ``fasta``, ``cigar``, ``tsv``, ``vcf``, ``variants``,
        ``text`` or ``json``; with ``record=True`` also ``record`` and ``trace``.

        Raises:
            ExportError: the format cannot hold these sequences, or needs the alignment.
        """
        kind = of_id(_FORMATS, format)
        return b"".join(kind.chunks(self._fitting(kind)))

    def _fitting(self, kind: Format) -> Comparison:
        kind.require_fit(self.a, self.b)
        if lack := kind.lack(self.comparison):
            raise ExportError(f"{kind.title} cannot be written: {lack}")
        return self.comparison

    def to_paf(self) -> str:
        return self.to("paf").decode()

    def to_sam(self) -> str:
        return self.to("sam").decode()

    def to_fasta(self) -> str:
        return self.to("fasta").decode()

    def to_tsv(self) -> str:
        return self.to("tsv").decode()

    def to_vcf(self) -> str:
        return self.to("vcf").decode()

    def to_variants(self) -> str:
        return self.to("variants").decode()

    def to_json(self) -> str:
        return self.to("json").decode()

    def save(self, path: str | Path, format: str = "") -> None:
        """Write a file; its format is ``format``, else the suffix of ``path``.

        Raises:
            ExportError: no format has this ending, or see ``to``.
        """
        named = next(
            (kind for kind in _FORMATS if kind.id == format or (not format and kind.ending_of(str(path)))), None
        )
        if named is None:
            endings = ", ".join(ending for kind in COMPARISON for ending in kind.endings)
            raise ExportError(f"{path}: unknown suffix; the suffixes are {endings}")
        named.save(path, self._fitting(named))

    def __str__(self) -> str:
        return "\n".join(lines(self.comparison, rest=_REST))

    def __repr__(self) -> str:
        return f"<Answer: {next(lines(self.comparison)).strip()}>"

    def _repr_html_(self) -> str:
        return html(self.comparison, rest=_REST)


def compare(
    a: Any = None,
    b: Any = None,
    *,
    method: str = "edit",
    device: str = "auto",
    threads: int = 0,
    case: str = "auto",
    letters: str = "auto",
    ambiguity: str = "missing",
    orient: str = "plus",
    topology: str = "auto",
    progress: Progressed | None = None,
    cancel: CancelToken | None = None,
    record: bool = False,
    alignment: str | Path | tuple[AlignmentRecord, ...] = (),
    **options: Any,
) -> Answer:
    """Compare ``a`` (reference) with ``b`` (query).

    Args:
        a, b: see ``wavediff.core.run.api.reading.sequence_of``; a str is the letters, a ``Path`` a file. If neither
            file is a sequence, both are texts.
        method: ``edit``, ``swap``, ``lcs``, ``affine``, ``lines`` or ``words``. By default texts of several lines are
            compared by letters too, so that the answer has the same attributes for all inputs; ``lines`` and ``words``
            read both as texts.
        threads: 0: one per core.
        case, letters, ambiguity, orient, topology: as the options of the command line.
        progress: called with the completed share and the stage; a true return value cancels.
        record: store the times of blocks, for ``Answer.run`` and the formats ``record`` and ``trace``.
        alignment: alignment of another program to compare with: a file, or records of ``read_alignments``. The file may
            provide A and B.
        options: options of the method, as on the command line with ``_`` for ``-``: ``ends="a"``, ``traceback="none"``,
            ``band=40``, ``matrix="BLOSUM62"``, ``gap_open=10``.

    Raises:
        WavediffError: invalid input or option. Cancelled: requested.

    >>> compare("GATTACA", "GCATGCT", method="lcs").length
    4
    """
    typed = tuple((name, _text(value)) for name, value in options.items())
    asked = _asked(method, device, threads, case, letters, ambiguity, orient, topology, typed)
    if asked.short is not None and progress is None and cancel is None and not record and not alignment:
        one, other = short_letters(a), short_letters(b)
        distance = None if one is None or other is None else asked.short.answer(one, other)
        if distance is not None:
            return Answer(partial(asked.comparison, one, other), asked.method, distance)
    comparison = asked.comparison(a, b, progress, cancel, record, alignment)
    return Answer(lambda: comparison, asked.method)


class _Asked(NamedTuple):
    """Validated arguments of ``compare`` without the sequences; ``short``: kernel of short pairs, or None."""

    method: Method
    values: dict[str, Any]
    device: str
    threads: int
    case: str
    letters: UracilRule
    ambiguity: Ambiguity
    orient: str
    topology: str
    short: ShortWay | None

    def comparison(
        self, a: Any, b: Any, progress: Progressed | None = None, cancel: CancelToken | None = None,
        record: bool = False, alignment: str | Path | tuple[AlignmentRecord, ...] = (),
    ) -> Comparison:  # fmt: skip
        times: list[Recorded | KernelTiming] = []
        records: tuple[AlignmentRecord, ...] = ()
        if b is None:
            a, b, alignment = given_records(alignment, None, None)
        one, other = with_common_characters(*pair_of(a, b, as_texts=not self.method.of_letters), self.letters)
        if alignment:
            one, other, records = given_records(alignment, one, other)
        request = PairRequest.of(
            self.method, self.values, one, other, orient=self.orient, topology=self.topology, case=self.case, run=run,
            records=records,
        )  # fmt: skip
        kept = times if record else None
        result = run(request.job(self.threads), device=self.device, progress=progress, cancel=cancel, record=kept)
        recorded = next((one for one in reversed(times) if isinstance(one, Recorded)), None)
        timings = tuple(one for one in times if isinstance(one, KernelTiming))
        result = replace(result, ambiguity=self.ambiguity)
        return request.answer(result, self.threads, recorded=recorded, timings=timings)


@lru_cache(maxsize=64, typed=True)
def _asked(
    method: str, device: str, threads: int, case: str, letters: str, ambiguity: str, orient: str, topology: str,
    options: tuple[tuple[str, str], ...],
) -> _Asked:  # fmt: skip
    require_threads(threads)
    for name, value, offered in (
        ("device", device, Device), ("case", case, CaseRule), ("letters", letters, UracilRule),
        ("ambiguity", ambiguity, Ambiguity), ("orient", orient, ("auto", *Strand)),
        ("topology", topology, Topology),
    ):  # fmt: skip
        require_one_of(name, value, offered)
    kind = method_named(method)
    values = values_of(method, kind.options, dict(options))
    every = accepted(kind.options, values) | values
    kind.check(every)
    as_read = orient == Strand.PLUS and topology != Topology.CIRCULAR
    short = ShortWay.of(kind, every, device, case) if as_read else None
    rules = UracilRule(letters), Ambiguity(ambiguity)
    return _Asked(kind, values, device, threads, case, *rules, orient, topology, short)


def align(a: Any, b: Any, **named: Any) -> Answer:
    """Align ``a`` and ``b`` from end to end with affine gaps and a substitution matrix; see ``compare``."""
    return compare(a, b, method="affine", **named)


def method_named(name: str) -> Method:
    kind = next((each for each in METHODS if each.id == name), None)
    if kind is None:
        raise WavediffError(f"unknown method '{name}'; the methods are {', '.join(each.id for each in METHODS)}")
    return kind


def values_of(method: str, offered: Iterable[Option], options: Mapping[str, Any]) -> dict[str, Any]:
    """Convert options of a script to option values.

    Raises:
        WavediffError: an option is not in ``offered``, or its value is invalid.
    """
    try:
        return parsed(offered, {id_: _text(value) for id_, value in options.items()})
    except ValueError as error:
        has = ", ".join(option.id for option in offered if option.typed)
        raise WavediffError(f"method '{method}': {error}; its options are {has}") from None


def _text(value: Any) -> str:
    return ("no", "yes")[value] if isinstance(value, bool) else str(value)

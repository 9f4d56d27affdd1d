"""Search of patterns in a text, Burrows-Wheeler transform, and a reusable index."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from warnings import warn

import numpy as np
import numpy.typing as npt

from wavediff.core.base.errors import InputError, WavediffError, count_noun
from wavediff.core.export.bwt import FindAnswer
from wavediff.core.export.registry import FIND, of_id
from wavediff.core.jobs.bwt import BwtJob, FindJob, IndexJob, InverseBwtJob, LoadBwtJob
from wavediff.core.jobs.bwt_result import BwtIndex, BwtResult
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.search import MAX_ERRORS, MAX_HITS, SearchedRecords
from wavediff.core.jobs.search_files import FileQuery
from wavediff.core.run.api.reading import has_letters, sequence_of
from wavediff.core.run.api.running import Progressed, require_one_of, run
from wavediff.core.run.search_file import search_job
from wavediff.core.sequences.characters import character_places, folded_utf8
from wavediff.core.sequences.common_characters import as_bytes
from wavediff.core.sequences.concatenation import folded_text
from wavediff.core.sequences.letter_rules import CaseRule
from wavediff.core.sequences.orientation import Topology
from wavediff.core.sequences.pattern_list import literal

HIT = np.dtype([("pattern", "i4"), ("start", "i8"), ("end", "i8"), ("strand", "i1"), ("cost", "u1")])


def search(
    patterns: Any,
    text: Any,
    *,
    errors: int = 0,
    edits: bool = False,
    both_strands: bool = False,
    case: str = "auto",
    topology: str = "auto",
    limit: int = MAX_HITS,
    device: str = "auto",
    threads: int = 0,
    progress: Progressed | None = None,
    cancel: CancelToken | None = None,
) -> npt.NDArray[Any]:
    """Find every occurrence of each pattern in ``text``, overlapping ones included, in text order like ``re.search``.

    Args:
        patterns: one or several, literal; in nucleotides also IUPAC codes, names of restriction enzymes, and pairs of
            primers, ``FORWARD..REVERSE``, whose products are found. text: see ``compare``.
        topology: ``circular``: also hits across the origin, with ends beyond the text; ``auto``: by the file.
        errors: maximum mismatches of an occurrence, or edits if ``edits`` is true.

    Returns:
        ``HIT``, shape (n,): number of the pattern (from 0), 0-based half-open places; strand 1 or -1, 0 for a
            palindrome.

    Warns:
        UserWarning: the pattern contains the text.

    >>> search(["TA", "A"], "GATTACA")["start"].tolist()
    [1, 3, 4, 6]
    """
    require_one_of("case", case, CaseRule)
    require_one_of("topology", topology, Topology)
    if not 0 <= errors <= MAX_ERRORS:
        raise WavediffError(f"errors={errors!r}: expected a whole number from 0 to {MAX_ERRORS}")
    if isinstance(patterns, Path) or (not (has_letters(text) or isinstance(text, Path)) and isinstance(text, Iterable)):
        raise WavediffError("search(patterns, text): the patterns come first; name them (text=..., patterns=...)")
    one = sequence_of(text, "text")
    listed = [patterns] if has_letters(patterns) else list(patterns)
    if isinstance(text, str) and isinstance(patterns, str) and "" != text != patterns and text in patterns:
        warn("search(patterns, text): the pattern comes first, but it contains the text", stacklevel=2)
    query = FileQuery(
        patterns=tuple(literal(_bytes(each, f"pattern {k}"), f"pattern {k}") for k, each in enumerate(listed, 1)),
        case=CaseRule(case), both_strands=both_strands, errors=errors, edits=edits,
        topology=Topology(topology),
    )  # fmt: skip
    plan = search_job(one.letters, SearchedRecords.of_sequences(one), one.alphabet, query, limit, threads)
    hits = plan.found(run(plan.job, device=device, progress=progress, cancel=cancel)).hits
    hits_array = np.empty(len(hits), HIT)
    for name in HIT.names or ():
        hits_array[name] = getattr(hits, name)
    return hits_array


def transform(text: Any, *, device: str = "auto", threads: int = 0) -> BwtResult:
    """Return the Burrows-Wheeler transform of ``text``: its last column without ``$``, and the row of ``$``.

    >>> found = transform("banana")
    >>> found.last.tobytes(), found.primary, inverse(found)
    (b'annbaa', 4, b'banana')
    """
    letters = as_bytes(sequence_of(text, "text"), "the transform works on bytes").letters
    result: BwtResult = run(BwtJob(text=letters, threads=threads), device=device)
    return result


def inverse(transformed: BwtResult) -> bytes:
    text: bytes = run(InverseBwtJob(last=transformed.last, primary=transformed.primary)).text.tobytes()
    return text


class Index:
    """Index of a text (Burrows-Wheeler transform) for repeated searches.

    Args:
        text: see ``compare``.

    >>> index = Index("GATTACA")
    >>> index.count("TA"), index.find("A").tolist()
    (1, [1, 4, 6])
    """

    def __init__(self, text: Any, *, case: str = "auto") -> None:
        require_one_of("case", case, CaseRule)
        sequence = as_bytes(sequence_of(text, "text"), "an index stores bytes")
        fold_case = CaseRule(case).folds(sequence.alphabet.folds_case)
        letters = sequence.comparable(fold_case)
        self._index: BwtIndex = run(
            IndexJob(text=folded_text(letters) if fold_case else letters, name=sequence.name, fold_case=fold_case)
        )
        self._text = letters

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Index:
        """Load a file written by ``save`` or ``find --save-index``."""
        text_index = cls.__new__(cls)
        text_index._index = run(IndexJob(saved=run(LoadBwtJob(path=Path(path)))))
        text_index._text = run(InverseBwtJob(last=text_index._index.last, primary=text_index._index.primary)).text
        return text_index

    def save(self, path: str | os.PathLike[str]) -> None:
        asked = self._search("a", locate=False)
        of_id(FIND, "save-index").save(path, FindAnswer(self._index, (), asked, False, (), len(self), ()))

    def __repr__(self) -> str:
        return f"<Index of {count_noun(len(self), 'letter')}>"

    def count(self, pattern: Any) -> int:
        return int(self._search(pattern, locate=False).counts[0])

    def find(self, pattern: Any) -> npt.NDArray[np.int64]:
        """Return the positions of ``pattern``, int64, sorted, 0-based: in characters of a text, else in letters."""
        places = self._search(pattern, locate=True).positions
        return character_places(self._text, places)

    def _search(self, pattern: Any, *, locate: bool) -> Any:
        letters = _bytes(pattern, "pattern")
        letters = folded_utf8(letters) if self._index.fold_case else letters
        return run(FindJob(index=self._index, patterns=(letters,), locate=locate))

    def __len__(self) -> int:
        return self._index.length


def _bytes(pattern: Any, name: str) -> bytes:
    if not has_letters(pattern) or not (letters := as_bytes(sequence_of(pattern, name), "").letters.tobytes()):
        raise InputError(name, f"{pattern!r} is no pattern", "str or bytes with one letter or more is")
    return letters

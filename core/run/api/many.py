"""Distances of many pairs at once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from wavediff.core.base.errors import WavediffError, count_noun
from wavediff.core.export.matrix import grow, quoted
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.choices import Pairing, TreeMethod
from wavediff.core.jobs.events import run_to_end
from wavediff.core.methods.batch import BatchJob
from wavediff.core.run.api.compare import method_named, values_of
from wavediff.core.run.api.reading import has_letters, load_of, sequence_of
from wavediff.core.run.api.running import Progressed, require_one_of, run
from wavediff.core.sequences.characters import codes_of_text, decoded
from wavediff.core.sequences.common_characters import narrowed
from wavediff.core.sequences.letter_rules import CaseRule, UracilRule
from wavediff.core.sequences.sequence import Sequence, SequencePool


def batch(
    a: Path | Iterable[Any],
    b: Path | Iterable[Any] | None = None,
    *,
    method: str = "edit",
    pairs: str = "all-to-all",
    device: str = "auto",
    threads: int = 0,
    case: str = "auto",
    letters: str = "auto",
    progress: Progressed | None = None,
    cancel: CancelToken | None = None,
    **options: Any,
) -> npt.NDArray[Any]:
    """Compute the distance (LCS: length, affine: score) of each pair of ``a`` and ``b``.

    Args:
        a, b: all records of a file (a ``Path``), or sequences as ``compare`` takes them; ``b`` None: those of ``a``
            against each other.
        pairs: ``all-to-all`` or ``one-to-one``.
        options: options of the method that are available in batches, see ``compare``.

    Returns:
        int32 (float64 for fractional scores), shape (len(a), len(b)), or (len(a),) one to one.

    Raises:
        WavediffError: the method has no batches, or invalid input or option. Cancelled: requested.

    >>> batch(["kitten", "sitting"]).tolist()
    [[0, 3], [3, 0]]
    """
    for name, value, offered in (("case", case, CaseRule), ("letters", letters, UracilRule), ("pairs", pairs, Pairing)):
        require_one_of(name, value, offered)
    kind = method_named(method)
    if kind.batch is None:
        raise WavediffError(f"method '{method}' has no batches")
    firsts, seconds = _listed(a, "A"), None if b is None else _listed(b, "B")
    every = [*firsts, *(seconds or ())]
    fold_case = CaseRule(case).folds(all(one.alphabet.folds_case for one in every))
    if UracilRule(letters) is UracilRule.AUTO and all(one.alphabet.is_nucleotide for one in every):
        firsts, seconds = ([replace(one, u_is_t=True) for one in some or ()] for some in (firsts, seconds))
    pool_a, pool_b = _pools(firsts, firsts if b is None else seconds or [], fold_case)
    try:
        job = BatchJob(
            a=pool_a, b=None if b is None else pool_b, pairs=Pairing(pairs), method=kind, fold_case=fold_case,
            options=values_of(method, kind.batch.options, options), threads=threads,
        )  # fmt: skip
    except ValueError as error:
        raise WavediffError(str(error)) from None
    values: npt.NDArray[Any] = run(job, device=device, progress=progress, cancel=cancel).values
    return values


def tree(distances: npt.ArrayLike, names: Iterable[str] | None = None, method: str = "nj") -> str:
    """Return the tree of a symmetric distance matrix (e.g. of ``batch``) in Newick format.

    Args:
        distances: shape (n, n), n >= 2. names: names of the rows; None: row numbers from 1.
        method: ``nj`` (neighbour joining, whose tree has no root) or ``upgma``.

    Raises:
        WavediffError: the matrix is not symmetric, or the number of names is not n.

    >>> tree([[0, 2, 4], [2, 0, 4], [4, 4, 0]], "abc", "upgma")
    '((a:1.000000,b:1.000000):1.000000,c:2.000000);\\n'
    """
    require_one_of("method", method, TreeMethod)
    d = np.array(distances, np.float64)
    if d.ndim != 2 or len(d) < 2 or d.shape[0] != d.shape[1] or not np.allclose(d, d.T):
        raise WavediffError(f"distances of shape {d.shape}: a symmetric matrix of 2 rows or more is expected")
    labels = [str(one) for one in (range(1, len(d) + 1) if names is None else names)]
    if len(labels) != len(d):
        raise WavediffError(f"{count_noun(len(labels), 'name')} of {len(d)} rows")
    return run_to_end(grow(d, TreeMethod(method))).newick(quoted(labels))


def _listed(given: Path | Iterable[Any], side: str) -> list[Sequence]:
    if isinstance(given, Path):
        load = load_of(given)
        return [load.sequence(k) for k in range(load.n_records)]
    if has_letters(given):
        raise WavediffError(f"{side} is one sequence; a list, or the Path of a file of many, would be right")
    return [sequence_of(one, f"{side} {k}", 5) for k, one in enumerate(given, 1)]


def _pools(a: list[Sequence], b: list[Sequence], fold_case: bool) -> tuple[SequencePool, SequencePool]:
    """Encode both lists with a common code."""
    characters = "".join(sorted({character for one in (*a, *b) for character in one.characters}))

    def pool(sequences: list[Sequence]) -> SequencePool:
        if not characters:
            return SequencePool.of(sequence.comparable(fold_case) for sequence in sequences)
        recoded = (codes_of_text(decoded(sequence.letters, sequence.characters), characters) for sequence in sequences)
        same = (
            replace(one, letters=codes, characters=characters) for one, codes in zip(sequences, recoded, strict=True)
        )
        return SequencePool.of(one.comparable(fold_case) for one in same)

    first, second = pool(a), pool(b)
    one, other = narrowed(first.letters, second.letters, fold_case)
    return SequencePool(one, first.starts), SequencePool(other, second.starts)

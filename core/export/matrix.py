"""All pairs of a batch as a matrix: CSV, PHYLIP, NEXUS, and the tree of its distances in Newick's format."""

from __future__ import annotations

import csv
import io
from collections.abc import Generator, Iterator
from typing import Any

import numpy as np

from wavediff.core.base.errors import ExportError
from wavediff.core.export.batch import BatchAnswer, Shares, shares_of, values_of
from wavediff.core.export.letter_fields import name_field
from wavediff.core.export.tree import DIGITS, Tree, grow, quoted, unique
from wavediff.core.jobs.choices import Pairing, TreeMethod


def require_matrix(id_: str, pairs: Pairing, *, own: bool) -> None:
    """Refuse pairs that the format with an id, or ``tree``, cannot hold, before they are computed.

    Args:
        own: one file is compared with itself.

    Raises:
        ExportError: they are no matrix, or one of two files.
    """
    if pairs is Pairing.ONE_TO_ONE:
        raise ExportError(f"--{id_} is the matrix of '--pairs all-to-all': one-to-one has none")
    if not own and id_ != "csv":
        raise ExportError(f"--{id_} is of the sequences of one file; --csv writes the matrix of two")


def values_csv(answer: BatchAnswer) -> Iterator[bytes]:
    """Yield the values of all pairs, a row a record of A; the first row and the first column are names."""
    columns = np.arange(answer.b.n_records)
    yield _row(["", *(name_field(answer.b.name(k)) for k in columns.tolist())])
    for i in range(answer.a.n_records):
        values = values_of(answer.result, np.full(columns.size, i), columns)
        yield _row([name_field(answer.a.name(i)), *(f"{value:.12g}" for value in values.tolist())])


def phylip(answer: BatchAnswer) -> Iterator[bytes]:
    """Yield the matrix of distances as PHYLIP has it, with names of any length (relaxed), blanks in them as ``_``."""
    names = unique("_".join(name.split()) for name in _names(answer))
    yield f"{len(names)}\n".encode()
    for name, row in zip(names, _distances(answer), strict=True):
        yield f"{name}  {_numbers(row)}\n".encode("utf-8", "backslashreplace")


def nexus(answer: BatchAnswer) -> Iterator[bytes]:
    """Yield a block of taxa and the lower triangle of distances, as NEXUS; a comment says what they are."""
    batch: Any = answer.result.method.batch
    names = quoted(_names(answer))
    yield f"#NEXUS\nBEGIN TAXA;\n  DIMENSIONS NTAX={len(names)};\n  TAXLABELS\n".encode()
    yield "".join(f"    {name}\n" for name in names).encode("utf-8", "backslashreplace")
    yield b"  ;\nEND;\nBEGIN DISTANCES;\n  FORMAT TRIANGLE=LOWER DIAGONAL LABELS;\n"
    yield f"  [1 - {batch.share.lower()}: {batch.share_definition}]\n  MATRIX\n".encode()
    for k, (name, row) in enumerate(zip(names, _distances(answer), strict=True)):
        yield f"    {name} {_numbers(row[: k + 1])}\n".encode("utf-8", "backslashreplace")
    yield b"  ;\nEND;\n"


def newick(answer: BatchAnswer) -> Iterator[bytes]:
    """Yield the tree of the distances: by neighbour joining without a root, or as the answer has it."""
    tree = yield from tree_of(answer)
    yield tree.newick(quoted(_names(answer))).encode("utf-8", "backslashreplace")


def tree_of(answer: BatchAnswer) -> Generator[bytes, None, Tree]:
    """Yield nothing now and then, to be stopped, and return the tree of one file's records."""
    return (yield from grow(np.array([*_distances(answer)]), answer.tree or TreeMethod.NJ))


def _distances(answer: BatchAnswer) -> Iterator[Shares]:
    """Yield 1 - identity, or similarity (``Batch.share``), of each record with all records."""
    n, lengths = answer.a.n_records, answer.a.lengths
    for i in range(n):
        one, every = np.full(n, i), np.arange(n)
        row = 1 - shares_of(answer.result, one, every, lengths[one], lengths)
        row[i] = 0
        yield np.maximum(row, 0)


def _names(answer: BatchAnswer) -> Iterator[str]:
    return map(answer.a.name, range(answer.a.n_records))


def _numbers(row: Shares) -> str:
    return " ".join(f"{value:.{DIGITS}f}" for value in row.tolist())


def _row(cells: list[str]) -> bytes:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue().encode("utf-8", "backslashreplace")

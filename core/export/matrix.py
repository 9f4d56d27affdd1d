"""All pairs of a batch as a matrix: CSV, PHYLIP, NEXUS, and the tree of its distances in Newick's format."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

import numpy as np

from wavediff.core.base.errors import ExportError
from wavediff.core.export.batch import BatchAnswer, Shares, shares_of, values_of
from wavediff.core.export.letter_fields import name_field
from wavediff.core.jobs.choices import Pairing

_PLAIN = re.compile(r"[^\s()\[\]{}/\\,;:=*'\"`+<>-]+")  # words that NEXUS and Newick take without quotes
_DIGITS = 6  # of a distance, behind the point


def require_matrix(id_: str, pairs: Pairing, *, own: bool) -> None:
    """Refuse pairs that the format with an id cannot hold, before they are computed.

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
    names = _unique("_".join(name.split()) for name in _names(answer))
    yield f"{len(names)}\n".encode()
    for name, row in zip(names, _distances(answer), strict=True):
        yield f"{name}  {_numbers(row)}\n".encode("utf-8", "backslashreplace")


def nexus(answer: BatchAnswer) -> Iterator[bytes]:
    """Yield a block of taxa and the lower triangle of distances, as NEXUS."""
    names = [_quoted(name) for name in _unique(_names(answer))]
    yield f"#NEXUS\nBEGIN TAXA;\n  DIMENSIONS NTAX={len(names)};\n  TAXLABELS\n".encode()
    yield "".join(f"    {name}\n" for name in names).encode("utf-8", "backslashreplace")
    yield b"  ;\nEND;\nBEGIN DISTANCES;\n  FORMAT TRIANGLE=LOWER DIAGONAL LABELS;\n  MATRIX\n"
    for k, (name, row) in enumerate(zip(names, _distances(answer), strict=True)):
        yield f"    {name} {_numbers(row[: k + 1])}\n".encode("utf-8", "backslashreplace")
    yield b"  ;\nEND;\n"


def newick(answer: BatchAnswer) -> Iterator[bytes]:
    """Yield the tree that neighbour joining makes of the distances, without a root; no length is below 0.

    Saitou and Nei 1987, in the form of Studier and Keppler 1988. It takes O(n³).
    """
    trees = [_quoted(name) for name in _unique(_names(answer))]
    d = np.array(list(_distances(answer)))
    while len(trees) > 3:
        n, sums = len(trees), d.sum(axis=1)
        score = (n - 2) * d - sums - sums[:, None]
        np.fill_diagonal(score, np.inf)
        i, j = sorted(divmod(int(score.argmin()), n))
        to_i = d[i, j] / 2 + (sums[i] - sums[j]) / (2 * (n - 2))
        trees[i] = f"({_branch(trees[i], to_i)},{_branch(trees[j], d[i, j] - to_i)})"
        d[i] = d[:, i] = (d[i] + d[j] - d[i, j]) / 2
        d[i, i] = 0
        d, _ = np.delete(np.delete(d, j, 0), j, 1), trees.pop(j)
        yield b""  # to be stopped
    others = [d[k].sum() - d.sum() / 4 for k in range(3)] if len(trees) == 3 else [d[0, 1] / 2] * 2
    joined = ",".join(_branch(tree, length) for tree, length in zip(trees, others, strict=True))
    yield f"({joined});\n".encode("utf-8", "backslashreplace")


def _branch(tree: str, length: float) -> str:
    return f"{tree}:{max(0.0, length):.{_DIGITS}f}"


def _distances(answer: BatchAnswer) -> Iterator[Shares]:
    """Yield 1 - identity of each record with all records."""
    n, lengths = answer.a.n_records, answer.a.lengths
    for i in range(n):
        one, every = np.full(n, i), np.arange(n)
        row = 1 - shares_of(answer.result, one, every, lengths[one], lengths)
        row[i] = 0
        yield np.maximum(row, 0)


def _names(answer: BatchAnswer) -> Iterator[str]:
    return map(answer.a.name, range(answer.a.n_records))


def _unique(names: Iterator[str]) -> list[str]:
    """Return names of which none is there twice: a number is added to those that come again."""
    found = dict[str, None]()
    for name in names:
        one, k = name, 1
        while one in found:
            k += 1
            one = f"{name}_{k}"
        found[one] = None
    return list(found)


def _quoted(name: str) -> str:
    return name if _PLAIN.fullmatch(name) and "_" not in name else "'" + name.replace("'", "''") + "'"


def _numbers(row: Shares) -> str:
    return " ".join(f"{value:.{_DIGITS}f}" for value in row.tolist())


def _row(cells: list[str]) -> bytes:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue().encode("utf-8", "backslashreplace")

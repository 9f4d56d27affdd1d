"""Distance matrices and trees of many pairs."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts
from wavediff.core.base.errors import ExportError
from wavediff.core.export.batch import BatchAnswer, Shares, shares_of, values_of
from wavediff.core.export.letter_fields import name_field
from wavediff.core.jobs.choices import Pairing, TreeMethod

DIGITS = 6  # of a distance, behind the point
_PLAIN = re.compile(r"[^\s()\[\]{}/\\,;:=*'\"`+<>-]+")  # words that NEXUS and Newick take without quotes
Distances = npt.NDArray[np.float64]
Child = tuple[int, float]  # number of a node, length of its branch


@dataclass(frozen=True, slots=True)
class Tree:
    """Nodes 0 to ``n_leaves - 1`` are leaves; internal nodes follow in order of creation.

    Attributes:
        joins: children of each inner node. The last node is the root or, for neighbour joining, has three children.
    """

    n_leaves: int
    joins: tuple[tuple[Child, ...], ...]

    @property
    def order(self) -> Counts:
        """Leaves in drawing order, int64: the leaves of each node are contiguous."""
        under = [[k] for k in range(self.n_leaves)]
        for children in self.joins:
            under.append([leaf for child, _ in children for leaf in under[child]])
        return np.array(under[-1], np.int64)

    @property
    def depths(self) -> Distances:
        """Distance of each node from the root."""
        heights = np.zeros(self.n_leaves + len(self.joins))
        for node in range(heights.size - 1, self.n_leaves - 1, -1):
            for child, length in self.joins[node - self.n_leaves]:
                heights[child] = heights[node] + length
        return heights

    def newick(self, names: Sequence[str]) -> str:
        """Return the tree in Newick format; leaf ``names`` are quoted if necessary."""
        texts = [*names]
        for children in self.joins:
            texts.append(f"({','.join(f'{texts[child]}:{length:.{DIGITS}f}' for child, length in children)})")
        return f"{texts[-1]};\n"


def grow(distances: Distances, method: TreeMethod) -> Generator[bytes, None, Tree]:
    """Build the tree of at least two sequences; yields after each join. Branch lengths are >= 0. O(n³) time.

    Neighbour joining: Saitou and Nei 1987, in the form of Studier and Keppler 1988. UPGMA: Sokal and Michener 1958.
    """
    n_leaves, nodes, by_mean = len(distances), [*range(len(distances))], method is TreeMethod.UPGMA
    d, joins = distances.copy(), list[tuple[Child, ...]]()
    sizes, heights = [1] * n_leaves, [0.0] * n_leaves
    while len(nodes) > (1 if by_mean else 3):
        n, sums = len(nodes), d.sum(axis=1)
        score = d.copy() if by_mean else (n - 2) * d - sums - sums[:, None]
        np.fill_diagonal(score, np.inf)
        i, j = sorted(divmod(int(score.argmin()), n))
        half = float(d[i, j] / 2)
        if by_mean:
            to_i, to_j = half - heights[i], half - heights[j]
            d[i] = d[:, i] = (sizes[i] * d[i] + sizes[j] * d[j]) / (sizes[i] + sizes[j])
            sizes[i], heights[i] = sizes[i] + sizes.pop(j), half
            del heights[j]
        else:
            to_i = half + float(sums[i] - sums[j]) / (2 * (n - 2))
            to_j = 2 * half - to_i
            d[i] = d[:, i] = (d[i] + d[j] - d[i, j]) / 2
        d[i, i] = 0
        joins.append(((nodes[i], max(0.0, to_i)), (nodes[j], max(0.0, to_j))))
        nodes[i], d = n_leaves + len(joins) - 1, np.delete(np.delete(d, j, 0), j, 1)
        del nodes[j]
        yield b""
    if not by_mean:
        last = [d[k].sum() - d.sum() / 4 for k in range(3)] if len(nodes) == 3 else [d[0, 1] / 2] * 2
        joins.append(tuple((node, max(0.0, float(length))) for node, length in zip(nodes, last, strict=True)))
    return Tree(n_leaves, tuple(joins))


def quoted(names: Iterable[str]) -> list[str]:
    """Return unique names, quoted for NEXUS and Newick if necessary."""
    each = unique(names)
    return [
        name if _PLAIN.fullmatch(name) and "_" not in name else "'" + name.replace("'", "''") + "'" for name in each
    ]


def unique(names: Iterable[str]) -> list[str]:
    """Make names unique: repeated ones get a number."""
    numbered = dict[str, None]()
    for name in names:
        label, k = name, 1
        while label in numbered:
            k += 1
            label = f"{name}_{k}"
        numbered[label] = None
    return list(numbered)


def require_matrix(id_: str, pairs: Pairing, *, own: bool) -> None:
    """Raise an error for pairs that the format (or ``tree``) cannot hold, before any computation.

    Args:
        own: whether a file is compared with itself.

    Raises:
        ExportError: the pairs form no matrix, or a matrix of two different files.
    """
    if pairs is Pairing.ONE_TO_ONE:
        raise ExportError(f"--{id_} writes a matrix of all pairs: it needs '--pairs all-to-all'")
    if not own and id_ != "csv":
        raise ExportError(f"--{id_} needs all pairs of a single list of records; for A against B use --csv")


def values_csv(answer: BatchAnswer) -> Iterator[bytes]:
    """Yield the values of all pairs, one row per record of A; first row and column are names."""
    columns = np.arange(answer.b.n_records)
    yield _row(["", *(name_field(answer.b.name(k)) for k in columns.tolist())])
    for i in range(answer.a.n_records):
        values = values_of(answer.result, np.full(columns.size, i), columns)
        yield _row([name_field(answer.a.name(i)), *(f"{value:.12g}" for value in values.tolist())])


def phylip(answer: BatchAnswer) -> Iterator[bytes]:
    """Yield the distance matrix in relaxed PHYLIP format: names of any length, blanks as ``_``."""
    names = unique("_".join(name.split()) for name in _names(answer))
    yield f"{len(names)}\n".encode()
    for name, row in zip(names, _distances(answer), strict=True):
        yield f"{name}  {_numbers(row)}\n".encode("utf-8", "backslashreplace")


def nexus(answer: BatchAnswer) -> Iterator[bytes]:
    """Yield a taxa block and the lower triangle of distances in NEXUS format; a comment defines the distances."""
    batch: Any = answer.result.method.batch
    names = quoted(_names(answer))
    yield f"#NEXUS\nBEGIN TAXA;\n  DIMENSIONS NTAX={len(names)};\n  TAXLABELS\n".encode()
    yield "".join(f"    {name}\n" for name in names).encode("utf-8", "backslashreplace")
    yield b"  ;\nEND;\nBEGIN DISTANCES;\n  FORMAT TRIANGLE=LOWER DIAGONAL LABELS;\n"
    share = batch.share.lower()
    yield f"  [1 - {share}, where {share} = {batch.share_definition}]\n  MATRIX\n".encode()
    for k, (name, row) in enumerate(zip(names, _distances(answer), strict=True)):
        yield f"    {name} {_numbers(row[: k + 1])}\n".encode("utf-8", "backslashreplace")
    yield b"  ;\nEND;\n"


def newick(answer: BatchAnswer) -> Iterator[bytes]:
    """Yield the tree of the distances: unrooted by neighbour joining, or by the method of the answer."""
    tree = yield from tree_of(answer)
    yield tree.newick(quoted(_names(answer))).encode("utf-8", "backslashreplace")


def tree_of(answer: BatchAnswer) -> Generator[bytes, None, Tree]:
    """Build the tree of the records of one file; yields regularly, so it can be stopped."""
    return (yield from grow(np.array([*_distances(answer)]), answer.tree or TreeMethod.NJ))


def _distances(answer: BatchAnswer) -> Iterator[Shares]:
    n, lengths = answer.a.n_records, answer.a.lengths
    for i in range(n):
        own, every = np.full(n, i), np.arange(n)
        row = 1 - shares_of(answer.result, own, every, lengths[own], lengths)
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

"""Trees of distances: neighbour joining and UPGMA."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts
from wavediff.core.jobs.choices import TreeMethod

DIGITS = 6  # of a distance, behind the point
_PLAIN = re.compile(r"[^\s()\[\]{}/\\,;:=*'\"`+<>-]+")  # words that NEXUS and Newick take without quotes
Distances = npt.NDArray[np.float64]
Child = tuple[int, float]  # number of a node, length of its branch


@dataclass(frozen=True, slots=True)
class Tree:
    """Nodes 0 to ``n_leaves - 1`` are leaves, the others follow in the order in which they were made.

    Attributes:
        joins: children of each inner node, the top last; neighbour joining has no root: its top has three of them.
    """

    n_leaves: int
    joins: tuple[tuple[Child, ...], ...]

    @property
    def order(self) -> Counts:
        """Leaves as they are drawn, int64: those of a node are neighbours."""
        under = [[k] for k in range(self.n_leaves)]
        for children in self.joins:
            under.append([leaf for child, _ in children for leaf in under[child]])
        return np.array(under[-1], np.int64)

    @property
    def depths(self) -> Distances:
        """Distance of each node from the top."""
        found = np.zeros(self.n_leaves + len(self.joins))
        for node in range(found.size - 1, self.n_leaves - 1, -1):
            for child, length in self.joins[node - self.n_leaves]:
                found[child] = found[node] + length
        return found

    def newick(self, names: Sequence[str]) -> str:
        """Return the tree in Newick's format; ``names`` are those of the leaves, in quotes where they need them."""
        texts = [*names]
        for children in self.joins:
            texts.append(f"({','.join(f'{texts[child]}:{length:.{DIGITS}f}' for child, length in children)})")
        return f"{texts[-1]};\n"


def grow(distances: Distances, method: TreeMethod) -> Generator[bytes, None, Tree]:
    """Yield nothing after each join, and return the tree of two sequences or more; no branch is below 0. It takes
    O(n³).

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
    """Return names, none twice, as NEXUS and Newick have them: in quotes where they need them."""
    each = unique(names)
    return [
        name if _PLAIN.fullmatch(name) and "_" not in name else "'" + name.replace("'", "''") + "'" for name in each
    ]


def unique(names: Iterable[str]) -> list[str]:
    """Return names of which none is there twice: a number is added to those that come again."""
    found = dict[str, None]()
    for name in names:
        one, k = name, 1
        while one in found:
            k += 1
            one = f"{name}_{k}"
        found[one] = None
    return list(found)

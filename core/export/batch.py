"""Distances of many pairs as a table (one line per pair) and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import Counts
from wavediff.core.base.notices import Notice
from wavediff.core.export.json import noticed, versions
from wavediff.core.export.letter_fields import name_field
from wavediff.core.jobs.choices import Pairing, TreeMethod
from wavediff.core.methods.batch import BatchResult
from wavediff.core.methods.statistics import gcups
from wavediff.core.reading import Load
from wavediff.core.screening.jobs import NO_PARTS, Parts
from wavediff.core.sequences.letter_rules import UracilRule
from wavediff.core.system.version import schema

HEADER = ("number_a", "a", "number_b", "b", "length_a", "length_b")
PART_HEADER, NO_PART = ("contained", "contained_share"), "\t"
_CHUNK_PAIRS = 1 << 12  # pairs in a piece: some ms of work


# Records (0-based) of A and of B, of some pairs in any order.
Listed = tuple[Counts, Counts]
Shares = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class BatchAnswer:
    """Distances of many pairs, with their input files.

    Attributes:
        b: the file of B; ``a`` if a file was compared with itself.
        listed: pairs to write; None: all.
        parts: pairs with one sequence inside the other. notices: notices about both files together.
        letters: whether U counts as T. tree: method of the tree in files and in the heat map.
        files: the files as read. options: options of the method, by id.
    """

    a: Load
    b: Load
    result: BatchResult
    fold_case: bool
    threads: int
    listed: Listed | None = None
    parts: Parts = NO_PARTS
    notices: tuple[Notice, ...] = ()
    letters: UracilRule = UracilRule.AUTO
    tree: TreeMethod | None = None
    files: tuple[Load, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)


def in_pieces(listed: Listed) -> Iterator[Listed]:
    """Yield the selected pairs in chunks, in order."""
    for first in range(0, listed[0].size, _CHUNK_PAIRS):
        yield listed[0][first : first + _CHUNK_PAIRS], listed[1][first : first + _CHUNK_PAIRS]


def pairs_of(result: BatchResult) -> Iterator[Listed]:
    """Yield the records (0-based) of A and of B of all computed pairs, in chunks and in order.

    If a file is compared with itself, each pair occurs once, in file order.
    """
    if result.pairs is Pairing.ONE_TO_ONE:
        for first in range(0, result.values.size, _CHUNK_PAIRS):
            k = np.arange(first, min(first + _CHUNK_PAIRS, result.values.size))
            yield k, k
        return
    n_a, n_b = result.values.shape
    for i in range(n_a):
        for first in range(i + 1 if result.own else 0, n_b, _CHUNK_PAIRS):
            j = np.arange(first, min(first + _CHUNK_PAIRS, n_b))
            yield np.full(j.size, i), j


def values_of(result: BatchResult, a: Counts, b: Counts) -> Counts | Shares:
    """Return the value of each pair of records of A and B: int64, or float64 if fractional."""
    values = _of_pairs(result, result.values, a, b)
    return values.astype(np.int64) if values.dtype.kind == "i" else values


def shares_of(result: BatchResult, a: Counts, b: Counts, n_a: Counts, n_b: Counts) -> Shares:
    """Return the identity, 0 to 1, of each pair of records of A and B; ``n_a``, ``n_b``: their lengths."""
    if result.shares is not None:
        return _of_pairs(result, result.shares, a, b).astype(np.float64)
    return result.method.batch_identity(values_of(result, a, b), n_a, n_b)


def _of_pairs(result: BatchResult, table: npt.NDArray[Any], a: Counts, b: Counts) -> npt.NDArray[Any]:
    return table[a] if result.pairs is Pairing.ONE_TO_ONE else table[a, b]


def tsv(answer: BatchAnswer) -> Iterator[bytes]:
    """Yield a header and one line per pair (all, or ``listed``); record numbers from 1, identity 0 to 1.

    ``contained`` is ``a`` or ``b`` if that sequence is inside the other one (``b reversed``: its reverse complement),
    ``contained_share`` the share of its k-mers there.
    """
    a, b, result = answer.a, answer.b, answer.result
    batch = result.method.batch
    assert batch is not None
    yield "\t".join([*HEADER, batch.column, batch.share.split()[0].lower(), *PART_HEADER]).encode() + b"\n"
    parts = {one[:2]: f"{one.inner}{' reversed' * one.minus}\t{one.share:.6f}" for one in answer.parts.found}
    for i, j in pairs_of(result) if answer.listed is None else in_pieces(answer.listed):
        n_a, n_b, values = a.lengths[i], b.lengths[j], values_of(result, i, j)
        shares = shares_of(result, i, j, n_a, n_b)
        columns = (one.tolist() for one in (i, j, n_a, n_b, values, shares))
        yield "".join(
            f"{x + 1}\t{name_field(a.name(x))}\t{y + 1}\t{name_field(b.name(y))}\t{n}\t{m}\t{value:.12g}\t{share:.6f}\t"
            f"{parts.get((x, y), NO_PART)}\n"
            for x, y, n, m, value, share in zip(*columns, strict=True)
        ).encode("utf-8", "backslashreplace")


def document(answer: BatchAnswer) -> Iterator[bytes]:
    """Yield JSON in chunks: statistics, names and lengths of both files, and ``values`` (a list per record of A).

    For one-to-one pairs ``values`` is a single list. If a file is compared with itself, ``b`` is null and ``values``
    symmetric. For selected pairs ``listed`` replaces ``values``: [record of a, record of b, value], records from 0.
    """
    result, listed = answer.result, answer.listed
    head: dict[str, Any] = {
        **schema("batch"),
        "method": str(result.method),
        "pairs": str(result.pairs),
        "n_pairs": result.n_pairs,
        "fold_case": answer.fold_case,
        "device": result.device,
        "threads": answer.threads,
        "matrix_cells": result.n_cells,
        "kernel_seconds": result.kernel_seconds,
        "wall_seconds": result.wall_seconds,
        "gcups": gcups(result.n_cells, result.wall_seconds),
        "versions": versions(),
        "a": _file(answer.a),
        "b": None if result.own else _file(answer.b),
        "notices": noticed(answer.notices),
        "contained": [one._asdict() for one in answer.parts.found],
        "pairs_of_unlike_length": {"looked_at": answer.parts.n_looked, "all": answer.parts.n_unlike},
    }
    key = b"values" if listed is None else b"listed"
    yield json.dumps(head, indent=1)[:-2].encode("ascii") + b',\n "' + key + b'": ['
    if listed is not None:
        for piece, (i, j) in enumerate(in_pieces(listed)):
            rows = list(zip(i.tolist(), j.tolist(), values_of(result, i, j).tolist(), strict=True))
            yield (b",\n  " if piece else b"\n  ") + ",\n  ".join(map(json.dumps, rows)).encode()
    elif result.pairs is Pairing.ONE_TO_ONE:
        yield json.dumps(result.values.tolist())[1:-1].encode()
    else:
        for n, row in enumerate(result.values):
            yield (b",\n  " if n else b"\n  ") + json.dumps(row.tolist()).encode()
    yield b"]\n}\n"


def _file(load: Load) -> dict[str, Any]:
    names = [load.name(k) for k in range(load.n_records)]
    notices = noticed(load.notices)
    return {"source": load.source, "names": names, "lengths": load.lengths.tolist(), "notices": notices}

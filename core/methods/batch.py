"""Job and result of a comparison of many pairs at once."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from wavediff.core.base.arrays import freeze_fields
from wavediff.core.base.errors import count_noun
from wavediff.core.jobs import Job, KernelModules, Rates, card_limits
from wavediff.core.jobs.choices import Pairing
from wavediff.core.jobs.cluster import Cluster
from wavediff.core.jobs.results import Result
from wavediff.core.methods.base import Batch, Method, gpu_only
from wavediff.core.methods.edit import EDIT
from wavediff.core.methods.options import Options, accepted
from wavediff.core.sequences.sequence import Alphabet, SequencePool
from wavediff.core.system.machine import cores

LANES = 8  # pairs that a core of ``Rates`` computes at once


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BatchJob(Job):
    """Distances (LCS: lengths) of many pairs of ``a`` (reference) and ``b`` (query) at once.

    Attributes:
        a, b: the sequences; ``b`` None: ``a`` against itself, each pair once.
        pairs: selection of pairs; ``ONE_TO_ONE`` needs the same number of sequences in ``a`` and ``b``.
        method: method for each pair, one with a ``Method.batch``.
        fold_case: ASCII letters match regardless of case.
        alphabets: of the files; empty: unknown.
        options: of ``Batch.options``; missing ones have their defaults.
        threads: CPU threads; 0: one per core.
        cluster: computes the pairs; None: this computer.
    """

    timed_kernel = "pairs"
    cluster_tasks = "batch"

    a: SequencePool
    b: SequencePool | None
    pairs: Pairing = Pairing.ALL_TO_ALL
    method: Method = EDIT
    fold_case: bool = False
    alphabets: Collection[Alphabet] = ()
    options: Options = field(default_factory=dict)
    threads: int = 0
    cluster: Cluster | None = None

    def __post_init__(self) -> None:
        unknown = [name for name in self.options if name not in {one.id for one in self.batch.options}]
        if unknown:
            raise ValueError(f"batches of {self.method.long_name} have no option {unknown[0]}")
        if self.pairs is Pairing.ONE_TO_ONE and (self.b is None or len(self.a) != len(self.b)):
            raise ValueError("a one-to-one batch needs the same number of records of A and B")

    @property
    def batch(self) -> Batch:
        if self.method.batch is None:
            raise ValueError(f"there are no batches of {self.method.long_name}")
        return self.method.batch

    @property
    def modules(self) -> KernelModules:  # type: ignore[override]  # of a class there are none
        return self.batch.modules

    @property
    def rates(self) -> Rates:  # type: ignore[override]
        return self.batch.rates

    @property
    def kind(self) -> Method:
        return self.method

    @property
    def size(self) -> str:
        return count_noun(self.n_pairs, "pair")

    @property
    def card_bytes(self) -> int:
        records = len(self.a) + len(self.b or ())
        answers = 4 * int(np.prod(self.shape, dtype=np.float64))
        return card_limits.BYTES_PER_LETTER * self.n_letters + card_limits.BYTES_OF_A_RECORD * records + answers

    @property
    def cpu_obstacle(self) -> str | None:
        chosen = accepted(self.batch.options, self.options)
        return next((why for id_, value, why in gpu_only(self.batch.options) if chosen[id_] is value), None)

    @property
    def card_limit_reason(self) -> str | None:
        if self.a.letters.itemsize > 1:
            return card_limits.WIDE_LETTERS
        if self.n_letters <= card_limits.MAX_LETTERS:
            return None
        return card_limits.too_long(max(int(one.sizes.max(initial=0)) for one in (self.a, self.b) if one is not None))

    @property
    def single_card_reason(self) -> str | None:
        if self.cpu_obstacle is not None:
            return "its kernel uses a single card"
        least = max(card_limits.MIN_BATCH_CELLS, card_limits.MIN_CELLS_A_PAIR * self.n_pairs)
        return card_limits.TOO_SHORT if self.n_cells < least else None

    def on_card(self, seconds: float) -> float:
        return seconds + self.n_letters / card_limits.UPLOAD_LETTERS_PER_SECOND

    @property
    def cpu_cells(self) -> int:
        return self.n_cells * LANES * self._groups // max(1, self._rows)

    @property
    def rated_threads(self) -> int:
        return min(self.threads or cores(), max(1, self.n_pairs * self._groups // max(1, self._rows)))

    def rated_cells(self, n_cells: float, device: str) -> float:
        return n_cells * self.cpu_cells / max(1, self.n_cells) if device == "cpu" else n_cells

    @property
    def _rows(self) -> int:
        """Number of sequences that occupy one vector lane each."""
        return self.n_pairs if self.pairs is Pairing.ONE_TO_ONE else max(len(self.a), len(self.b or ()))

    @property
    def _groups(self) -> int:
        return -(-self._rows // LANES)

    def value(self, option: str) -> Any:
        """Return the value of a batch option, or its default."""
        default = next(one.default for one in self.batch.options if one.id == option)
        return self.options.get(option, default)

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the result: (pairs,) for pairs, (sequences of A, sequences of B) for all against all."""
        return (
            (len(self.a),)
            if self.pairs is Pairing.ONE_TO_ONE
            else (len(self.a), len(self.a if self.b is None else self.b))
        )

    @property
    def n_pairs(self) -> int:
        """Number of computed pairs; one file against itself: each pair once, none with itself."""
        n = len(self.a)
        if self.b is None:
            return n * (n - 1) // 2
        return n if self.pairs is Pairing.ONE_TO_ONE else n * len(self.b)

    @property
    def n_letters(self) -> int:
        """Number of letters in both files; one file against itself counts once."""
        return int(self.a.letters.size) + (0 if self.b is None else int(self.b.letters.size))

    @property
    def n_cells(self) -> int:
        a, b = self.a.sizes, (self.a if self.b is None else self.b).sizes
        if self.pairs is Pairing.ONE_TO_ONE:
            return int(a @ b)
        whole = int(a.sum()) * int(b.sum())
        return (whole - int(a @ a)) // 2 if self.b is None else whole


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BatchResult(Result):
    """Answer to a ``BatchJob``.

    Attributes:
        values: int32 (float64 for fractions), shape (pairs,) one to one, (sequences of A, of B) all to all: distances,
            or LCS lengths. One file against itself gives both halves of a symmetric table.
        method, pairs: of the job.
        own: whether a file was compared with itself.
        n_pairs: number of computed pairs; for a file with itself each pair once, without self pairs.
        n_cells: cells of their full matrices.
        shares: float32, shape of ``values``: similarity, 0 to 1; None if it follows from the value
            (``Method.batch_identity``).
    """

    values: npt.NDArray[np.int32] | npt.NDArray[np.float64]
    method: Method
    pairs: Pairing
    own: bool
    n_pairs: int
    n_cells: int
    shares: npt.NDArray[np.float32] | None = None

    def __post_init__(self) -> None:
        freeze_fields(self)

    @classmethod
    def of(cls, job: BatchJob, values: Any, shares: Any = None, **fields: Any) -> BatchResult:
        """Return the result of ``job``; ``fields``: those common to all results."""
        return cls(
            values=values, method=job.method, pairs=job.pairs, own=job.b is None, n_pairs=job.n_pairs,
            n_cells=job.n_cells, shares=shares, **fields,
        )  # fmt: skip

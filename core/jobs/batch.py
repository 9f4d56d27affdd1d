"""Job that compares many pairs at once."""

from __future__ import annotations

from dataclasses import dataclass, field

from core.jobs.job_id import next_job_id
from core.jobs.pair import SwapKernel
from core.sequences.sequence_pool import BatchMethod, Pairing, SequencePool


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class BatchJob:
    """Distances (LCS: lengths) of many pairs of ``a`` (reference) and ``b`` (query) at once.

    Attributes:
        a, b: the sequences; ``b`` None for those of ``a`` against each other, each pair computed once.
        pairs: which of them are compared; ZIP needs as many of ``a`` as of ``b``.
        method: what is computed of each pair.
        fold_case: ASCII letters match whatever their case.
        kernel: what computes the cells; those of the paper go with ``BatchMethod.SWAP``.
        threads: CPU threads, 0 = one a core.
    """

    a: SequencePool
    b: SequencePool | None
    pairs: Pairing = Pairing.ALL_TO_ALL
    method: BatchMethod = BatchMethod.EDIT
    fold_case: bool = False
    kernel: SwapKernel = SwapKernel.DEFAULT
    threads: int = 0
    id: int = field(default_factory=next_job_id)

    def __post_init__(self) -> None:
        if self.kernel is not SwapKernel.DEFAULT and self.method is not BatchMethod.SWAP:
            raise ValueError(f"the kernels of paper 5 are for swaps, got method {self.method}")
        if self.pairs is Pairing.ONE_TO_ONE and (self.b is None or len(self.a) != len(self.b)):
            raise ValueError("pair by pair needs as many of A as of B")

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of the answers: (pairs,) pair by pair, (sequences of A, of B) of all against all."""
        return (
            (len(self.a),)
            if self.pairs is Pairing.ONE_TO_ONE
            else (len(self.a), len(self.a if self.b is None else self.b))
        )

    @property
    def n_pairs(self) -> int:
        """Pairs that are computed: of one file against itself each once, and none with itself."""
        n = len(self.a)
        if self.b is None:
            return n * (n - 1) // 2
        return n if self.pairs is Pairing.ONE_TO_ONE else n * len(self.b)

    @property
    def n_cells(self) -> int:
        """Cells of their matrices."""
        a, b = self.a.sizes, (self.a if self.b is None else self.b).sizes
        if self.pairs is Pairing.ONE_TO_ONE:
            return int(a @ b)
        whole = int(a.sum()) * int(b.sum())
        return (whole - int(a @ a)) // 2 if self.b is None else whole

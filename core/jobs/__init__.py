"""Jobs, their events and their results: immutable, shared between threads."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from wavediff.core.base.errors import count_noun

if TYPE_CHECKING:
    from wavediff.core.jobs.cluster import Cluster
    from wavediff.core.jobs.events import Step

_ids = count(1)


def next_job_id() -> int:
    return next(_ids)


class ShortKernel(NamedTuple):
    """Kernel for short pairs; ``compiled``: names of its compiled kernels, see ``wavediff.core.jit.warmup``."""

    module: str
    function: str
    compiled: tuple[str, ...]


class KernelModules(NamedTuple):
    """Names of the modules that run a kind of job: ``run(job)`` on the CPU, ``run_on(card, job)`` on graphics cards.

    They are imported at first use, so that neither Numba nor CuPy is loaded before the first paint. ``gpu`` is None for
    CPU-only jobs. ``uncompiled``, a generator function, runs short jobs before their kernels are compiled.

    The CPU module may have a function ``memory(job)``: bytes of the job without its letters, or (minimum, maximum) if
    they depend on similarity.
    """

    cpu: str
    gpu: str | None = None
    uncompiled: ShortKernel | None = None
    one_call: ShortKernel | None = None


class Rates(NamedTuple):
    """Speed of a kind of job in cells (transforms: letters) per second.

    Attributes:
        core: one core of an AMD EPYC (Zen 4); for transforms, which gain little by threads, all cores.
        card: one NVIDIA H200: (matrix cells, rate) by size; empty without a GPU kernel.
        chained: whether blocks depend on each other, so only large matrices occupy all threads.
    """

    core: float
    card: tuple[tuple[float, float], ...] = ()
    chained: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Job:
    """Request with read-only arrays; its properties describe it for the choice of a device.

    Attributes:
        id: number of the job, shared by its events and its result.
        modules: modules that run the job.
        rates: speed of these modules, or None.
        timed_kernel: name of the kernel that computes the cells.
        cluster_tasks: module of ``wavediff.core.run.cluster`` that computes the job on a cluster.
    """

    modules: ClassVar[KernelModules]
    rates: ClassVar[Rates | None] = None
    timed_kernel: ClassVar[str] = "blocks"
    cluster_tasks: ClassVar[str] = ""

    id: int = field(default_factory=next_job_id)

    def __post_init__(self) -> None:
        from wavediff.core.base.arrays import freeze_fields  # imported for the help, which needs no NumPy

        freeze_fields(self)

    @property
    def step(self) -> Step:
        from wavediff.core.jobs.events import Step

        return Step(self.id)

    @property
    def kind(self) -> Any:
        """Key of the jobs that share a speed measurement."""
        return type(self)

    @property
    def size(self) -> str:
        return count_noun(self.n_letters, "letter")

    @property
    def n_letters(self) -> int:
        """Letters of both sequences, or of the text."""
        return 0

    @property
    def n_cells(self) -> int:
        """Number of matrix cells, or of another unit in which ``rates`` count."""
        return self.n_letters

    @property
    def cpu_cells(self) -> int:
        """``n_cells`` in the unit of the CPU rate, if that differs."""
        return self.n_cells

    @property
    def threads(self) -> int:
        """CPU threads, 0 = one per core."""
        return 0

    @property
    def rated_threads(self) -> int:
        """Threads by which the rate of one core is multiplied, 0 = one per core."""
        return self.threads

    @property
    def passes(self) -> int:
        """Number of times that each cell is computed."""
        return 1

    @property
    def card_bytes(self) -> int:
        """Minimum memory on a card in bytes; to store an alignment path, a job uses the memory that is free."""
        return 0

    @property
    def cluster(self) -> Cluster | None:
        """Cluster that computes the job; None: this computer."""
        return None

    @property
    def cluster_obstacle(self) -> str:
        """Reason why a cluster cannot compute the job, as a sentence; empty if it can."""
        return ""

    @property
    def cpu_obstacle(self) -> str | None:
        """Reason why the CPU cannot run this job though it runs others of its kind (card-only kernels), or None."""
        return None

    @property
    def gpu_obstacle(self) -> str | None:
        """Reason why a card cannot run this job though it runs others of its kind, or None."""
        return None

    @property
    def card_limit_reason(self) -> str | None:
        """Reason why the letters, or their number, do not fit on a card, as a clause, or None."""
        return None

    @property
    def single_card_reason(self) -> str | None:
        """Reason why a single card runs the job, as a clause; None if several cards share it."""
        return "its kernel uses a single card"

    @property
    def several_cards(self) -> str:
        """Clause that describes how several cards share the job."""
        return "share it"

    @property
    def is_short(self) -> bool:
        """True if plain Python computes the job in a few milliseconds."""
        return False

    @property
    def memory_is_small(self) -> bool:
        """True if the job needs so little memory that no estimate is made."""
        return False

    def on_card(self, seconds: float) -> float:
        """Return the seconds on a card, given ``seconds`` for its cells."""
        return seconds

    def rated_cells(self, n_cells: float, device: str) -> float:  # noqa: ARG002
        """Convert ``n_cells`` reported by a kernel to the unit of the rate of ``device`` (``cpu`` or ``gpu``)."""
        return n_cells

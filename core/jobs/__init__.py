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
    """Kernel for short pairs.

    Attributes:
        module, function: it.
        compiled: names of the compiled kernels that do the same, or that it is; see ``wavediff.core.jit.warmup``.
    """

    module: str
    function: str
    compiled: tuple[str, ...]


class KernelModules(NamedTuple):
    """Names of the modules that run a kind of job: ``run(job)`` on the CPU, ``run_on(card, job)`` on graphics cards.

    They are strings, imported when first used: neither Numba nor CuPy is loaded before the first paint. ``gpu`` is None
    where only the CPU can. ``uncompiled``, a generator that is called with the job, runs short jobs where a compiler
    would have to be waited for. ``one_call`` is ``wavediff.core.kernels.pairwise.short_pair``.

    That for the CPU may have a function ``memory(job)``: the bytes that the job takes besides its letters, or least and
    most of them, where that depends on how alike two sequences are.
    """

    cpu: str
    gpu: str | None = None
    uncompiled: ShortKernel | None = None
    one_call: ShortKernel | None = None


class Rates(NamedTuple):
    """Speed of a kind of job in cells (transforms: letters) per second.

    Attributes:
        core: of one core of an AMD EPYC (Zen 4). A transform gains little by threads: that of the processor.
        card: of one NVIDIA H200: (cells of the matrix, rate) by size; a small matrix does not fill it. Empty where
            there is no kernel for cards.
        chained: whether blocks follow each other, so that only large matrices feed all threads; else these share the
            work without loss.
    """

    core: float
    card: tuple[tuple[float, float], ...] = ()
    chained: bool = False


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Job:
    """A request with read-only arrays. It answers the questions of the device selection itself.

    Attributes:
        id: of its own, which its events and its result carry.
        modules: that run it.
        rates: their speed; None: nothing is known of it.
        timed_kernel: the kernel whose steps tell of its cells.
        cluster_tasks: module of ``wavediff.core.run.cluster`` that says what its tasks on a cluster are.
    """

    modules: ClassVar[KernelModules]
    rates: ClassVar[Rates | None] = None
    timed_kernel: ClassVar[str] = "blocks"
    cluster_tasks: ClassVar[str] = ""

    id: int = field(default_factory=next_job_id)

    def __post_init__(self) -> None:
        from wavediff.core.base.arrays import freeze_fields  # jobs are imported for the help, which needs no NumPy

        freeze_fields(self)

    @property
    def step(self) -> Step:
        """Factory of its events."""
        from wavediff.core.jobs.events import Step

        return Step(self.id)

    @property
    def kind(self) -> Any:
        """Key of the jobs that share a speed measurement."""
        return type(self)

    @property
    def size(self) -> str:
        """Size as text for the user."""
        return count_noun(self.n_letters, "letter")

    @property
    def n_letters(self) -> int:
        """Letters of both sequences, or of the text."""
        return 0

    @property
    def n_cells(self) -> int:
        """Number of cells, or of the units of its rates."""
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
        """Threads that multiply its rate, 0 = one per core."""
        return self.threads

    @property
    def passes(self) -> int:
        """Number of times that each cell is computed."""
        return 1

    @property
    def card_bytes(self) -> int:
        """Minimum memory of a card in bytes; a stored path takes the free memory."""
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
        """Reason why the CPU cannot run this job, unlike others of its kind (card-only kernels), or None."""
        return None

    @property
    def gpu_obstacle(self) -> str | None:
        """Reason why a card cannot run this job, unlike others of its kind, or None."""
        return None

    @property
    def card_limit_reason(self) -> str | None:
        """Reason why the letters, or their number, do not fit on a card, as a clause, or None."""
        return None

    @property
    def single_card_reason(self) -> str | None:
        """Reason why a single card runs the job, as a clause; None if several cards share it."""
        return "its kernel is for a single one"

    @property
    def several_cards(self) -> str:
        """Clause that describes how several cards share the job."""
        return "share it"

    @property
    def is_short(self) -> bool:
        """True if its kernel without compiler takes a few milliseconds only."""
        return False

    @property
    def memory_is_small(self) -> bool:
        """True if its memory needs no estimate."""
        return False

    def on_card(self, seconds: float) -> float:
        """Return the seconds on a card, given ``seconds`` for its cells."""
        return seconds

    def rated_cells(self, n_cells: float, device: str) -> float:  # noqa: ARG002
        """Convert ``n_cells`` reported by a kernel to the unit of the rate of ``device`` (``cpu`` or ``gpu``)."""
        return n_cells

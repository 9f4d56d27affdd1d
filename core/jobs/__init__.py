"""Jobs, their events and their results: immutable, safe to hand to another thread."""

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
    """Kernel of short pairs.

    Attributes:
        module, function: it.
        compiled: names of the compiled kernels that do the same, or that it is; see ``wavediff.core.jit.warmup``.
    """

    module: str
    function: str
    compiled: tuple[str, ...]


class KernelModules(NamedTuple):
    """Modules that run a kind of job, each with a function: ``run(job)``, and of ``gpu`` ``run_on(card, job)``,
    which takes what wakes other cards too where ``Job.single_card_reason`` gives them a part.

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
    """Cells a second of one kind of job; of a transform, letters.

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
    """A request; no one can write to its arrays. It answers itself what the choice of a device asks.

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
        """Maker of its events."""
        from wavediff.core.jobs.events import Step

        return Step(self.id)

    @property
    def kind(self) -> Any:
        """Key of the jobs whose speed is measured together."""
        return type(self)

    @property
    def size(self) -> str:
        """Size, for the user."""
        return count_noun(self.n_letters, "letter")

    @property
    def n_letters(self) -> int:
        """Letters of both sides, or of the text."""
        return 0

    @property
    def n_cells(self) -> int:
        """Cells, or whatever its rates count."""
        return self.n_letters

    @property
    def cpu_cells(self) -> int:
        """``n_cells`` as the rate of the CPU counts them, where that differs."""
        return self.n_cells

    @property
    def threads(self) -> int:
        """CPU threads, 0 = one a core."""
        return 0

    @property
    def rated_threads(self) -> int:
        """Threads that its rate is multiplied by, 0 = one a core."""
        return self.threads

    @property
    def passes(self) -> int:
        """Number of times that its cells are computed."""
        return 1

    @property
    def card_bytes(self) -> int:
        """The least memory of a card that it can do with; a path kept there takes what is free."""
        return 0

    @property
    def cluster(self) -> Cluster | None:
        """Cluster that computes it; None: this computer does."""
        return None

    @property
    def cluster_obstacle(self) -> str:
        """Reason for a cluster not to compute it, a sentence; empty where it does."""
        return ""

    @property
    def cpu_obstacle(self) -> str | None:
        """Reason for the CPU not to do it, though others of its kind, a sentence: a published kernel of a card."""
        return None

    @property
    def gpu_obstacle(self) -> str | None:
        """Reason for a card not to do it, though others of its kind, a sentence."""
        return None

    @property
    def card_limit_reason(self) -> str | None:
        """Clause on letters that a card cannot take, or so many of them; None where it can."""
        return None

    @property
    def single_card_reason(self) -> str | None:
        """Reason for one card to do it alone, a clause; None where others have a part in it, and have to be woken."""
        return "its kernel is for a single one"

    @property
    def several_cards(self) -> str:
        """Clause on the work of several cards."""
        return "share it"

    @property
    def is_short(self) -> bool:
        """True where its kernel that needs no compiler takes some milliseconds."""
        return False

    @property
    def memory_is_small(self) -> bool:
        """True where no one needs an estimate of its memory."""
        return False

    def on_card(self, seconds: float) -> float:
        """Return how long a card takes whose cells take ``seconds``."""
        return seconds

    def rated_cells(self, n_cells: float, device: str) -> float:  # noqa: ARG002
        """Return ``n_cells`` that its kernel reported as the rate of ``device`` (``cpu`` or ``gpu``) counts them."""
        return n_cells

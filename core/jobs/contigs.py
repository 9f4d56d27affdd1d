"""Contigs of an assembly placed on a reference A: order, strand, position, gaps, and unplaced contigs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from wavediff.core.base.numbers import count, identity, number
from wavediff.core.jobs import KernelModules
from wavediff.core.jobs.cluster import Cluster
from wavediff.core.jobs.exact_matches import SeededJob
from wavediff.core.jobs.rearranged import BlockKind, Border, CollinearBlock
from wavediff.core.sequences.sequence import SequencePool

CHIMERIC_SHARE = 0.1  # of a contig that lies elsewhere in A
REARRANGED = BlockKind.INVERTED, BlockKind.MOVED, BlockKind.DUPLICATED


def rearranged_text(counts: dict[BlockKind, int]) -> str:
    """Return ``1 inverted, 2 moved``; empty where there are none."""
    return ", ".join(f"{number(n)} {kind}" for kind, n in counts.items() if n)


class NotPlaced(StrEnum):
    """Reason for a contig without a place in A."""

    SHORT = "too short"  # shorter than the shortest block
    UNKNOWN = "no shared k-mer"
    REPEATS = "repeats only"  # all shared k-mers have too many places in A or in the assembly
    WEAK = "too few shared k-mers"  # no chain of them is longer than chance


class NextKind(StrEnum):
    """Relation of a contig to the next one along A; contained contigs are skipped."""

    GAP = "gap"
    OVERLAP = "overlap"
    ADJACENT = "adjacent"
    CONTAINED = "contained"  # another contig has all its letters of A
    END = "end"  # the last one on a linear A


class Next(NamedTuple):
    """Relation of a contig to the next one along A.

    Attributes:
        letters: letters of A between the two contigs, or shared by them.
        contig: number of the next contig that is not contained in another, or of the containing one; 0: none.
    """

    kind: NextKind
    letters: int
    contig: int = 0

    @property
    def text(self) -> str:
        """``gap 1,204``, ``overlap 31``, ``adjacent``, ``contained in 27``; empty at the end."""
        if self.kind is NextKind.END:
            return ""
        if self.kind is NextKind.CONTAINED:
            return f"contained in {number(self.contig)}"
        return f"{self.kind} {number(self.letters)}" if self.letters else str(self.kind)


@dataclass(frozen=True, slots=True, eq=False)
class Placement:
    """A contig and its place in A: the chain of blocks on one strand with the most equal letters.

    Attributes:
        number: of its record in the file of the assembly, from 1. name: first word of its header. letters: its length.
        reason: why it has no place; None for a placed contig.
        minus: its reverse complement is placed on A.
        a: borders of the place in A, with ranges of equally good borders; empty without a place. For a place across the
            origin of a circular A, the last border is beyond the end of A.
        contig: first and last border (0-based) of the placed letters in the file; (0, 0) without a place.
        blocks: aligned blocks of its place, in the order of the contig: ``COLLINEAR`` in order on its strand,
            ``INVERTED`` on the other one, ``MOVED``, or ``DUPLICATED`` if another block has the same letters of A.
        others: aligned blocks elsewhere in A: ``INVERTED`` on the other strand, else ``MOVED``.
        n_places: places in A with as many equal letters, within 1 %; more than 1: ambiguous.
        same_as: numbers of other contigs with the same letters, on either strand.
    """

    number: int
    name: str
    letters: int
    reason: NotPlaced | None = None
    minus: bool = False
    a: tuple[Border, ...] = ()
    contig: tuple[int, int] = (0, 0)
    blocks: tuple[CollinearBlock, ...] = ()
    others: tuple[CollinearBlock, ...] = ()
    n_places: int = 0
    same_as: tuple[int, ...] = ()

    @property
    def placed(self) -> bool:
        return self.reason is None

    @property
    def rearranged(self) -> dict[BlockKind, int]:
        """Numbers of inverted, moved and duplicated blocks in its place."""
        kinds = [block.kind for block in self.blocks]
        return {kind: kinds.count(kind) for kind in REARRANGED}

    @property
    def covered(self) -> int:
        """Letters of the contig in the blocks of its place."""
        return sum(block.size[1] for block in self.blocks)

    @property
    def differences(self) -> int:
        """Edits in the blocks of its place, columns of N excluded."""
        return sum(block.differences or 0 for block in self.blocks)

    @property
    def columns(self) -> int:
        """Alignment columns in the blocks of its place, columns of N excluded."""
        results = [block.result for block in self.blocks if block.result is not None]
        return sum(one.alignment.n_columns - one.apart.n for one in results if one.alignment is not None)

    @property
    def identity(self) -> float:
        """Fraction of equal columns among ``columns``; 0 without a place."""
        return 1 - self.differences / self.columns if self.columns else 0.0

    @property
    def elsewhere(self) -> int:
        """Letters of the contig in blocks at other places of A."""
        return sum(block.size[1] for block in self.others)

    @property
    def chimeric(self) -> bool:
        """True if at least ``CHIMERIC_SHARE`` of the contig lies elsewhere in A."""
        return self.elsewhere >= max(1.0, CHIMERIC_SHARE * self.letters)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ContigsJob(SeededJob):
    """Request for the places of contigs on a DNA sequence, the reference.

    Attributes:
        contigs: uint8. names: of each, as many.
        circular: A is circular.
        cluster: places the contigs; None: this computer.
    """

    modules = KernelModules("wavediff.core.kernels.contigs.run", "wavediff.gpu.exact_matches.seeded")
    cluster_tasks = "contigs"

    contigs: SequencePool
    names: tuple[str, ...]
    circular: bool = False
    cluster: Cluster | None = None

    @property
    def n_letters(self) -> int:
        return int(self.a.size + self.contigs.letters.size) + len(self.contigs)  # with those between two contigs


def along(spans: list[tuple[int, int] | None]) -> list[int]:
    """Return the indices of spans sorted by start, longest first on ties; spans without a place are omitted."""
    places = [(span[0], -span[1], at) for at, span in enumerate(spans) if span is not None]
    return [at for *_, at in sorted(places)]


@dataclass(frozen=True, slots=True, eq=False)
class ContigsResult:
    """Answer to a ``ContigsJob``.

    Attributes:
        n: letters of A. circular: of the job.
        k, max_copies: of the seeds, see ``ExactMatches``.
        placements: of each contig, in the order of the file.
        order: indices of the placed contigs, along A. next_to: their relations.
        covered: letters of A in blocks of a place.
        gaps: first and last border of each stretch of A outside all places; across the origin of a circular A the last
            border is beyond the end of A.
        waiting: contigs not placed yet; ``placements`` has the others, and ``gaps`` is empty.
    """

    n: int
    circular: bool
    k: int
    max_copies: int
    placements: tuple[Placement, ...]
    order: tuple[int, ...]
    next_to: tuple[Next, ...]
    covered: int
    gaps: tuple[tuple[int, int], ...]
    waiting: int = 0

    @classmethod
    def so_far(cls, job: ContigsJob, placements: Iterable[Placement]) -> ContigsResult:
        """Return the intermediate result of a running ``job``."""
        some = sorted(placements, key=lambda one: one.number)
        order = along([(one.a[0].at, one.a[-1].at) if one.placed else None for one in some])
        waiting, ends = len(job.contigs) - len(some), (Next(NextKind.END, 0),) * len(order)
        return cls(int(job.a.size), job.circular, 0, 0, tuple(some), tuple(order), ends, 0, (), waiting)

    @property
    def placed(self) -> list[Placement]:
        return [self.placements[at] for at in self.order]

    @property
    def unplaced(self) -> list[Placement]:
        return [one for one in self.placements if not one.placed]

    @property
    def coverage(self) -> float:
        """Fraction of A covered by blocks of placed contigs."""
        return self.covered / self.n if self.n else 0.0

    @property
    def rearranged(self) -> dict[BlockKind, int]:
        """Numbers of inverted, moved and duplicated blocks within contigs."""
        return {kind: sum(one.rearranged[kind] for one in self.placements) for kind in REARRANGED}

    @property
    def text(self) -> str:
        """The answer, such as ``28 of 30 contigs placed, 3 turned, cover 97.1 % of A; 27 gaps, 2 not placed``."""
        total, left = len(self.placements), len(self.unplaced)
        if not self.order:
            why = f"no chain of shared {self.k}-mers" if self.n else "A has no letters"
            return f"none of {count(total, 'contig', 'contigs')} placed: {why}"
        turned, chimeric = sum(one.minus for one in self.placed), sum(one.chimeric for one in self.placed)
        parts = [f"{number(len(self.order))} of {count(total, 'contig', 'contigs')} placed"]
        parts += [f"{number(turned)} turned"] if turned else []
        parts += [f"{number(chimeric)} chimeric"] if chimeric else []
        summary = f"{', '.join(parts)}, cover {identity(self.coverage)} of A; {count(len(self.gaps), 'gap', 'gaps')}"
        summary += f", {number(left)} not placed" if left else ""
        inside = rearranged_text(self.rearranged)
        return f"{summary}; inside contigs: {inside}" if inside else summary

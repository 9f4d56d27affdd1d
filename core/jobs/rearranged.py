"""Collinear blocks of two rearranged DNA sequences: their places, strands and alignments."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from wavediff.core.base.arrays import Letters
from wavediff.core.base.numbers import count, number
from wavediff.core.jobs import KernelModules
from wavediff.core.jobs.choices import MAX_K, MIN_K
from wavediff.core.jobs.exact_matches import SeededJob

if TYPE_CHECKING:
    from wavediff.core.jobs.edit_result import EditResult


MIN_SCORE = 40  # letters of a block, about


class BlockKind(StrEnum):
    """Kind of a block by its place in B."""

    COLLINEAR = "collinear"  # of the longest chain in order in both, by letters
    INVERTED = "inverted"  # on the other strand
    MOVED = "moved"  # on the same strand, in another order
    DUPLICATED = "duplicated"  # one more copy of letters that another block has
    ONLY_A = "only in A"
    ONLY_B = "only in B"


class Border(NamedTuple):
    """Boundary between two letters (0-based) with the range of equally good positions."""

    at: int
    low: int
    high: int


@dataclass(frozen=True, slots=True, eq=False)
class CollinearBlock:
    """Aligned letters of A and B (both as compared), or letters of only one of them.

    Attributes:
        kind: see ``BlockKind``.
        a, b: first and last border. For letters of one sequence only, both borders in the other one are the
            corresponding position.
        minus: B is on the minus strand.
        result: exact alignment on the strand; None for letters of one sequence only.
        copy_in: for a duplicated block, the sequence with the additional copy, ``A`` or ``B``; else empty.
        moved: for an inverted or moved block: its collinear neighbours in B differ from those in A.
    """

    kind: BlockKind
    a: tuple[Border, Border]
    b: tuple[Border, Border]
    minus: bool = False
    result: EditResult | None = None
    copy_in: str = ""
    moved: bool = False

    @property
    def kind_text(self) -> str:
        return f"{self.kind}, moved" if self.moved and self.kind is BlockKind.INVERTED else str(self.kind)

    @property
    def differences(self) -> int | None:
        """Edits inside the block, columns of unknown letters excluded; None for letters of one sequence."""
        return None if self.result is None else self.result.distance - self.result.apart.edits

    def on(self, axis: int) -> tuple[Border, Border]:
        """Return the borders in A (axis 0) or B (axis 1)."""
        return self.b if axis else self.a

    @property
    def size(self) -> tuple[int, int]:
        return self.a[1].at - self.a[0].at, self.b[1].at - self.b[0].at


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RearrangedJob(SeededJob):
    """Request for the collinear blocks of two DNA sequences, as compared."""

    modules = KernelModules("wavediff.core.kernels.rearranged.run", "wavediff.gpu.exact_matches.seeded")

    b: Letters

    @property
    def n_letters(self) -> int:
        return int(self.a.size + self.b.size)


@dataclass(frozen=True, slots=True, eq=False)
class RearrangedResult:
    """Blocks that cover A and B, in the order of A; blocks of B only are listed where they would be inserted.

    Attributes:
        n, m: letters. bases: letters of A and of B that are A, C, G or T.
        k, max_copies, n_matches, n_left_out: of the seeds, see ``ExactMatches``.
    """

    n: int
    m: int
    k: int
    max_copies: int
    n_matches: int
    n_left_out: int
    bases: tuple[int, int]
    blocks: tuple[CollinearBlock, ...]

    @property
    def edits(self) -> int:
        """Edits inside all blocks, unknown letters included."""
        return sum(block.result.distance for block in self.blocks if block.result is not None)

    @property
    def differences(self) -> int:
        """Edits inside all blocks, columns of unknown letters excluded."""
        return sum(block.differences or 0 for block in self.blocks)

    def of(self, kind: BlockKind) -> list[CollinearBlock]:
        return [block for block in self.blocks if block.kind is kind]

    @property
    def seeds(self) -> str:
        """Description of the seeds, such as ``97 exact matches of 16 letters and more``."""
        left_out = f", {number(self.n_left_out)} places left out as too frequent" if self.n_left_out else ""
        return f"{count(self.n_matches, 'exact match', 'exact matches')} of {self.k} letters and more{left_out}"

    @property
    def text(self) -> str:
        """Text of the answer, such as ``9 blocks: 1 inverted, 1 moved, 1 duplicated; 3 edits inside``."""
        if self.blocks and not any(block.result for block in self.blocks):
            few = [
                f"{name} has {count(n, 'nucleotide', 'nucleotides')}"
                for name, n in zip("AB", self.bases, strict=True)
                if n < MIN_SCORE
            ]
            if few:
                return f"no blocks: {' and '.join(few)} (A, C, G, T); a block has {MIN_SCORE} or more"
            if self.n_left_out:
                more = ", or choose more seed letters" if self.k < MAX_K else ""
                return f"no blocks: the shared {self.k}-mers have too many places; compare from end to end{more}"
            fewer = "choose fewer seed letters, or " if self.k > MIN_K else ""
            return f"no blocks: too few shared {self.k}-mers; {fewer}compare as protein"
        kinds = ", ".join(
            f"{number(n)} {kind}{f' ({number(moved)} of them moved)' if moved else ''}"
            for kind in BlockKind
            if kind is not BlockKind.COLLINEAR and (n := len(self.of(kind)))
            for moved in (kind is BlockKind.INVERTED and sum(block.moved for block in self.of(kind)),)
        )
        inside = f"{count(self.differences, 'edit', 'edits')} inside"
        if unknown := self.edits - self.differences:
            inside += f" ({count(unknown, 'unknown base', 'unknown bases')} not counted)"
        return f"{count(len(self.blocks), 'block', 'blocks')}: {kinds or 'in order'}; {inside}"

"""Lines of a table: ours beside the peers, and how they are printed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from wavediff.tests.bench.measure import Timing


@dataclass(frozen=True, slots=True)
class Row:
    """One line: ``peers`` that were asked, and a remark.

    Attributes:
        work: cells or letters, for the speed of ours.
        right: whether the answer is, where that is known without a peer.
    """

    what: str
    work: float
    ours: Timing
    peers: dict[str, Timing] = field(default_factory=dict)
    note: str = ""
    right: bool | None = None

    @property
    def agrees(self) -> bool | None:
        return all(one.answer == self.ours.answer for one in self.peers.values()) if self.peers else self.right

    @property
    def ratio(self) -> float | None:
        """How many times as long the fastest peer took."""
        return min(one.best for one in self.peers.values()) / self.ours.best if self.peers else None


def once(seconds: float, answer: object = True) -> Timing:
    """A call that was timed by others."""
    return Timing(seconds, seconds, 1, answer)


def show(title: str, rows: Iterable[Row], peers: Iterable[str] = (), speed: str = "GCUPS", per: float = 1e9) -> bool:
    """Print a table: times are the best of several rounds, a ratio above 1 means that ours is faster.

    Args:
        peers: columns. speed, per: unit of the speed of ours, and how much work a second it is.

    Returns:
        Whether all answers were equal.
    """
    print(f"\n{title:58} {'ours':>11} {speed:>8}" + "".join(f"   {name:>14} {'ratio':>7}" for name in peers))
    fine = True
    for row in rows:
        line = f"{row.what:58} {unit(row.ours.best):>11} {row.work / row.ours.best / per:8.2f}"
        for name in peers:
            one = row.peers.get(name)
            line += f"   {unit(one.best):>14} {one.best / row.ours.best:7.2f}" if one is not None else " " * 25
        verdict = "" if row.agrees is None else "  equal" if row.agrees else "  DIFFERENT"
        slower = ", SLOWER" if row.ratio is not None and row.ratio < 1 else ""
        print(f"{line}{verdict}{slower}  {row.note}".rstrip(), flush=True)
        fine &= row.agrees is not False
    return fine


def unit(seconds: float) -> str:
    if seconds < 1e-3:
        return f"{seconds * 1e6:.1f} us"
    return f"{seconds * 1e3:.2f} ms" if seconds < 1 else f"{seconds:.2f} s"

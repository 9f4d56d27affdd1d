"""Cards beside the one that does a job, for jobs that ``wavediff.core.jobs.card_limits`` finds worth them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wavediff.gpu.card.interface import Card

OtherCards = Callable[[], Sequence[Card]]  # of the same kind, woken by the first call


def no_others() -> Sequence[Card]:
    """Return no cards: where one does all."""
    return ()

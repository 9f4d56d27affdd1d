"""Protocol of the graphics cards of this process; the first query imports CuPy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, Protocol, cast

from wavediff.core.base.errors import DeviceError
from wavediff.core.system.machine import GraphicsCard


class GraphicsCards(Protocol):
    """Protocol of ``wavediff.gpu.card.current_card``, usable from any thread."""

    def obstacle(self, patience: float = ...) -> str | None:
        """Return why the card is unusable, or None; waits for the driver."""

    def describe(self) -> GraphicsCard | None: ...
    def wake(self) -> None: ...
    def card(self) -> Any: ...
    def free_memory(self) -> int: ...
    def mark_failed(self, reason: str) -> None: ...
    def release(self) -> None: ...

    @property
    def others(self) -> Callable[[], Sequence[Any]]: ...

    @property
    def translated(self) -> Callable[[BaseException], DeviceError | None]:
        """Function that converts an error of CuPy to a ``DeviceError``, or returns None."""


def graphics_cards() -> GraphicsCards:
    return cast(GraphicsCards, import_module("wavediff.gpu.card.current_card"))

"""The graphics cards of this process as the running of jobs knows them; the first question imports CuPy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any, Protocol, cast

from wavediff.core.base.errors import DeviceError
from wavediff.core.system.machine import GraphicsCard


class GraphicsCards(Protocol):
    """Protocol of ``wavediff.gpu.card.current_card``, which answers any thread."""

    def obstacle(self, patience: float = ...) -> str | None:
        """Return in one sentence why the card cannot be used, None where it can; waits for a driver."""

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
        """Translator of CuPy's errors."""


def graphics_cards() -> GraphicsCards:
    return cast(GraphicsCards, import_module("wavediff.gpu.card.current_card"))

"""Wavediff: how two sequences differ, and the computation that finds it.

>>> import wavediff
>>> wavediff.compare("kitten", "sitting").distance
3
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

_FOLDER = os.path.dirname(os.path.abspath(__file__))
if not os.path.isdir(os.path.join(_FOLDER, "core")):  # in a checkout, whose folders lie at its top
    __path__.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(_FOLDER))))

from wavediff.core.system.version import VERSION as __version__  # noqa: E402, N811 - is found now

if TYPE_CHECKING:
    from wavediff.core.run.api import (
        Answer,
        Cancelled,
        CancelToken,
        Index,
        LessonPage,
        WavediffError,
        align,
        batch,
        blocks,
        compare,
        contigs,
        inverse,
        lesson,
        read,
        read_alignment,
        search,
        transform,
        tree,
    )

__all__ = [
    "Answer", "CancelToken", "Cancelled", "Index", "LessonPage", "WavediffError", "__version__", "align", "batch",
    "blocks", "compare", "contigs", "inverse", "lesson", "read", "read_alignment", "search", "transform", "tree",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import the API on first use; the command line does not need it."""
    if name not in __all__:
        raise AttributeError(f"module 'wavediff' has no attribute '{name}'")
    from wavediff.core.run import api

    globals()[name] = found = getattr(api, name)  # from now on this function is not called for it
    return found


def __dir__() -> list[str]:
    return sorted(__all__)

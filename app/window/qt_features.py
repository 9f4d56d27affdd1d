"""Spare what is imported after Qt a look at its source.

After each import of a module PySide asks whether that module uses PySide, to know where its switches ``snake_case`` and
``true_property`` hold, and for this it reads and splits the whole source: 45 ms of importing a compiler, and all those
texts stay in memory. No one here turns these switches.
"""

from __future__ import annotations

import sys
from typing import Any


def leave_sources_unread() -> None:
    """Import Qt's core, and keep PySide from reading the source of each module imported later."""
    import PySide6.QtCore  # noqa: F401 - brings the module that asks

    features: Any = sys.modules.get("shibokensupport.feature")
    if hasattr(features, "_mod_uses_pyside"):
        features._mod_uses_pyside = _no


def _no(_module: object) -> bool:
    return False

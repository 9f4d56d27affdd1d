"""Disable PySide's source scan of modules imported after Qt.

After each import PySide reads the whole source of the module to check whether it uses its switches ``snake_case`` and
``true_property``: 45 ms for a compiler, and the texts stay in memory. This program does not use them.
"""

from __future__ import annotations

import sys
from typing import Any


def leave_sources_unread() -> None:
    """Import Qt's core, and keep PySide from reading the source of each module imported later."""
    import PySide6.QtCore  # noqa: F401 - brings the module that asks

    features: Any = sys.modules.get("shibokensupport.feature")
    if hasattr(features, "_mod_uses_pyside"):
        features._mod_uses_pyside = lambda *_: False

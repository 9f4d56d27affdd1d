"""Grey actions, with the reason in their tips."""

from __future__ import annotations

from PySide6.QtGui import QAction


def allow(action: QAction, why_not: str) -> None:
    """Enable an action, or grey it and show why it cannot be done: ``why_not``, empty where it can be."""
    tips = action.property("tips")
    if tips is None:  # as it is when it can be done
        tips = [action.toolTip(), action.statusTip()]
        action.setProperty("tips", tips)
    action.setEnabled(not why_not)
    action.setToolTip(why_not or tips[0])
    action.setStatusTip(why_not or tips[1])

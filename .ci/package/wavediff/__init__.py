"""Wavediff: how two sequences differ, and the computation that finds it."""

from __future__ import annotations

import os

_FOLDER = os.path.dirname(os.path.abspath(__file__))
if not os.path.isdir(os.path.join(_FOLDER, "core")):  # in a checkout, whose folders lie at its top
    __path__.insert(0, os.path.dirname(os.path.dirname(os.path.dirname(_FOLDER))))

from wavediff.core.system.version import VERSION as __version__  # noqa: E402, N811 - is found now

__all__ = ["__version__"]

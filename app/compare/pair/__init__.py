from __future__ import annotations

from wavediff.app.ui import reported as reported  # before any class of Qt is made, as of the window

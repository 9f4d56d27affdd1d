from __future__ import annotations

from wavediff.app.ui import reported as reported  # before any class of the window is made: it is for all of them

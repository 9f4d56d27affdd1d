"""Search for many patterns on a graphics card (paper 3); ``run.run`` is the kernel."""

from __future__ import annotations

"""Edit distance with swaps on a graphics card (paper 5); ``run.run`` is the kernel."""

from __future__ import annotations

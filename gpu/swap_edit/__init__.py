"""Edit distance with swaps on a graphics card (Kim, Na and Sim); ``run.run`` is the kernel."""

from __future__ import annotations

"""Edit distance with swaps on the CPU (paper 5); ``run.run`` is the kernel."""

from __future__ import annotations

"""Edit distance with swaps on the CPU (Kim, Na and Sim); ``run.run`` is the kernel."""

from __future__ import annotations

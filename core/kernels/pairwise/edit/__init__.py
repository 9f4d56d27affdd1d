"""Edit distance on the CPU (paper 2); ``run.run`` is the kernel."""

from __future__ import annotations

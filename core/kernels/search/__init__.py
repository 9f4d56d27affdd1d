"""Search for many patterns on the CPU (paper 3); ``run.run`` is the kernel."""

from __future__ import annotations

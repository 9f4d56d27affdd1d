"""Edit distance on a graphics card (paper 2); ``run.run`` is the kernel."""

from __future__ import annotations

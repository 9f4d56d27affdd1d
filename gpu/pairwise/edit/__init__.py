"""Edit distance on a graphics card (Sudo and Shinohara); ``run.run`` is the kernel."""

from __future__ import annotations

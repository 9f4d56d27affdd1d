"""Edit distance on the CPU (Sudo and Shinohara); ``run.run`` is the kernel."""

from __future__ import annotations

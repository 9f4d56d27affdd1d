"""Search for many patterns on the CPU (Kusudo, Ino and Hagihara); ``run.run`` is the kernel."""

from __future__ import annotations

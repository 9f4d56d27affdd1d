"""Search for many patterns on a graphics card (Kusudo, Ino and Hagihara); ``run.run`` is the kernel."""

from __future__ import annotations

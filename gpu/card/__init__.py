"""Graphics card: what can be asked of one (``interface``), and how CUDA does it, through CuPy (``cuda``)."""

from __future__ import annotations

"""What can be asked of a graphics card (``interface``), and how CUDA does it, through CuPy (``cuda``)."""

from __future__ import annotations

"""``python -m wavediff``: the same as ``wavediff``."""

from __future__ import annotations

import sys

if not sys.flags.safe_path:
    del sys.path[0]  # of the folder that one stands in, which Python puts first for -m: nothing is imported from it

from wavediff.main import start

sys.exit(start())

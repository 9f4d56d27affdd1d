"""``python -m wavediff``: the same as the command ``wavediff``."""

from __future__ import annotations

import sys

from wavediff.main import start

sys.exit(start())

"""Check types, in a checkout that was never checked from what was found in the last one that was.

python -m tests.type_check
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

from tests import kept

ROOT = Path(__file__).parents[1]
FOUND = ROOT / ".mypy_cache"


def main() -> int:
    """Return mypy's exit status; it compares what was found before with the sources, by their digests."""
    shared = kept.folder("types") / f"{sys.implementation.cache_tag}.tar"
    begins = not FOUND.exists()
    if begins and shared.exists():
        with suppress(OSError, shutil.ReadError):
            shutil.unpack_archive(shared, FOUND, filter="data")
    status = subprocess.run([sys.executable, "-m", "mypy"], cwd=ROOT, check=False, timeout=1800).returncode
    if status == 0 and begins:
        new = shared.with_name(f"{os.getpid()}")
        os.replace(shutil.make_archive(str(new), "tar", FOUND), shared)
    return status


if __name__ == "__main__":
    sys.exit(main())

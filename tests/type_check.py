"""Check types, in a checkout that was never checked from what was found in the last one that was.

python -m tests.type_check
"""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from time import time

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
    status = checked()
    if status == 0 and begins:
        new = shared.with_name(f"{os.getpid()}")
        os.replace(shutil.make_archive(str(new), "tar", FOUND), shared)
    return status


def checked() -> int:
    """Run mypy; its command line would take the folders of ``wavediff`` for packages of their own."""
    from mypy.fscache import FileSystemCache
    from mypy.main import process_options, run_build

    os.chdir(ROOT)
    begin, cache = time(), FileSystemCache()
    sources, options = process_options([], stdout=sys.stdout, stderr=sys.stderr, fscache=cache)
    for source in sources:
        if source.path is not None and Path(source.path).parts[0] in ("app", "core", "gpu", "main.py"):
            source.module = f"wavediff.{source.module}"
    _, messages, blocked = run_build(sources, options, cache, begin, sys.stdout, sys.stderr)
    sys.stdout.write(f"{len(messages) or 'no'} faults in {len(sources)} files\n")
    return 2 if blocked else int(any(": error: " in message for message in messages))


if __name__ == "__main__":
    sys.exit(main())

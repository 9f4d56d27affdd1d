"""Start Wavediff: the window by default, the command line for its subcommands."""

from __future__ import annotations

import sys

if sys.version_info < (3, 11):  # noqa: UP036 - whoever has an older one should be told
    sys.exit("wavediff: Python 3.11 or newer is needed, this is " + sys.version.split()[0])

if __name__ == "__main__":
    from app.cli import main

    sys.exit(main(sys.argv[1:]))

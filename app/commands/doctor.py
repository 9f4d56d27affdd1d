"""``doctor``: what this machine offers; 0 when all is well, 2 when something will not work."""

from __future__ import annotations

import argparse
import sys

from wavediff.core.export import json
from wavediff.core.run import doctor


def run(arguments: argparse.Namespace) -> int:
    found = doctor.report()
    if arguments.json:
        sys.stdout.write(json.text(found).decode())
    else:
        sys.stdout.write("\n".join(doctor.lines(found)) + "\n")
    sys.stdout.flush()
    return 2 if found["problems"] else 0

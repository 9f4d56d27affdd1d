"""Start Wavediff: the window by default, the command line for its subcommands."""

from __future__ import annotations

import os
import signal
import sys

if sys.version_info < (3, 11):  # noqa: UP036 - whoever has an older one should be told
    sys.exit("wavediff: Python 3.11 or newer is needed, this is " + sys.version.split()[0])


def start() -> int:
    """Run the program and return its exit code: the command ``wavediff`` of an installation."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # no traceback of an import; as the other signals are by now
    # An installation keeps all of it in a package, and a name of ours must not be found anywhere else.
    folder = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [folder, *(one for one in sys.path if one != folder)]
    from core.system.call_frames import call_with_room

    return call_with_room(_run)


def _run() -> int:
    from app.commands import streams

    # first of all: what is opened next would become standard output where that is closed
    streams.reserve_standard_streams()
    # A signal may come at any time, also while what follows is imported.
    from app.commands.names import opens_window
    from core.system import signals

    signals.watch(window=opens_window(sys.argv[1:]))
    from core.jit.gc_control import gc_paused_and_frozen

    with gc_paused_and_frozen():
        from app.commands.cli import main

    return main(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(start())

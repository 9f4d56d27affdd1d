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
    if "wavediff" not in sys.modules:  # this file was started, and is no module of the package
        _load_package()
    from wavediff.core.system.call_frames import call_with_room

    return call_with_room(_run)


def _run() -> int:
    from wavediff.app.commands import streams

    # first of all: what is opened next would become standard output where that is closed
    streams.reserve_standard_streams()
    # A signal may come at any time, also while what follows is imported.
    from wavediff.app.commands import opens_window
    from wavediff.core.system import signals

    signals.watch(window=opens_window(sys.argv[1:]))
    from wavediff.core.jit.gc_control import gc_paused_and_frozen

    with gc_paused_and_frozen():
        from wavediff.app.commands.cli import main

    return main(sys.argv[1:])


def _load_package() -> None:
    """Make ``wavediff`` the package of the folder that this file is in, whatever other one Python's path leads to."""
    from importlib.util import module_from_spec, spec_from_file_location

    folder = os.path.dirname(os.path.realpath(__file__))
    if not sys.flags.safe_path and os.path.realpath(sys.path[0]) == folder:
        del sys.path[0]  # as there the folders of the package would be packages of their own
    checkout = os.path.join(folder, ".ci", "package", "wavediff")
    package = os.path.join(checkout if os.path.isdir(checkout) else folder, "__init__.py")
    spec = spec_from_file_location("wavediff", package, submodule_search_locations=[os.path.dirname(package)])
    assert spec is not None
    assert spec.loader is not None
    sys.modules["wavediff"] = module_from_spec(spec)
    spec.loader.exec_module(sys.modules["wavediff"])


if __name__ == "__main__":
    sys.exit(start())

"""A process of its own that opens files in the window and tells, as JSON, when what was to be seen and what halted.

``python -m wavediff.tests.bench.open_files BEGAN [A B]``: ``BEGAN`` is ``time.time()`` when the process was started;
without files it opens the demo pair. It closes itself two seconds after the first result.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from pathlib import Path
from time import perf_counter, time

BEAT = 5  # milliseconds
AFTER = 2000  # milliseconds the heart is listened to after the result


def main(argv: list[str]) -> None:
    began, paths = float(argv[0]), [Path(path) for path in argv[1:]]
    from wavediff.app.window.qt_features import leave_sources_unread

    leave_sources_unread()
    from PySide6.QtCore import QObject, QTimer, Slot

    from wavediff.app.window.application import SWITCH_INTERVAL_SECONDS, Application, create_qt
    from wavediff.core.jit.gc_control import gc_paused_and_frozen

    class Watch(QObject):
        """Notes when the window was painted and its first result arrived, and the gaps between beats."""

        def __init__(self, application: Application) -> None:
            super().__init__()
            self._application, self._last = application, perf_counter()
            self.told: dict[str, float] = {}
            self.gaps = [0.0]
            self._timer = QTimer(self)
            self._timer.timeout.connect(self._beat)
            application.window.painted.connect(self._painted)
            application.session.compared.connect(self._compared)

        @Slot()
        def _painted(self) -> None:
            self.told["painted"] = time() - began
            self._last = perf_counter()
            self._timer.start(BEAT)

        @Slot(object)
        def _compared(self, _outcome: object) -> None:
            if "result" not in self.told:
                QTimer.singleShot(0, self._shown)  # after the paint that it asked for
                QTimer.singleShot(AFTER, self._application.window.close)

        @Slot()
        def _shown(self) -> None:
            self.told["result"] = time() - began

        @Slot()
        def _beat(self) -> None:
            now = perf_counter()
            self.gaps.append(now - self._last)
            self._last = now

    sys.setswitchinterval(SWITCH_INTERVAL_SECONDS)
    with tempfile.TemporaryDirectory() as folder:
        with gc_paused_and_frozen():
            qt = create_qt()
            application = Application(qt, paths, Path(folder))
            watch = Watch(application)
            application.start()
        qt.exec()
        application.finish()
    print(json.dumps(watch.told | {"worst_gap": max(watch.gaps)}), flush=True)
    os._exit(0)  # threads that compile are not waited for


if __name__ == "__main__":
    main(sys.argv[1:])

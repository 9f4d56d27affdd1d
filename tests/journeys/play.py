"""Start the program as main.py does, with a person in a thread beside it.

python tests/journeys/play.py JSON [FILE ...]; the JSON names the journey, see ``stage.play``.
"""

from __future__ import annotations

import contextlib
import faulthandler
import importlib
import json
import os
import runpy
import sys
import threading
import time
import traceback
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FAILED, STAYED = 99, 97  # exit codes
GONE_SECONDS = 20.0  # from the last click to the end of the process


def main() -> None:
    wanted = json.loads(sys.argv[1])
    # As if main.py had been started: its folder comes first, and not the one of this file; again at the end for us.
    sys.path[:] = [str(ROOT), *sys.path[1:], str(ROOT)]
    sys.argv = [str(ROOT / "main.py"), *sys.argv[2:]]
    threading.Thread(target=accompany, args=(wanted,), name="person", daemon=True).start()
    runpy.run_path(str(ROOT / "main.py"), run_name="__main__")


def accompany(wanted: dict[str, Any]) -> None:
    """Wait for the program, do the journey, leave; end the process hard where it is not as it should be."""
    while not there():
        time.sleep(0.02)
    try:
        from tests.journeys.person import Person
        from tests.late import make_late

        make_late()

        pictures = Path(wanted["pictures"]) if wanted["pictures"] else None
        me = Person(Path(wanted["folder"]), pictures, wanted["name"])
        try:
            me.wait_for_window()
            getattr(importlib.import_module(wanted["module"]), wanted["function"])(me, **wanted["keywords"])
            me.look_for_errors()
            me.write_heartbeats(wanted["name"])
            me.picture("end")
            me.leave(wanted["leave"])
        except BaseException:
            print("FAILED", traceback.format_exc(), sep="\n", flush=True)
            with contextlib.suppress(Exception):
                me.picture("failed")
                print("what was seen:", *me.read(), sep="\n", flush=True)
            os._exit(FAILED)
    except BaseException:
        traceback.print_exc()
        os._exit(FAILED)
    time.sleep(GONE_SECONDS)
    print(f"the process lives on {GONE_SECONDS:.0f} s after it was left", flush=True)
    faulthandler.dump_traceback(sys.stdout)
    os._exit(STAYED)


def there() -> bool:
    """Whether Qt's application was made; nothing is imported for that, or the start would not be the real one."""
    application = getattr(sys.modules.get("PySide6.QtWidgets"), "QApplication", None)
    return application is not None and application.instance() is not None


if __name__ == "__main__":
    main()

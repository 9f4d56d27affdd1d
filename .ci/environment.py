"""Set up what 'make run' and 'make test' need: .venv with the locked packages, and Qt's system libraries.

Runs on any Python with the standard library alone, so that an old one can be told so. What is there
already and fits the lock files is left as it is; new locks are installed into the .venv that is there, whose
other packages stay. A .venv that this script did not make is never touched.

    python .ci/environment.py run|test|check
"""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import time
from typing import Any

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VENV = os.path.join(ROOT, ".venv")
PACKAGE = os.path.join(ROOT, ".ci", "package")  # has wavediff, whose folders are those of the checkout
PYTHON = os.path.join(VENV, *(("Scripts", "python.exe") if os.name == "nt" else ("bin", "python")))
RECORD = os.path.join(VENV, "installed.json")
# The second holds all of the first in the same versions.
LOCKS = {"run": "requirements.lock", "test": "requirements-test.lock", "check": "requirements-test.lock"}
# By way of the shell: a first line that names Python may neither be long nor have blanks.
LAUNCHER = """#!/bin/sh
'''exec' "{python}" "$0" "$@"
'''
import sys

sys.path[0] = {package!r}
from wavediff.main import start

sys.exit(start())
"""
WINDOWS_LAUNCHER = '@"{python}" "{root}\\main.py" %*\n'
# Programs by which tests read what this one writes; the packages of Debian and Ubuntu are called the same.
READERS = ("bcftools", "samtools", "tabix")
APT_LOCK_SECONDS, APT_RETRY_SECONDS = 600.0, 3.0


def main(goal: str) -> int:
    if sys.version_info < (3, 11):  # noqa: UP036 - whoever has an older one should be told
        return stop("Python 3.11 or newer is needed, this is " + sys.version.split()[0])
    sys.path.insert(0, PACKAGE)
    try:
        packages(goal)
        link()
        launcher()
    except NotOurs as error:
        return stop(str(error))
    except subprocess.CalledProcessError as error:
        return stop(f"setting up .venv failed: {' '.join(map(str, error.cmd))} ended with {error.returncode}")
    if goal == "check":
        readers()
    return libraries(goal)


def packages(goal: str) -> None:
    """Make .venv hold the packages of ``goal`` as locked, with their digests checked."""
    record = installed()
    if record is None:
        say("creating .venv")
        create()
        record = {"locks": {}}
    lock = LOCKS[goal]
    fits = [name for name, old in record["locks"].items() if digest(name) == old]
    if lock in fits or LOCKS["test"] in fits:
        return
    say(f"installing the packages of {lock}")
    # --no-deps: the lock is complete, and nothing that it does not name may come in.
    command = [*pip(), "install", "--quiet", "--require-hashes", "--no-deps", "--no-input"]
    subprocess.run([*command, "--disable-pip-version-check", "-r", os.path.join(ROOT, lock)], check=True)
    names, before = locked(lock), set(record.get("packages", ()))
    if dropped := sorted(before - names - (locked(LOCKS["test"]) if LOCKS["test"] in record["locks"] else set())):
        subprocess.run([*pip(), "uninstall", "--quiet", "--yes", *dropped], check=True)
    kept = {name: digest(name) for name in (*fits, lock)}
    write_record({"python": python()[0], "locks": kept, "packages": sorted(names | before - set(dropped))})


def write_record(record: dict[str, Any]) -> None:
    with open(RECORD + ".new", "w", encoding="utf-8") as file:
        json.dump(record, file)
    os.replace(RECORD + ".new", RECORD)


def locked(lock: str) -> set[str]:
    """Return the names of the packages of a lock."""
    with open(os.path.join(ROOT, lock), encoding="utf-8") as file:
        return set(re.findall(r"^([A-Za-z0-9._-]+)==", file.read(), re.MULTILINE))


def launcher() -> None:
    """Write the command ``wavediff`` beside Python, as an installation has it."""
    name, text = ("wavediff.cmd", WINDOWS_LAUNCHER) if os.name == "nt" else ("wavediff", LAUNCHER)
    path = os.path.join(os.path.dirname(PYTHON), name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.format(python=PYTHON, root=ROOT, package=PACKAGE))
    os.chmod(path, 0o755)


def link() -> None:
    """Have the Python of .venv find the package ``wavediff`` of this checkout, also where the checkout was moved."""
    path, line = os.path.join(python()[1], "wavediff.pth"), f"{PACKAGE}\n"
    with open(path, "w", encoding="utf-8") as file:
        file.write(line)


def installed() -> dict[str, Any] | None:
    """Return what .venv was made from; None when it must be made (again).

    Raises:
        NotOurs: something else made it.
    """
    try:
        with open(RECORD, encoding="utf-8") as file:
            record = json.load(file)
        same_minor = record["python"].split(".")[:2] == python()[0].split(".")[:2]
        return record if same_minor and isinstance(record["locks"], dict) else None
    except FileNotFoundError:
        if os.path.lexists(VENV) and not (os.path.isdir(VENV) and not os.listdir(VENV)):
            raise NotOurs(f"{VENV} was not made by this: it has no installed.json; rename or remove it first") from None
        return None
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


class NotOurs(Exception):
    """A .venv that something else made; the text says what to do."""


def python() -> tuple[str, str]:
    """Return version and folder of packages of the Python of .venv; both empty where it does not run.

    It is not the one that runs this, which is whatever comes first on the path today.
    """
    code = "import json, sys, sysconfig; print(json.dumps([sys.version, sysconfig.get_path('purelib')]))"
    try:
        asked = subprocess.run([PYTHON, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True)
        version, place = json.loads(asked.stdout)
    except (OSError, ValueError, subprocess.CalledProcessError):
        return "", ""
    return version, place


def digest(lock: str) -> str:
    with open(os.path.join(ROOT, lock), "rb") as file:
        # Line ends differ between checkouts on different systems.
        return hashlib.sha256(file.read().replace(b"\r\n", b"\n")).hexdigest()


def create() -> None:
    """Make .venv anew; that it is ours is written down first, so that one that was interrupted is known again."""
    shutil.rmtree(VENV, ignore_errors=True)
    os.makedirs(VENV, exist_ok=True)
    write_record({"python": "", "locks": {}})
    # Some systems ship venv without the pip that goes into it; the outer pip can then fill it.
    bare = [] if has_ensurepip() else ["--without-pip"]
    subprocess.run([sys.executable, "-m", "venv", *bare, VENV], check=True)


def has_ensurepip() -> bool:
    return importlib.util.find_spec("ensurepip") is not None


def pip() -> list[str]:
    inside = subprocess.run([PYTHON, "-c", "import pip"], stderr=subprocess.DEVNULL, check=False).returncode == 0
    return [PYTHON, "-m", "pip"] if inside else [sys.executable, "-m", "pip", "--python", PYTHON]


def libraries(goal: str) -> int:
    """Install the system libraries that Qt lacks where that is allowed, else name them in one line to copy."""
    from wavediff.core.system.qt_libraries import install_line, missing, why_no_display

    if goal == "run" and why_no_display() is not None:
        return 0  # no window, no Qt
    lacking = missing()
    if not lacking:
        return 0
    line = install_line(lacking)
    prefix = root_prefix()
    if shutil.which("apt-get") and prefix is not None:
        say(f"installing {len(lacking)} libraries of the system that Qt needs")
        apt_install(prefix, line.removeprefix("sudo apt-get install -y ").split())
        check = "from wavediff.core.system.qt_libraries import missing; import sys; sys.exit(bool(missing()))"
        if subprocess.run([sys.executable, "-c", check], cwd=PACKAGE, check=False).returncode == 0:
            return 0
    return stop(f"Qt needs libraries of the system. On Debian or Ubuntu:\n{line}")


def readers() -> None:
    """Install the programs by which tests read our files, where that is allowed; else those tests are skipped."""
    lacking = [name for name in READERS if shutil.which(name) is None]
    prefix = root_prefix()
    if lacking and shutil.which("apt-get") and prefix is not None:
        say(f"installing {', '.join(lacking)}, by which tests read our files")
        apt_install(prefix, lacking)


def apt_install(prefix: list[str], packages: list[str]) -> None:
    """Install packages; while another process has apt's lock, wait and try again."""
    until = time.monotonic() + APT_LOCK_SECONDS
    for words in (["update", "-qq"], ["install", "-y", "-qq", "--no-install-recommends", *packages]):
        command = [*prefix, "env", "LC_ALL=C", "DEBIAN_FRONTEND=noninteractive", "apt-get", *words]
        waits = False
        while True:
            done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
            if done.returncode == 0 or "lock" not in done.stderr or time.monotonic() > until:
                break
            if not waits:
                say("waiting for another process to release apt's lock")
            waits = True
            time.sleep(APT_RETRY_SECONDS)
        if done.returncode:
            say(done.stderr.strip())


def root_prefix() -> list[str] | None:
    """Return what to put before a command that needs to be root; None when that is not allowed without asking."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        return []
    if shutil.which("sudo"):
        asked = subprocess.run(["sudo", "-n", "true"], stderr=subprocess.DEVNULL, check=False)
        if asked.returncode == 0:
            return ["sudo", "-n"]
    return None


def say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def stop(text: str) -> int:
    say(text)
    return 1


if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in LOCKS:
        sys.exit("usage: environment.py run|test|check")
    sys.exit(main(sys.argv[1]))

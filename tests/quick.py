"""Check what changed since the branch left main: format, types, and the nearest tests that fit into the time.

    python -m tests.quick [--since REVISION] [what pytest takes ...]

A test file is near a change when few imports lie between them. What is reached otherwise than by an import counts as
well: a module or file that is named in a string, and the ``conftest.py`` above a test.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections import deque
from collections.abc import Iterable, Mapping
from pathlib import Path

from tests import import_graph, speeds

ROOT = Path(__file__).parents[1]
PACKAGES = (*import_graph.PACKAGES, "wavediff.tests", "tests")
BUDGET_SECONDS = 24.0  # of CPU, at the last run of each file; the checks before the tests take some 4 more
LONGEST_SECONDS = 1800.0  # of one check: kernels may have to be compiled
NO_TESTS = 5  # of pytest: all were left out
ALWAYS = "tests/test_architecture.py"
_MODULE = re.compile(r"[\"'\s]((?:wavediff|tests)(?:\.\w+)+)")
_FILE = re.compile(r"[\w-]+\.\w+")


def main(arguments: list[str]) -> int:
    """Run all checks whatever those before them found; return 0 where none found anything."""
    parser = argparse.ArgumentParser(
        prog="quick", description=__doc__.splitlines()[0] if __doc__ else "", allow_abbrev=False
    )
    parser.add_argument("--since", metavar="REVISION", help="what the change is counted from (default: main)")
    options, more = parser.parse_known_args(arguments)
    changed = changed_files(options.since)
    tests, left_out = chosen(changed) if changed else ([], [])
    checks = [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["tests.type_check"]]
    failed = sum(_fails(*command) for command in checks) > 0  # all of them run
    print(f"{len(changed)} files changed; {len(tests)} test files, {len(left_out)} more depend on them", flush=True)
    if tests:
        workers = ["-n", "2", "--dist", "loadfile", "--no-loadscope-reorder"] if len(tests) > 2 else []
        failed |= _fails("pytest", "-q", *workers, *more, *tests)
    return int(failed)


def _fails(module: str, *arguments: str) -> bool:
    command = [sys.executable, "-m", module, *arguments]
    ended = subprocess.run(command, cwd=ROOT, check=False, timeout=LONGEST_SECONDS).returncode
    return ended != 0 and (module, ended) != ("pytest", NO_TESTS)


def changed_files(since: str | None) -> list[str]:
    """Return paths that differ from where the branch left main, or on main itself from what was pushed or committed."""
    base = since or next(filter(None, map(_fork, ("main", "origin/main"))), "HEAD")
    lists = (["diff", "--name-only", "--no-renames", "-z", base], ["ls-files", "--others", "--exclude-standard", "-z"])
    names = {name for command in lists for name in _git(*command).split("\0") if name}
    return sorted(names)


def _fork(branch: str) -> str:
    """Return the commit where HEAD left ``branch``; empty where there is none, or HEAD has left nothing."""
    fork = _git("merge-base", branch, "HEAD").strip()
    return "" if fork == _git("rev-parse", "HEAD").strip() else fork


def _git(*command: str) -> str:
    words = ["git", *command]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False, timeout=60).stdout


def chosen(changed: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the test files that fit into the time, the nearest first, and those that do not."""
    changed = list(changed)
    steps = distances(changed, dependents())
    known = speeds.recorded()
    found = [name for name in steps if _is_test(name) and (ROOT / name).exists()]
    parts = {part for path in changed for part in Path(path).with_suffix("").parts}
    for name in found:
        if Path(name).stem.removeprefix("test_") in parts:
            steps[name] = min(steps[name], 1)  # named after the module or its folder
    # Of those that are as near the short ones first: more of them fit.
    found.sort(key=lambda name: (steps[name], known.get(name, speeds.UNKNOWN_SECONDS), name))
    fits, left_out, used = [], [], 0.0
    for name in [ALWAYS, *(each for each in found if each != ALWAYS)]:
        seconds = known.get(name, speeds.UNKNOWN_SECONDS)
        if not fits or steps.get(name) == 0 or used + seconds <= BUDGET_SECONDS:
            fits.append(name)
            used += seconds
        else:
            left_out.append(name)
    return fits, left_out


def distances(changed: Iterable[str], dependents: Mapping[str, Iterable[str]]) -> dict[str, int]:
    """Return file -> number of imports that lie between it and the nearest changed file."""
    found = dict.fromkeys(changed, 0)
    waiting = deque(found)
    while waiting:
        name = waiting.popleft()
        for user in dependents.get(name, ()):
            if user not in found:
                found[user] = found[name] + 1
                waiting.append(user)
    return found


def dependents() -> dict[str, set[str]]:
    """Return file -> files that import or name it."""
    graph = import_graph.graph(*PACKAGES)
    path_of = {name: path for name in graph.modules if (path := _path(name)) is not None}
    found: dict[str, set[str]] = {path: set() for path in path_of.values()}
    for name, path in path_of.items():
        found[path] |= {path_of[user] for user in graph.find_modules_that_directly_import(name) if user in path_of}
    others = _others(set(path_of.values()))
    for path in path_of.values():
        text = (ROOT / path).read_text(encoding="utf-8")
        for module in _MODULE.findall(text):
            named = path_of.get(module)
            if named is not None and named != path:
                found[named].add(path)
        for name in set(_FILE.findall(text)) & others.keys():
            for other in others[name]:
                found.setdefault(other, set()).add(path)
        if path.endswith("/conftest.py"):
            below = path.removesuffix("conftest.py")
            found[path] |= {each for each in path_of.values() if each.startswith(below) and _is_test(each)}
    return found


def _path(module: str) -> str | None:
    stem = import_graph.folder_of(module).relative_to(ROOT).as_posix()
    return next((path for path in (f"{stem}.py", f"{stem}/__init__.py") if (ROOT / path).is_file()), None)


def _others(modules: set[str]) -> dict[str, list[str]]:
    """Return name -> paths of the files that are in git and are no modules of ours."""
    found: dict[str, list[str]] = {}
    for path in _git("ls-files", "-z").split("\0"):
        if path and path not in modules:
            found.setdefault(Path(path).name, []).append(path)
    return found


def _is_test(path: str) -> bool:
    return path.startswith("tests/") and Path(path).name.startswith("test_") and path.endswith(".py")


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

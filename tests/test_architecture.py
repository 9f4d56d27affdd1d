"""The rules of the layout that a reviewer would otherwise have to remember."""

import ast
import os
import re
import subprocess
import sys
import tomllib
import warnings
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.import_graph import graph

ROOT = Path(__file__).parents[1]
FOLDERS = ("app", "core", "gpu", "tests", ".ci")
SOURCES = sorted(
    path
    for path in [*ROOT.glob("*.py"), *(one for folder in FOLDERS for one in (ROOT / folder).rglob("*"))]
    if path.suffix in {".py", ".cu", ".cuh", ".hpp"}
)
PYTHON = [path for path in SOURCES if path.suffix == ".py"]
PROGRAM = [path for path in PYTHON if path.relative_to(ROOT).parts[0] in ("app", "core", "gpu")]


@cache
def text_of(path):
    return path.read_text(encoding="utf-8")


def nodes_of(path):
    return ast.walk(ast.parse(text_of(path)))


def name(path):
    return path.relative_to(ROOT).as_posix()


def test_names_of_users_are_asked_of_by_functions_that_do_not_raise():
    """Path.exists and its like raise for a closed folder or a name too long; those of os.path return False."""
    asked = re.compile(r"\.(exists|is_file|is_dir)\(\)")
    found = {name(path) for path in PYTHON if name(path)[:4] in ("app/", "core") and asked.search(text_of(path))}
    own = {"app/ui/manual.py", "app/ui/picture_files.py", "core/system/version.py"}  # names that we made
    assert found == own | {"core/reading/decompress.py"}  # a member of an archive


def test_no_file_is_too_long_to_read_at_once():
    lengths = {name(path): len(text_of(path).splitlines()) for path in SOURCES}
    assert lengths
    assert {path: n for path, n in lengths.items() if n > 500} == {}
    long = [f"{path} {n}" for path, n in sorted(lengths.items()) if n > 300]
    if long:
        warnings.warn(f"More than 300 lines, so perhaps two ideas: {', '.join(long)}", stacklevel=1)


def test_imports_point_one_way():
    pytest.importorskip("importlinter")
    # By itself: it switches off all loggers of the process it runs in.
    linted = subprocess.run(
        [sys.executable, "-m", "tests.import_graph", "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert linted.returncode == 0, linted.stdout + linted.stderr


def test_no_module_imports_itself_by_way_of_others():
    """Also where an import is for types only, which the contracts do not see."""
    imports = graph("wavediff.app", exclude_type_checking_imports=False)
    assert len(imports.modules) > 150
    TopologicalSorter({one: imports.find_modules_directly_imported_by(one) for one in imports.modules}).prepare()


def test_no_module_is_handed_the_main_window():
    """Panels, pictures and commands see the window by the protocol ``Shell``."""
    takers = [
        f"{name(path)}:{node.lineno}"
        for path in PYTHON
        if path.is_relative_to(ROOT / "app")
        if "MainWindow" in text_of(path)
        for node in nodes_of(path)
        if isinstance(node, ast.arg) and node.annotation and re.search(r"\bMainWindow\b", ast.unparse(node.annotation))
    ]
    assert takers == []


def test_no_test_waits_for_a_process_for_ever():
    """``tests.processes`` starts what ``subprocess.run`` does not. Python between fork and exec can deadlock."""
    found = []
    for path in [one for one in PYTHON if one.is_relative_to(ROOT / "tests") and "subprocess." in text_of(one)]:
        for node in nodes_of(path):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
                continue
            called, given = ast.unparse(node.func), {word.arg for word in node.keywords}
            limited = "timeout" in given or name(path) == "tests/processes.py"
            if re.fullmatch(r"subprocess\.([a-z_]+|Popen)", called) and (not limited or "preexec_fn" in given):
                found.append(f"{name(path)}:{node.lineno}")
    assert found == []


def test_kernels_named_by_jobs_exist():
    """They are strings in the jobs: nothing else would notice a wrong one before a person asks for the job."""
    calls = [
        each
        for path in PYTHON
        if path.is_relative_to(ROOT / "core")
        for each in re.findall(r"KernelModules\(([^()]*)\)", text_of(path))
    ]
    named = {module for call in calls for module in re.findall(r'"([\w.]+)"', call)}
    assert len(named) > 25
    for module in named:
        source = ROOT.joinpath(*module.split(".")[1:]).with_suffix(".py")
        body = ast.parse(source.read_text(encoding="utf-8")).body
        function = "run_on" if module.startswith("wavediff.gpu") else "run"
        assert function in {node.name for node in body if isinstance(node, ast.FunctionDef)}, module


@pytest.mark.parametrize("page", ["resources/docs/papers.md", "CONTRIBUTING.md", "BENCHMARKS.md", "GLOSSARY.md"])
def test_the_pages_name_files_that_exist(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    named = re.findall(r"`((?:app|core|gpu|resources|tests|\.ci)/[\w/.-]*)`", text)
    assert named
    assert [one for one in named if "NAME" not in one and not (ROOT / one).exists()] == []


def test_the_tree_of_contributing_names_files_and_folders_that_exist():
    tree = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").split("```")[1]
    modules, folders = re.findall(r"\b[a-z_]+\.py\b", tree), re.findall(r"^  ?([a-z_/ ]+)/ {2}", tree, re.MULTILINE)
    there = {path.name for path in PYTHON}
    assert len(modules) > 10
    assert [one for one in modules if one not in there] == []
    packages = {folder for line in folders for folder in re.findall(r"[a-z_]+", line)}
    assert {path.name for path in (ROOT / "core").iterdir() if path.is_dir() and path.name != "__pycache__"} <= packages


def test_worker_signals_reach_slots_only():
    """A lambda or plain function connected to a worker's signal runs in its thread."""
    found = [
        f"{name(path)}:{number}"
        for path in PYTHON
        if path.is_relative_to(ROOT / "app") or name(path) == "core/run/worker.py"
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if re.search(
            r"(\.(reported|probed|finished|failed|cancelled)\.connect|(Slot|Task)\(.*)\W(lambda|partial)\b", line
        )
    ]
    assert found == []


def test_locks_hold_digests_and_name_no_place():
    for lock in ROOT.glob("requirements*.lock"):
        text = lock.read_text(encoding="utf-8")
        pins = re.findall(r"^[a-z0-9][\w.-]*==\S+", text, re.MULTILINE)
        assert pins
        assert text.count("--hash=sha256:") >= len(pins)
        assert not re.search(r"://|--index|--find-links|@|/", text)
        assert "pyside6-essentials==6.12.0" not in text


def test_the_test_lock_holds_the_program_as_it_is_shipped():
    assert pins("requirements.lock") < pins("requirements-test.lock")


def pins(lock):
    return set(re.findall(r"^\S+==.*?(?= \\$)", (ROOT / lock).read_text(encoding="utf-8"), re.MULTILINE))


@pytest.mark.parametrize(
    ("lock", "extras"),
    [("extras", ("films", "bam", "cluster")), ("gpu-cu12", ("gpu-cu12",)), ("gpu-cu13", ("gpu-cu13",))],
)
def test_packages_for_optional_abilities_are_locked_with_the_program(lock, extras):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = {re.match(r"[\w-]+", one)[0] for extra in extras for one in project["optional-dependencies"][extra]}
    locked = pins(f"requirements-{lock}.lock")
    assert pins("requirements.lock") < locked
    assert wanted <= {pin.partition("==")[0] for pin in locked}


def test_the_window_imports_no_compiler():
    """The first paint must not wait for numba or cupy."""
    pytest.importorskip("PySide6")
    code = (
        "import sys; import wavediff.app.window.application\n"
        "slow = ('numba', 'llvmlite', 'cupy', 'wavediff.core.kernels.pairwise.lcs')\n"
        "print(sorted(m for m in slow if m in sys.modules))"
    )
    env = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True, check=False, timeout=120
    )
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_no_comment_cites_what_is_not_in_the_repository():
    """A row of a catalogue that only its author has says nothing: the reason stands there itself, or nothing does."""
    row = r"[A-Z]\d{1,2}"
    cited = re.compile(
        rf"(?i:faults?|traps?|issues?)(?i: rows?)? ({row}|\d)|(#|\"\"\"|;) *{row}((,| and|-) ?{row})*(: |\.|\"\"\"|; )"
        rf"|(^|\s)\({row}((,|-) ?{row})*\)|\brows? {row}\b.*catalogue"
    )
    found = [
        f"{name(path)}:{number}: {line.strip()}"
        for path in SOURCES
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if ('"""' in line or "#" in line or "//" in line or not re.search(r"[=\[{]", line)) and cited.search(line)
    ]
    assert found == []


def test_numbas_own_cache_is_not_used():
    """It trusts its files, whatever happened to them, and does not see a change in what a kernel inlines."""
    assert [path for path in PROGRAM if re.search(r"\bcache=True\b", text_of(path))] == []


def test_docstrings_begin_with_the_thing_or_the_verb():
    """A question word tells that the name of the thing is still to be found."""
    word = r"(What|Whether|Where|How|Which|Who|When|Why)\b"
    found = [
        f"{name(path)}: {first}"
        for path in PROGRAM
        if re.search(rf"[\"']\s*{word}", text_of(path))  # else no text in it begins so
        for node in nodes_of(path)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        for first in [(ast.get_docstring(node) or "").split("\n")[0]]
        if re.match(word, first)
    ]
    assert found == []


def test_constants_have_a_unit_or_a_meaning():
    words = "PIECE|MORE|MANY|FEW|ENOUGH|LEAST|MOST|ROOM|PATIENCE|LARGE|SMALL|LONG|SHORT|PART|REPORT|BUDGET"
    found = [
        f"{name(path)}:{number}: {line}"
        for path in PROGRAM
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if re.match(rf"_?({words})\b( *:.*)? *=", line)
    ]
    assert found == []


def test_few_functions_take_the_id_of_a_job():
    """Kernels are handed a ``Step``, which has it."""
    found = [
        f"{name(path)}:{node.lineno}"
        for path in PROGRAM
        if "job_id" in text_of(path)
        for node in nodes_of(path)
        if isinstance(node, ast.FunctionDef | ast.Lambda)
        if any(each.arg == "job_id" for each in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs))
    ]
    assert 0 < len(found) <= 20, found


def test_tests_use_little_that_is_private():
    """The most there are; the number only falls. What a test has to see is public, or a test of a part that is."""
    public = {"_replace", "_asdict", "_repr_html_", "_exit"}  # of a named tuple, of a notebook, of os
    found = [
        f"{name(path)}:{node.lineno}: {used}"
        for path in PYTHON
        if path.is_relative_to(ROOT / "tests")
        for node in nodes_of(path)
        for used in private_names(node)
        if used not in public
    ]
    assert 0 < len(found) <= 174, found


def private_names(node):
    """Private attributes that a node uses of others, or exchanges for a while."""
    if isinstance(node, ast.Attribute):
        own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
        return [] if own else re.findall(r"^_(?!_).*", node.attr)
    if isinstance(node, ast.Call) and getattr(node.func, "attr", getattr(node.func, "id", "")) == "setattr":
        texts = [one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
        return [last for text in texts[:1] for last in re.findall(r"(?:^|\.)(_(?!_)\w+)$", text)]
    return []


def test_the_first_letter_of_a_text_is_made_a_capital_by_one_function():
    by_hand = re.compile(r"\[(?:0|:1)\]\.upper\(\)\s*(?:\+|\}\{)")
    found = {name(path) for path in PYTHON if name(path)[:6] != "tests/" and by_hand.search(text_of(path))}
    assert found == {"core/base/errors.py"}

"""The window writes numbers as the locale of the system does; files and the command line write them in English."""

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QLocale

from wavediff.app.ui.number_text import LOCALE
from wavediff.app.ui.samples import DEMO_PAIR
from wavediff.app.window import application
from wavediff.core.base.numbers import number, use_separators

ROOT = Path(__file__).parents[2]
SOURCES = [
    path for path in sorted((ROOT / "app").rglob("*.py")) if "commands" not in path.parts and path.name != "cli.py"
]
# Pieces of tables that are copied and coordinates of SVG, which programs read; the name of a lane, which a record
# holds; and numbers whose "," is drawn as the locale has it.
FOR_PROGRAMS = {"{row.seconds * 1000:.6g}", "{value:.9g}"}
FOR_PROGRAMS |= {"{k + 1:,}", "{largest:,}", "{number:,}"}
FOR_PROGRAMS |= {"{wide_mm * high / wide:.2f}", "{wide_mm:.2f}", "{round(value, 1):g}"}


@pytest.fixture(autouse=True)
def english_afterwards():
    yield
    use_separators()
    QLocale.setDefault(LOCALE)


@pytest.fixture
def system(monkeypatch):
    def is_of(name):
        monkeypatch.setattr(QLocale, "system", staticmethod(lambda: QLocale(name)))

    return is_of


@pytest.mark.parametrize(
    ("name", "written"),
    [("C", "1,234,567.8"), ("en_US", "1,234,567.8"), ("de_DE", "1.234.567,8"), ("fr_FR", "1\u202f234\u202f567,8"),
     ("ar_EG", "1,234,567.8")],
)  # fmt: skip
def test_numbers_are_written_as_the_system_writes_them(qapp, system, name, written):
    system(name)
    application.follow_locale()
    assert number(1234567.8, 1) == written
    assert QLocale().toString(0.5) == ("0,5" if "," in written[-3:] else "0.5")


def test_numbers_in_texts_of_the_window_follow_the_locale():
    """No f-string of the window formats a number by itself: ``number`` and ``localized`` follow the locale."""
    english = {
        f"{path.relative_to(ROOT).as_posix()}:{node.lineno}: {ast.unparse(node)}"
        for path in SOURCES
        for node in unlocalized(ast.parse(path.read_text(encoding="utf-8")))
        if ast.unparse(node) not in FOR_PROGRAMS
    }
    assert not english, "to be written by number of wavediff.core.base.numbers"


def test_the_command_line_and_its_files_do_not_depend_on_the_locale(tmp_path):
    said = []
    for name in ("C.UTF-8", "de_DE.UTF-8"):
        environment = {**os.environ, "LC_ALL": name, "LANG": name, "LANGUAGE": "de"}
        files = [word for one in ("tsv", "json", "paf") for word in (f"--{one}", str(tmp_path / f"{name}.{one}"))]
        done = subprocess.run(
            [sys.executable, ROOT / "main.py", "compare", *DEMO_PAIR, "--device", "cpu", *files],
            capture_output=True, env=environment, timeout=240, check=False,
        )  # fmt: skip
        document = json.loads((tmp_path / f"{name}.json").read_bytes())
        found = [without_times(document), *((tmp_path / f"{name}.{one}").read_bytes() for one in ("tsv", "paf"))]
        said.append((done.returncode, [line for line in done.stdout.splitlines() if b"," in line][:1], found))
    assert said[0] == said[1]


def without_times(document):
    if isinstance(document, dict):
        return {key: without_times(value) for key, value in document.items() if not is_time(key)}
    return [without_times(each) for each in document] if isinstance(document, list) else document


def is_time(key):
    return "seconds" in key or "gcups" in key or key in ("timings", "skips")


def unlocalized(node):
    """Yield the pieces of f-strings that format a number in English."""
    if isinstance(node, ast.Raise) or (isinstance(node, ast.Call) and getattr(node.func, "id", "") == "localized"):
        return
    if isinstance(node, ast.FormattedValue) and isinstance(node.format_spec, ast.JoinedStr):
        spec = "".join(str(each.value) for each in node.format_spec.values if isinstance(each, ast.Constant))
        if re.search(r"[,%efg]", spec):
            yield node
        return
    for each in ast.iter_child_nodes(node):
        yield from unlocalized(each)

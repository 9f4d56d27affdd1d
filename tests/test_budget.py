"""The budget of lines: the sources grow only by abilities that the changelog names."""

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
SUFFIXES = {".py", ".cu", ".cuh", ".js", ".css"}


def source_lines():
    """Lines of the program: Python, CUDA, and the scripts and styles of its pages."""
    folders = (ROOT / name for name in ("app", "core", "gpu", "resources"))
    files = [path for folder in folders for path in folder.rglob("*") if path.suffix in SUFFIXES]
    return sum(len(path.read_bytes().splitlines()) for path in [ROOT / "main.py", *files])


def budget():
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    return int(settings["tool"]["wavediff"]["source_lines"])


def ledger():
    """Entries below *Lines of source* in the changelog: ability and lines; what was removed is below 0."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    section = re.search(r"^### Lines of source\n(.*?)(?=^##|\Z)", text, re.MULTILINE | re.DOTALL)
    entries = re.findall(r"^- ([+-]?[\d,]+): (\w.*)", section[1], re.MULTILINE)
    abilities = {ability: int(lines.replace(",", "")) for lines, ability in entries}
    assert len(abilities) == len(entries), "an ability stands there twice"
    return abilities


def test_the_source_fits_its_budget():
    lines = source_lines()
    assert 50_000 < lines <= budget(), f"{lines:,} lines: remove some, or name the ability in CHANGELOG.md"


def test_the_changelog_names_what_the_budget_is_for():
    assert sum(ledger().values()) == budget()

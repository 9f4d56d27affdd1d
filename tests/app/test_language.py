"""The window takes its language and its numbers from the system; what programs read stays as it is."""

from __future__ import annotations

import gettext
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from app.ui.number_text import LOCALE
from app.ui.samples import DEMO_PAIR
from app.window import application
from core.base import translate
from core.base.translate import number, tr, use_catalogue
from tests.pseudo import write_catalogue

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def english_afterwards() -> Iterator[None]:
    yield
    use_catalogue(gettext.NullTranslations())
    QLocale.setDefault(LOCALE)


@pytest.fixture
def system(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return what makes the system one of a certain locale."""

    def is_of(name: str) -> None:
        monkeypatch.setattr(QLocale, "system", staticmethod(lambda: QLocale(name)))

    return is_of


@pytest.mark.parametrize(
    ("name", "written"),
    [("C", "1,234,567.8"), ("en_US", "1,234,567.8"), ("de_DE", "1.234.567,8"), ("fr_FR", "1\u202f234\u202f567,8"),
     ("ar_EG", "1,234,567.8")],
)  # fmt: skip
def test_numbers_are_written_as_the_system_writes_them(
    qapp: QApplication, system: Callable[[str], None], name: str, written: str
) -> None:
    system(name)
    application.speak()
    assert number(1234567.8, 1) == written
    assert QLocale().toString(0.5) == ("0,5" if "," in written[-3:] else "0.5")
    assert tr("Options") == "Options"  # there is no catalogue


def test_a_catalogue_of_the_language_of_the_system_is_used(
    qapp: QApplication, system: Callable[[str], None], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(translate, "FOLDER", tmp_path)
    write_catalogue(tmp_path / "cs", {"Options": "Volby"})
    system("cs_CZ")
    application.speak()
    own = qapp.findChildren(QTranslator)
    assert (tr("Options"), tr("Run"), number(1234.5, 1)) == ("Volby", "Run", "1\xa0234,5")
    assert own, "the buttons of Qt's own dialogs"
    for each in own:
        qapp.removeTranslator(each)
        each.deleteLater()


def test_what_comes_after_english_is_not_asked(tmp_path: Path) -> None:
    write_catalogue(tmp_path / "cs", {"Options": "Volby"})
    assert not translate.use_language(["en_GB", "cs"], folder=tmp_path)
    assert tr("Options") == "Options"
    assert translate.use_language(["da_DK", "cs_CZ"], folder=tmp_path)
    assert tr("Options") == "Volby"


def test_the_command_line_and_its_files_do_not_depend_on_the_locale(tmp_path: Path) -> None:
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


def without_times(document: Any) -> Any:
    """Return a JSON document without what differs from run to run."""
    if isinstance(document, dict):
        return {key: without_times(value) for key, value in document.items() if not is_time(key)}
    return [without_times(each) for each in document] if isinstance(document, list) else document


def is_time(key: str) -> bool:
    return "seconds" in key or "gcups" in key or key in ("timings", "skips")

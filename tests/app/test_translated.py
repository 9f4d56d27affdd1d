"""Every text of the window goes through ``tr``: by the sources, and in a window that speaks ``tests.pseudo``."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = [
    path
    for path in sorted((ROOT / "app").rglob("*.py"))
    if "commands" not in path.parts
    and path.name not in {"cli.py", "style.py", "picture_files.py"}  # these speak English, Qt's language, and XMP
]
SAYING = {"tr", "tr_n", "tr_noop", "tr_n_noop"}
# What these are given is for no person: names of objects and properties, styles, reports of defects, files.
SILENT = {
    "setObjectName", "setProperty", "property", "setStyleSheet", "icon", "getLogger", "debug", "info", "warning",
    "error", "exception", "getattr", "hasattr", "setStyle", "startswith", "endswith", "removeprefix", "removesuffix",
    "field",
}  # fmt: skip
SHOWING = {
    "setText", "setToolTip", "setStatusTip", "setWhatsThis", "setWindowTitle", "setTitle", "setAccessibleName",
    "addItem", "setAccessibleDescription", "setPlaceholderText", "setItemText", "setTabText", "setTabToolTip", "addTab",
    "addMenu", "addAction", "addButton", "addRow", "setSpecialValueText", "setPrefix", "setSuffix", "setIconText",
    "drawText", "set_text", "showMessage", "QAction", "QLabel", "QPushButton", "QToolButton", "QCheckBox",
    "QRadioButton", "QMenu",
    "QGroupBox", "ElidedLabel", "Notice", "notice", "getOpenFileName", "getOpenFileNames", "getSaveFileName",
}  # fmt: skip
MARK_UP = re.compile(r"<[^<>]*>|\{\}")
KEYS = re.compile(r"(Ctrl|Alt|Shift)\+.*|Esc|.*\bF\d+\b.*")

# Names of what core says of a choice, and functions that return or yield such texts.
OF_REASONS = {"reason", "band_reason", "proof", "basis", "told", "notices", "doubts"}
SAYING_FUNCTIONS = {
    "rounding",
    "fallback_notice",
    "guess_failed",
    "_doubts",
    "_text_notices",
    "_notices",
    "gpu_obstacle",
}
# Text -> why it stands outside; a piece of an f-string is a text too.
NOT_TRANSLATED = {
    "Wavediff": "the name of the program",
    "Wavediff ": "the name of the program, before its version",
    "Yamanaka": "the name of a person",
    "GPU — ": "a device and its name",
    "a long name": "measured, and not shown",
    "Title": "a key of a film's own data",
    '<a href="': "mark-up",
    "columns ": "copied for programs",
    "gap after ": "copied for programs",
    "CLUSTAL alignment by Wavediff\n\n\n": "copied for programs",
    "key\tvalue\tdefinition": "copied for programs",
    "as chosen": "how a reason of core begins",
    "too small": "how a reason of core begins",
    "too different": "how a reason of core begins",
    "every cell": "how a reason of core begins",
    "Device": "a column of the race, by its name there",
    "Computed": "a column of the race, by its name there",
    "Compile": "a column of the race, by its name there",
    "Ratio": "a column of the race, by its name there",
    "small pair": "a key of the settings",
    " with a tool": "a key of the settings",
    " or ": "values of the settings, of which the message is told",
    "true or false": "values of the settings, of which the message is told",
}
# Pieces of tables that are copied, which programs read; and numbers whose "," is drawn as the locale has it.
FOR_PROGRAMS = {"{line.seconds * 1000:.6g}", "{self._share(line):.9g}", "{row.value:.9g}", "{value:.9g}"}
FOR_PROGRAMS |= {"{largest:,}", "{number:,}"}


@dataclass
class Found:
    """What the sources hold, each as its place ("file:line") and its text.

    Attributes:
        unsaid, numbers: of the window. named, inside, pieces: of the whole program. plurals: place, one and many.
    """

    unsaid: list[tuple[str, str]] = field(default_factory=list)
    numbers: list[tuple[str, str]] = field(default_factory=list)
    named: list[tuple[str, str]] = field(default_factory=list)
    inside: list[tuple[str, str]] = field(default_factory=list)
    plurals: list[tuple[str, ast.expr, ast.expr]] = field(default_factory=list)
    pieces: list[tuple[str, str]] = field(default_factory=list)


@pytest.fixture(scope="module")
def found() -> Found:
    """What all checks look at, from reading each source once."""
    found, of_the_window = Found(), set(SOURCES)
    for folder in ("app", "core", "gpu"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            at = path.relative_to(ROOT).as_posix()
            tree = ast.parse(path.read_text(encoding="utf-8"))
            if path in of_the_window:
                found.unsaid += [(f"{at}:{line}", text) for line, text in unsaid(tree)]
                found.numbers += [(f"{at}:{node.lineno}", ast.unparse(node)) for node in unlocalized(tree)]
            found.named += [(f"{at}:{line}", text) for line, text in named(tree)]
            found.inside += [(f"{at}:{call.lineno}", ast.unparse(call)) for call in said_inside(tree)]
            found.plurals += [(f"{at}:{line}", one, many) for line, one, many in plurals(tree)]
            if folder != "app":
                texts = (text for said in said_by_core(tree) for text in pieces(said))
                found.pieces += [(f"{at}:{text.lineno}", ast.unparse(text)) for text in texts]
    return found


def test_no_text_in_the_sources_is_forgotten(found: Found) -> None:
    forgotten = {f"{place}: {text!r}" for place, text in found.unsaid if text not in NOT_TRANSLATED}
    assert not forgotten, "to be put into tr, tr_n or tr_noop of core.base.translate"


def test_every_exception_is_still_needed(found: Found) -> None:
    assert NOT_TRANSLATED.keys() <= {text for _, text in found.unsaid}


def test_numbers_are_written_as_the_locale_writes_them(found: Found) -> None:
    """A text that is put together by hand has no grouped or decimal numbers but where ``localized`` is called."""
    english = {f"{place}: {text}" for place, text in found.numbers if text not in FOR_PROGRAMS}
    assert found.numbers
    assert not english, "to be put into number, tr or localized of core.base.translate"


def unlocalized(node: ast.AST) -> Iterator[ast.FormattedValue]:
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


def test_a_text_that_has_a_name_is_marked(found: Found) -> None:
    """``xgettext`` does not see what ``tr(text)`` says."""
    assert found.named == [], "to be put into tr_noop of core.base.translate where they get their names"


def test_no_text_is_said_inside_of_another(found: Found) -> None:
    """``xgettext`` does not look into f-strings."""
    assert found.inside == [], "to be said before"


def said_inside(tree: ast.Module) -> Iterator[ast.Call]:
    """Yield each call in an f-string that says a text."""
    for node in nodes(tree):
        if isinstance(node, ast.JoinedStr):
            for call in ast.walk(node):
                if isinstance(call, ast.Call) and _name(call.func) in SAYING and isinstance(call.args[0], ast.Constant):
                    yield call


def test_both_forms_of_a_plural_stand_where_it_is_said(found: Found) -> None:
    """A catalogue knows a plural by the pair in the call of ``tr_n``: two texts that only have names are no pair."""
    pairs: dict[str, set[str]] = {}
    for place, one, many in found.plurals:
        assert isinstance(one, ast.Constant), place
        assert isinstance(many, ast.Constant), place
        pairs.setdefault(one.value, set()).add(many.value)
    assert len(pairs) > 100
    assert {one for one, several in pairs.items() if len(several) > 1 or one in several} == set()


@lru_cache(maxsize=1)
def nodes(tree: ast.Module) -> list[ast.AST]:
    """Return all nodes of a source, for each check of it."""
    return list(ast.walk(tree))


def plurals(tree: ast.Module) -> Iterator[tuple[int, ast.expr, ast.expr]]:
    """Yield the line and both texts of each call that says a plural; not where ``tr`` hands on what was marked."""
    for node in nodes(tree):
        if isinstance(node, ast.Call) and _name(node.func) in ("tr_n", "tr_n_noop"):
            one, many = [*node.args[:2], ast.Constant(None)][:2]
            if ast.unparse(one) != "text.template":
                yield node.lineno, one, many


def test_reasons_and_notices_of_core_are_marked(found: Found) -> None:
    """What a kernel says of its choice, and of what went wrong, is shown in the window: pieces put together are lost
    to ``tr``."""
    assert found.pieces == [], "to be put into tr_noop of core.base.translate"


def said_by_core(tree: ast.Module) -> Iterator[ast.expr]:
    """Yield what is called a reason or a basis of one, what is added to notices, and what events say."""
    for node in nodes(tree):
        if isinstance(node, ast.Assign | ast.AugAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(_name(each) in OF_REASONS for target in targets for each in getattr(target, "elts", [target])):
                yield node.value
        elif isinstance(node, ast.Call):
            called = _name(node.func)
            yield from (keyword.value for keyword in node.keywords if keyword.arg in OF_REASONS)
            if called in ("NoticeRaised", "planned", "halve") or (
                called == "append" and "notices" in ast.unparse(node)
            ):
                yield from node.args
        elif isinstance(node, ast.FunctionDef) and node.name in SAYING_FUNCTIONS:
            yield from (
                each.value for each in ast.walk(node) if isinstance(each, ast.Return | ast.Yield) and each.value
            )


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")


def pieces(said: ast.AST) -> Iterator[ast.expr]:
    """Yield the texts with words in ``said`` that no function of ``core.base.translate`` sees."""
    if isinstance(said, ast.Call) and _name(said.func) in SAYING | {"cast", "InputError"}:
        return
    if isinstance(said, ast.Constant | ast.JoinedStr):
        parts = said.values if isinstance(said, ast.JoinedStr) else [said]
        words = (each.value for each in parts if isinstance(each, ast.Constant) and isinstance(each.value, str))
        if re.search(r"[a-z]{2,}.*\s|\s.*[a-z]{2,}", " ".join(words)):
            yield said
        return
    if not isinstance(said, ast.Compare | ast.Subscript):
        for each in ast.iter_child_nodes(said):
            yield from pieces(each)


def named(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield line and text of each text that is given a name without a mark, and said by that name in its function."""
    calls = (node for node in nodes(tree) if isinstance(node, ast.Call) and getattr(node.func, "id", "") in SAYING)
    if not any(isinstance(text, ast.Name) for call in calls for text in call.args[:2]):
        return
    for function in (node for node in nodes(tree) if isinstance(node, ast.FunctionDef)):
        inside = list(ast.walk(function))
        said = {
            text.id
            for call in inside
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") in SAYING
            for text in call.args[:2]
            if isinstance(text, ast.Name)
        }
        for node in inside:
            if isinstance(node, ast.Assign):
                for name, value in _pairs(node.targets[0], node.value):
                    if (
                        name in said
                        and isinstance(value, ast.Constant)
                        and isinstance(value.value, str)
                        and value.value
                    ):
                        yield value.lineno, value.value


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if isinstance(value, ast.IfExp):
        yield from _pairs(target, value.body)
        yield from _pairs(target, value.orelse)
    elif isinstance(target, ast.Name):
        yield target.id, value
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        for each, its in zip(target.elts, value.elts, strict=False):
            yield from _pairs(each, its)


def unsaid(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield line and text of what a person may read in this source and ``tr`` never sees."""
    documents = {
        id(statement.value)
        for node in nodes(tree)
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)
        for statement in node.body
        if isinstance(statement, ast.Expr)
    }
    yield from _unsaid(tree, documents, shown=False)


def _unsaid(node: ast.AST, documents: set[int], *, shown: bool) -> Iterator[tuple[int, str]]:
    if id(node) in documents or isinstance(node, ast.Raise | ast.Assert):
        return
    if isinstance(node, ast.Constant):
        if isinstance(node.value, str) and _reads(node.value, shown=shown):
            yield node.lineno, node.value
        return
    inside: list[ast.AST] = list(ast.iter_child_nodes(node))
    if isinstance(node, ast.Call):
        called = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if called in SAYING | SILENT:
            return
        shown = called in SHOWING
    elif isinstance(node, ast.AnnAssign):
        inside = [node.value] if node.value is not None else []
    elif isinstance(node, ast.FunctionDef):
        inside = [*node.body, *filter(None, (*node.args.defaults, *node.args.kw_defaults))]
    elif isinstance(node, ast.Compare | ast.Subscript | ast.Attribute):
        shown = False
    for each in inside:
        yield from _unsaid(each, documents, shown=shown)


def _reads(text: str, *, shown: bool) -> bool:
    """Whether a text is for a person: words, or what begins like a sentence; what is shown has letters at least."""
    if (
        not re.search(r"[^\W\d_]{2}", MARK_UP.sub("", text))
        or KEYS.fullmatch(text)
        or re.fullmatch(r"(\*\.\w+ ?)+", text)
    ):
        return False
    words = bool(re.search(r"\s", text.strip())) or text != text.strip() or text.endswith("…")
    return shown or words or bool(re.match(r"\W*[A-Z][a-z]", text))

"""Texts of core that the window shows name controls, not options of the command line."""

import ast
import re

import pytest

from wavediff.app.ui.notices import Notice, Severity, by_controls
from wavediff.core.system.program import ROOT

OPTION = re.compile(r"--[a-z]")
OF_COMMANDS = {"export", "jit", "system"}  # folders of core whose texts only the command line writes, or no one
OTHERS = (  # what is no option of a comparison, or has no control
    "--strategy", "minimap2 writes with -c and --cs", "--language", "--set", "--html-folder DIR",
    "lesson NAME --measure FILE'", "--check'", "--method X", "compare --record'", "bwt --inverse'",
)  # fmt: skip
HELP = {"help", "usage", "description", "epilog", "metavar"}


def texts(node):
    """Yield the texts below a node, values in them as X, but docstrings and the help of options."""
    if isinstance(node, ast.keyword) and node.arg in HELP:
        return
    if isinstance(node, ast.JoinedStr):
        yield "".join(each.value if isinstance(each, ast.Constant) else "X" for each in node.values)
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    for each in ast.iter_child_nodes(node):
        if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant)):
            yield from texts(each)


def test_no_text_of_core_names_an_option_in_the_window():
    files = [path for path in (ROOT / "core").rglob("*.py") if path.relative_to(ROOT).parts[1] not in OF_COMMANDS]
    found = [text for path in files for text in texts(ast.parse(path.read_text("utf-8"))) if OPTION.search(text)]
    assert len(found) > 20
    seen = [by_controls(text) for text in found]
    assert [text for text in seen if OPTION.search(text) and not any(other in text for other in OTHERS)] == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("choose one with --record-alignment N", "choose one with the chooser of Given alignment"),
        ("'--topology linear' begins where its file does", "Linear below the name of B begins where its file does"),
        ("compare --alignment reads it beside A", "Open alignment… reads it beside A"),
        ("not verified; --prove computes it again", "not verified; Prove computes it again"),
        ("make it again with 'bwt --save-index'", "make it again with Save… of the transform"),
        ("the distance alone ('--traceback none') needs less", "the distance alone (Traceback: None) needs less"),
        ("--no-swaps: Kernel kim computes with swaps only", "Swaps: no: Kernel kim computes with swaps only"),
        ("try compare --ends both", "try Free ends: Of both: overlap"),
    ],
)
def test_options_are_named_by_their_controls(text, shown):
    assert Notice(Severity.INFO, text).text == shown

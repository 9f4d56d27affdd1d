"""Sphinx site from the pages of the repository, the help of the commands and the docstrings of ``core``.

``make docs`` builds it. Pages of the top of the repository are included in pages here, with their links as the site has
them.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT / ".ci"), str(ROOT / ".ci" / "package"), str(ROOT)]

import made_pages  # noqa: E402
from rooms import draw  # noqa: E402

from wavediff.core.system.version import VERSION  # noqa: E402 - found there

project = "Wavediff"
author = copyright = "the Wavediff authors"
version = release = VERSION
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["build"]
html_theme = "furo"
html_title = "Wavediff"
html_extra_path: list[str] = []
myst_heading_anchors = 4
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_mock_imports = ["cupy"]
napoleon_google_docstring = True
napoleon_custom_sections = [("Attributes", "params_style")]  # a field list takes "a, b" for a type and a name

TOP_PAGES = {"README.md": "index.md"} | {
    f"{name}.md": f"{name.lower()}.md" for name in ("BENCHMARKS", "CHANGELOG", "CONTRIBUTING", "GLOSSARY", "SECURITY")
}

(HERE / "rooms.svg").write_text(draw(ROOT), encoding="utf-8")
made_pages.make(HERE)


def setup(app: Any) -> None:
    app.connect("source-read", _fill_in)
    app.connect("autodoc-process-docstring", made_pages.separate_entries, priority=0)  # before napoleon


def _fill_in(app: Any, _page: str, source: list[str]) -> None:
    def included(found: re.Match[str]) -> str:
        path = ROOT / found[1]
        app.env.note_dependency(path)
        return re.sub(r"\]\((?!https?:|#)([^)#]+)", lambda link: f"]({_on_the_site(link[1])}", path.read_text("utf-8"))

    source[0] = re.sub(r"```\{include\} \.\./\.\./(\w+\.md)\n```", included, source[0])


def _on_the_site(target: str) -> str:
    """Return where a link of a page at the top of the repository leads from a page here."""
    return TOP_PAGES.get(target) or os.path.relpath(ROOT / target, HERE)

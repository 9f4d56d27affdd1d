"""Sphinx site from the pages at the top of the repository and the docstrings of ``core``; ``make docs`` builds it."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))
sys.path.insert(0, str(Path(__file__).parent))

from rooms import draw  # noqa: E402

from core.system.version import VERSION  # noqa: E402 - found there

project = "Wavediff"
author = "the authors of Wavediff"
version = release = VERSION
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx.ext.viewcode"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
exclude_patterns = ["build"]
html_theme = "furo"
html_title = "Wavediff"
html_extra_path: list[str] = []
myst_heading_anchors = 3
autodoc_member_order = "bysource"
autodoc_typehints = "description"
autodoc_mock_imports = ["cupy"]
napoleon_google_docstring = True
napoleon_use_ivar = True  # fields of a named tuple are described as members too
# Links of the pages to files of the repository lead out of the site.
suppress_warnings = ["myst.xref_missing", "myst.header", "autodoc.mocked_object"]

(Path(__file__).parent / "rooms.svg").write_text(draw(ROOT), encoding="utf-8")

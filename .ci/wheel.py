"""Builds the wheel: what ``pip install`` calls through hatchling.

All of the program lies in one package, ``wavediff``, whose module ``main`` puts the package's own folder first on
Python's search path. So ``app``, ``core`` and ``gpu`` are found under their names as in a checkout, and no program
that is installed beside this one ever sees them.
"""

from __future__ import annotations

import importlib.util
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

DOCSTRING = '"""Wavediff: how two sequences differ, and the computation that finds it."""\n'
NOT_FOR_KERNELS = ("pyside6", "pyqtgraph")  # what else the program depends on is needed to compile them


class Hook(BuildHookInterface[Any]):
    """Adds what a checkout does not have: the file that makes its folder a package, and compiled kernels."""

    def dependencies(self) -> list[str]:
        """Return what the build itself needs: to compile kernels, the program must run."""
        if self.target_name != "wheel" or not _kernels().levels():
            return []
        needed = self.metadata.core.dependencies
        return [one for one in needed if not one.lower().startswith(NOT_FOR_KERNELS)]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before the files are collected; ``version`` is "editable" for ``pip install -e``."""
        if self.target_name != "wheel":
            return
        self._folder = tempfile.TemporaryDirectory()
        package, compiled = Path(self._folder.name) / "__init__.py", Path(self._folder.name) / "kernels"
        editable = version == "editable"
        # Of an editable installation the package is the checkout.
        place = f"\n__path__ = [{self.root!r}]\n" if editable else ""
        package.write_text(DOCSTRING + place, encoding="utf-8")
        # Names are those of a checkout: that of the package comes before them.
        added = build_data["force_include_editable" if editable else "force_include"]
        added[str(package)] = "__init__.py"
        if not editable and _kernels().levels():
            _kernels().build(compiled)
            added[str(compiled)] = "kernels"
            build_data["pure_python"] = False
            build_data["infer_tag"] = True  # compiled code fits one version of Python, and one system

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Called when the wheel is written."""
        if self.target_name == "wheel":
            self._folder.cleanup()


def _kernels() -> Any:
    """Return the module beside this one: hatchling loads this file alone."""
    spec = importlib.util.spec_from_file_location("kernels", Path(__file__).with_name("kernels.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

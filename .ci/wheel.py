"""Builds the wheel, called by hatchling: adds what a checkout has elsewhere or not at all."""

from __future__ import annotations

import importlib.util
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NOT_FOR_KERNELS = ("pyside6", "pyqtgraph")  # what else the program depends on is needed to compile them


class Hook(BuildHookInterface[Any]):
    """Adds the files of the package itself, which a checkout cannot have at its top, and compiled kernels."""

    def dependencies(self) -> list[str]:
        """Return what the build itself needs: to compile kernels, the program must run."""
        if self.target_name != "wheel" or not _kernels().levels("none"):
            return []
        needed = self.metadata.core.dependencies
        return [one for one in needed if not one.lower().startswith(NOT_FOR_KERNELS)]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called before the files are collected; ``version`` is "editable" for ``pip install -e``."""
        self._folder = tempfile.TemporaryDirectory()
        if self.target_name != "wheel" or version == "editable":
            return
        added = build_data["force_include"]  # into the package
        for path in (Path(self.root) / ".ci" / "package" / "wavediff").glob("*.*"):
            added[str(path)] = path.name
        if commit := _kernels().commit():
            recorded = Path(self._folder.name) / "commit.txt"
            recorded.write_text(commit, encoding="ascii")
            added[str(recorded)] = recorded.name
        if not _kernels().levels("none"):
            return
        compiled = Path(self._folder.name) / "kernels"
        _kernels().build(compiled)
        added[str(compiled)] = "kernels"
        build_data["pure_python"] = False
        build_data["infer_tag"] = True  # compiled code fits one version of Python, and one system

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Called when the wheel is written."""
        self._folder.cleanup()


def _kernels() -> Any:
    """Load kernels.py: hatchling puts no folder of ours on the path."""
    spec = importlib.util.spec_from_file_location("kernels", Path(__file__).with_name("kernels.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

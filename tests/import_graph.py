"""Who imports whom: the graph of the package ``wavediff`` and of the tests, and its contracts.

python -m tests.import_graph
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import grimp
from grimp.application.config import settings

ROOT = Path(__file__).parents[1]
PACKAGES = ("wavediff.app", "wavediff.core", "wavediff.gpu")


class _Folders:
    """Finds packages in the folders of the checkout, as no file says by itself that they are those of ``wavediff``."""

    def determine_package_directories(self, package_name: str, file_system: Any) -> set[str]:
        return {str(folder_of(package_name))}


def folder_of(module: str) -> Path:
    """Return the path of a package, or that of a module without its ending."""
    return ROOT.joinpath(*module.removeprefix("wavediff.").split("."))


def graph(*packages: str, **options: Any) -> grimp.ImportGraph:
    """Return the graph of these packages; options are those of ``grimp.build_graph``."""
    settings.configure(PACKAGE_FINDER=_Folders())
    return grimp.build_graph(*packages, cache_dir=None, **options)


def check() -> None:
    """Check the contracts of pyproject.toml; ends the process with 1 where one is broken."""
    from importlinter.cli import lint_imports_command

    settings.configure(PACKAGE_FINDER=_Folders())
    lint_imports_command()


if __name__ == "__main__":
    sys.exit(check())

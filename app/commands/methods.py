"""The methods that ``compare`` has: one line each. Nothing heavy is imported before one is chosen."""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

from core.errors import WavediffError

if TYPE_CHECKING:
    from core.sequences.sequence import Sequence


class Commands(Protocol):
    """What the module of a method must have; jobs and results are those of the method."""

    def job(self, a: Sequence, b: Sequence, fold_case: bool, arguments: argparse.Namespace) -> Any:
        """Return the job that ``arguments`` ask for."""

    def same(self, a: Sequence, b: Sequence, result: Any) -> bool:
        """Return whether both have the same letters under the case rule."""

    def answer(self, a: Sequence, b: Sequence, result: Any) -> list[str]:
        """Return the lines of the summary that only this method has."""


@dataclass(frozen=True, slots=True)
class Method:
    """A way to compare two sequences.

    Attributes:
        id: as on the command line, in JSON and PAF.
        name: for ``--help`` and messages.
        module: has the functions of ``WindowActions``.
        paths: the values of ``--path`` it has; the first is the default.
        options: options of ``compare`` that not every method has; theirs default to None.
    """

    id: str
    name: str
    module: str
    paths: tuple[str, ...]
    options: tuple[str, ...]

    def load(self) -> Commands:
        return cast(Commands, import_module(self.module))


METHODS = (
    Method(
        "lcs",
        "longest common subsequence",
        "app.commands.lcs",
        ("blocks", "hirschberg", "none"),
        ("strategy", "kernel"),
    ),
    Method("edit", "edit distance", "app.commands.edit", ("blocks", "none"), ("band",)),
    Method("swap", "edit distance with swaps", "app.commands.swap", ("blocks", "none"), ("swaps", "kernel")),
)


def chosen(arguments: argparse.Namespace) -> Method:
    """Return the method asked for.

    Raises:
        WavediffError: an option or a path was asked for that this method does not have.
    """
    method = next(one for one in METHODS if one.id == arguments.method)
    for option in {option for one in METHODS for option in one.options} - set(method.options):
        if getattr(arguments, option) is not None:
            owners = " or ".join(one.id for one in METHODS if option in one.options)
            raise WavediffError(f"--{option} goes with --method {owners}, not with {method.id}")
    if arguments.path not in method.paths:
        raise WavediffError(f"--path {arguments.path}: --method {method.id} has {' and '.join(method.paths)}")
    return method

"""Command line stored in a picture; its arguments are validated before any file is searched."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain, repeat
from pathlib import Path
from typing import Any

from wavediff.app.commands import cli
from wavediff.app.commands.compare_options import check_pair, named_kernels
from wavediff.app.commands.lesson import typed_texts
from wavediff.app.commands.method_options import BATCH_OPTIONS, COMPARE_OPTIONS, method_options
from wavediff.app.commands.options import encodings_of, read_as_of
from wavediff.app.commands.view_options import asked_of
from wavediff.app.compare.difference_list import Listing
from wavediff.app.compare.pair.pair_state import JobOptions, PairState
from wavediff.app.compare.pair.sequence_loader import ReadItem
from wavediff.app.ui.pair import Side
from wavediff.core.base.errors import InputError, WavediffError, printable
from wavediff.core.base.file_names import split_name
from wavediff.core.export.json import digest
from wavediff.core.export.recipe import ENDINGS, NO_FILE, Recipe, file_input, input_of, read_recipe
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.choices import View
from wavediff.core.jobs.read import ReadJob, typed_letters
from wavediff.core.methods import METHODS, method
from wavediff.core.methods.options import Text
from wavediff.core.run.runner import ignore_event, run_job
from wavediff.core.sequences.normalization import FORMS, normalized
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.teach.lesson import FILE_INPUTS, headings
from wavediff.core.teach.recorded import LAST

INPUTS = ("a", "b", "more", "file", "second", "paths")  # of all subcommands but lessons, whose A and B are letters
SHOWN = {  # by pictures of these
    "compare": "{pair}, compared by {method}. Open these?",
    "contigs": "the contigs of {last} on {first}. Open these?",
    "race": "a race of kernels over {pair}. Open these?",
    "batch": "all pairs of {pair}. Open these?",
    "bwt": "the transform of {both}. Open it?",
    "lesson": "the lesson “{lesson}”. Open it?",
    "open": "the stored run {pair}. Open it?",
}
OFFERED = {"compare": COMPARE_OPTIONS, "batch": BATCH_OPTIONS}
OF_BYTES = ("lesson", "open")  # their files are read byte by byte
_FILE_NAME = re.compile(r"[^/\\:]+|[^/\\:]{2,}:[^/\\]+")  # without a folder; with a part of the file


@dataclass(frozen=True, slots=True)
class Picture:
    """Parsed picture.

    Attributes:
        path: of the picture. known: paths of samples, open files and recent pairs, by name.
        arguments: with the paths of its files once found. changed: differences to the original.
    """

    path: Path
    known: Mapping[str, str]
    recipe: Recipe
    arguments: argparse.Namespace
    changed: tuple[str, ...] = ()

    @property
    def kind(self) -> str:
        return "picture" if self.path.suffix.lower() in ENDINGS else "answer"

    @property
    def question(self) -> str:
        """Question text with the view and the files."""
        own, files = self.arguments, list[str]()
        with_files(own, files.append)
        names = self.recipe.names or [*map(os.path.basename, files)] or [""]
        titles = {one.id: one.title for one in headings(own.language)} if own.command == "lesson" else {}
        shown = SHOWN[own.command].format(
            pair=" × ".join(names), both=" + ".join(names), first=names[0], last=names[-1],
            method=method(own.method).long_name if own.command == "compare" else "",
            lesson=titles.get(getattr(own, "name", ""), names[0]),
        )  # fmt: skip
        lines = ["", "This opens:", *map(self._found, dict.fromkeys(files))] if files else []
        return "\n".join((f"This {self.kind} shows {shown}", *lines))

    def _found(self, file: str) -> str:
        """Return the path of a file, searched only in the picture's folder."""
        name, folder = os.path.basename(file), str(self.path.parent)
        places = [
            f"{name} next to the {self.kind}" if os.path.dirname(place) == folder else place
            for place in dict.fromkeys(self._places(file))
            if os.path.dirname(place) != folder or os.path.isfile(split_name(place).file)
        ]
        return printable(" or ".join(places) or f"{name}, which is missing: put it next to the {self.kind} first")

    def _places(self, path: str) -> list[str]:
        name = os.path.basename(path)
        found = [path] if os.path.isabs(path) else []
        return [*found, str(self.path.parent / name), *([self.known[name]] if name in self.known else [])]

    def place(self, path: str) -> str:
        """Return the current path of a file; InputError: not found."""
        found = next((one for one in self._places(path) if os.path.isfile(split_name(one).file)), None)
        if found is None:
            where = f"{path} no longer exists, and is not" if os.path.isabs(path) else f"{path} is not"
            raise InputError(str(self.path), f"{where} next to the {self.kind}", "put the file there and open it again")
        return os.path.abspath(found)

    def unfit(self, error: Exception) -> InputError:
        return InputError(str(self.path), f"this program cannot make what this {self.kind} shows: {error}")


def with_files(arguments: argparse.Namespace, place: Callable[[str], str | None]) -> argparse.Namespace:
    """Return a copy with the result of ``place`` for each named file, inputs first."""
    command, given = arguments.command, dict(vars(arguments))
    shipped = {one.id for one in headings()} if command == "lesson" else ()
    options = [
        option.id
        for owner, option in OFFERED.get(command, ())
        if owner.id == arguments.method and isinstance(option, Text) and option.names_file(given[option.id] or "")
    ]
    for name in (*_inputs_of(command), *options, "features", "alignment"):
        value = given.get(name)
        if isinstance(value, list):
            given[name] = [*map(place, value)]
        elif isinstance(value, str) and value not in shipped and (typed_letters(value) is None or name in options):
            given[name] = place(value)
    if command == "lesson":
        files = {one: one.partition("=") for one in arguments.set if one.partition("=")[0].strip() in FILE_INPUTS}
        placed = {one: f"{name}={text if text == LAST else place(text)}" for one, (name, _, text) in files.items()}
        given["set"] = [placed.get(one, one) for one in arguments.set]
    return argparse.Namespace(**given)


def _inputs_of(command: str) -> tuple[str, ...]:
    return ("name",) if command == "lesson" else INPUTS


def state_of(arguments: argparse.Namespace, start: JobOptions) -> PairState:
    """Return the pair state for the arguments; for arguments that are None the values of ``start`` apply.

    Raises:
        ValueError: invalid start of the list of differences.
    """
    view, on = getattr(arguments, "view", None), {"contigs": getattr(arguments, "topology", "")}
    given = {name: value for name, value in vars(arguments).items() if name not in ("orient", "topology")}
    yes = {name: ("no", "yes")[value] for name, value in given.items() if isinstance(value, bool)}
    words = {name: str(value) for name, value in given.items() if value is not None} | yes
    words |= {"rearranged": "yes"} if view == View.BLOCKS else on if arguments.command == "contigs" else {}
    state = PairState.of(PairState(start).words | words, start)
    return replace(state, listing=Listing.of(asked_of(view, arguments))) if view == View.DIFFERENCES else state


def pair_of(arguments: argparse.Namespace) -> argparse.Namespace:
    """Return arguments of ``open`` for two files as those of ``compare``, and others unchanged."""
    given = dict(vars(arguments))
    if arguments.command != "open" or len(given["paths"]) != 2:
        return arguments
    if arguments.method is None and any(given[option.id] is not None for _, option in COMPARE_OPTIONS if option.typed):
        given["method"] = METHODS[0].id
    a, b = given.pop("paths")
    return argparse.Namespace(**given | {"command": "compare", "a": a, "b": b})


def read_picture(path: Path, known: Mapping[str, str], _cancel: CancelToken) -> Picture:
    """Read a picture and validate its command line.

    Raises:
        InputError: not a picture of this program, or an invalid command line.
    """
    recipe = read_recipe(path)
    picture = Picture(path, known, recipe, argparse.Namespace(command=""))
    try:
        if recipe.words[:1] not in [(one,) for one in SHOWN]:
            raise ValueError(f"no picture is made by '{' '.join(recipe.words[:1])}'")
        arguments = pair_of(cli.parsed(recipe.words))
        arguments.device = None  # the window decides
        if arguments.command == "compare" and arguments.b is None:
            raise ValueError("it does not name two files")
        _check_options(with_files(arguments, _check_name))
        return replace(picture, arguments=arguments)
    except (WavediffError, ValueError) as error:
        raise picture.unfit(error) from error


def _check_name(word: str) -> None:
    name = word.removeprefix("./")
    if name == NO_FILE:
        raise ValueError("A or B was not in a file")
    if not (os.path.isabs(name) or (_FILE_NAME.fullmatch(name) and name not in (".", ".."))):
        raise ValueError(f"'{name}' is neither a full path nor a file name")


def _check_options(arguments: argparse.Namespace) -> None:
    """Raise WavediffError for values that options do not take; files that they name are read."""
    if arguments.command == "compare":
        check_pair(arguments)
        state_of(arguments, JobOptions())
    elif arguments.command == "race":
        named_kernels(method(arguments.method), arguments.kernels or "")
    elif arguments.command == "batch":
        method_options(arguments, method(arguments.method), BATCH_OPTIONS)
    elif arguments.command == "lesson":
        typed_texts(arguments)


def items_of(arguments: argparse.Namespace) -> Iterator[ReadItem]:
    """Yield the read requests; a record given by name instead of number is a part of its file."""
    command, given = arguments.command, vars(arguments)
    form = next((one for one in FORMS if one.lower() == given.get("normalize")), None)
    features = Path(arguments.features) if given.get("features") else None
    every, files = bool(given.get("all_records")), command in OF_BYTES
    how: list[Any] = (
        [(ReadAs.AUTO, "")] if files else [*zip(read_as_of(arguments), encodings_of(arguments), strict=True)]
    )
    first = given.get("record" if command == "bwt" else "record_a") or "1" * every
    second = given.get("record_b") or "1" * (every or command == "contigs")
    words = chain.from_iterable(one if isinstance(one, list) else [one] for one in map(given.get, _inputs_of(command)))
    asked = zip(
        chain(Side, repeat(Side.B)), chain((first, second), repeat("")), chain(how, repeat(how[-1])), strict=False
    )
    for word, (side, record, (read_as, encoding)) in zip(filter(None, words), asked, strict=False):
        letters, number = typed_letters(word), int(record) if record.isdecimal() else 0
        name = f"{word}:{record}" if record and not number else word
        path = Path(name.removeprefix("./")) if letters is None else None
        yield ReadItem(side, path, letters or "", number, read_as, encoding=encoding, form=form, features=features)


def find_inputs(picture: Picture, cancel: CancelToken) -> Picture:
    """Search the files of a picture at their old paths, then in its folder, and compare digests.

    Raises:
        InputError: a file is missing or invalid.
    """
    found = replace(picture, arguments=with_files(picture.arguments, picture.place))
    try:
        _check_options(found.arguments)
    except WavediffError as error:
        raise picture.unfit(error) from error
    changed = [
        f"{one.path.name} has changed since the {picture.kind} was made."
        for one, wanted in zip(items_of(found.arguments), picture.recipe.digests, strict=False)
        if one.path and _digest(found.arguments, one, cancel) != wanted
    ]
    return replace(found, changed=tuple(changed))


def _digest(arguments: argparse.Namespace, item: ReadItem, cancel: CancelToken) -> str:
    """Return the SHA-256 of the letters of a file; empty if unreadable."""
    assert item.path is not None
    command = arguments.command
    if command in OF_BYTES:
        return file_input(item.path).digest
    job = ReadJob(path=item.path, read_as=item.read_as, encoding=item.encoding, or_text=True)
    try:
        load = run_job(job, report=ignore_event, cancel=cancel)
        if command == "batch" or (command == "contigs" and item.side is Side.B):
            return input_of(load).digest
        read = load.whole if getattr(arguments, "all_records", False) else load.sequence(item.record - 1)
        return digest(normalized(read, item.form) if item.form else read)
    except (InputError, IndexError):
        return ""

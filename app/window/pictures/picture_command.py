"""Command line stored in a picture; its arguments are validated before any file is searched."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from itertools import chain, repeat
from pathlib import Path
from typing import Any

from wavediff.app.commands import cli
from wavediff.app.commands.compare_options import named_kernels
from wavediff.app.commands.lesson import typed_texts
from wavediff.app.commands.method_options import BATCH_OPTIONS, COMPARE_OPTIONS, method_options
from wavediff.app.commands.options import encodings_of, read_as_of
from wavediff.app.commands.view_options import asked_of, check_view
from wavediff.app.compare.difference_list import Listing
from wavediff.app.ui.pair import GivenFile, Side
from wavediff.app.window.pair.pair_state import JobOptions, PairState
from wavediff.app.window.pair.sequence_loader import ReadItem
from wavediff.core.base.errors import InputError, WavediffError, printable
from wavediff.core.base.file_names import split_name
from wavediff.core.export.json import digest
from wavediff.core.export.recipe import NO_FILE, Recipe, read_recipe
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.choices import Device, View
from wavediff.core.jobs.read import ReadJob, typed_letters
from wavediff.core.methods import METHODS, method
from wavediff.core.methods.options import Text
from wavediff.core.reading.files import file_digest
from wavediff.core.record import run_file
from wavediff.core.run.runner import ignore_event, run_job
from wavediff.core.sequences.letter_rules import Ambiguity, CaseRule, UracilRule
from wavediff.core.sequences.normalization import FORMS, normalized
from wavediff.core.sequences.orientation import Topology
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.teach import lesson
from wavediff.core.teach.lesson import FILE_INPUTS, headings
from wavediff.core.teach.recorded import LAST

INPUTS = {  # of each subcommand that makes pictures
    "compare": ("a", "b"),
    "contigs": ("a", "b"),
    "race": ("a", "b"),
    "batch": ("a", "b", "more"),
    "bwt": ("file", "second"),
    "lesson": ("name",),
    "open": ("paths",),
}
OF_PAIRS = ("compare", "contigs", "race", "bwt")
OFFERED = {"compare": COMPARE_OPTIONS, "batch": BATCH_OPTIONS}
RULES = {"letters": UracilRule, "ambiguity": Ambiguity, "device": Device}
LEFT = ("method", "case", *RULES)  # as they are, where ``open`` does not name them
MAX_FILE_BYTES = {"lesson": lesson.MAX_FILE_BYTES, "open": run_file.MAX_FILE_BYTES}


@dataclass(frozen=True, slots=True)
class Picture:
    """Parsed picture, or a pair to open: command line and requested options.

    Attributes:
        path: of the picture. known: paths of samples, of files in this window and of the recent pairs, by their names.
        inputs: what is read. files: that options and inputs of a lesson name, by their names.
        changed: what is not as it was.
    """

    path: Path
    known: Mapping[str, str]
    recipe: Recipe
    arguments: argparse.Namespace
    inputs: tuple[ReadItem, ...] = ()
    files: Mapping[str, str] = field(default_factory=dict)
    changed: tuple[str, ...] = ()

    @property
    def command(self) -> str:
        return str(self.arguments.command)

    @property
    def question(self) -> str:
        """Question text with the view and the files."""
        names = self.recipe.names or [one.path.name if one.path else one.text for one in self.inputs]
        pair, own = " × ".join(names), self.arguments
        shown = {
            "open": f"the stored run {pair}",
            "batch": f"all pairs of {pair}",
            "bwt": f"the transform of {' + '.join(names)}",
            "contigs": f"the contigs of {names[-1]} on {names[0]}" if names else "",
            "race": f"a race of kernels over {pair}",
        }.get(self.command, "")
        if self.command == "lesson":
            shown = f"the lesson “{next((one.title for one in headings(own.language) if one.id == own.name), pair)}”"
        elif self.command == "compare":
            shown = f"{pair} by {method(own.method).long_name}"
        what = "it" if self.command in ("lesson", "bwt", "open") else "these"
        files = dict.fromkeys([*(str(one.path) for one in self.inputs if one.path), *self.files.values()])
        lines = ["", "This opens:"] if files else []
        lines += [self._found(file) for file in files]
        return "\n".join((f"This picture shows {shown}. Open {what}?", *lines))

    def _found(self, file: str) -> str:
        """Return the path of a file, searched only in the picture's folder."""
        name, folder = os.path.basename(file), str(self.path.parent)
        places = [
            f"{name} next to the picture" if os.path.dirname(place) == folder else place
            for place in dict.fromkeys(self._places(file))
            if os.path.dirname(place) != folder or os.path.isfile(split_name(place).file)
        ]
        return printable(" or ".join(places) or f"{name}, which is missing: put it next to the picture first")

    def _places(self, path: str) -> list[str]:
        """Return possible paths of a file, likeliest first."""
        name = os.path.basename(path)
        found = [path] if os.path.isabs(path) else []
        return [*found, str(self.path.parent / name), *([self.known[name]] if name in self.known else [])]

    def place(self, path: str | Path) -> str:
        """Return the current path of a file; InputError: not found."""
        found = next((one for one in self._places(str(path)) if os.path.isfile(split_name(one).file)), None)
        if found is None:
            where = f"{path} is not there any more, nor" if os.path.isabs(path) else f"{path} is not"
            raise InputError(str(self.path), f"{where} next to the picture", "put the file there and open it again")
        return found

    def unfit(self, error: Exception) -> InputError:
        return InputError(str(self.path), f"this program cannot make what this picture shows: {error}")

    @property
    def texts(self) -> dict[str, str]:
        """Literal inputs of a lesson."""
        return {**typed_texts(self.arguments), **self.files} if self.command == "lesson" else {}

    def choices(self, files: Mapping[str, str | None]) -> dict[str, Any]:
        """Return changes of ``JobOptions``, including method options.

        Args:
            files: places of those that options name, which are read; None: without them.

        Raises:
            WavediffError: an option has no such value.
        """
        arguments, offered = argparse.Namespace(**{**vars(self.arguments), **files}), OFFERED.get(self.command, ())
        named = getattr(arguments, "method", None)
        picked = named or METHODS[0].id
        found = method_options(arguments, method(picked), offered) if offered else {}
        found |= {"method": picked} if named or found else {}
        if self.command in OF_PAIRS and getattr(arguments, "case", None) is not None:
            case = CaseRule(arguments.case)
            found["fold_case"] = None if case is CaseRule.AUTO else case is CaseRule.FOLD
        typed = {name: getattr(arguments, name, None) for name in RULES if self.command not in MAX_FILE_BYTES}
        return found | {name: RULES[name](value) for name, value in typed.items() if value is not None}

    def state(self, start: JobOptions) -> PairState:
        """Return the state of the pair for the options chosen at the start."""
        path = self.files.get("alignment")
        given = None if path is None else GivenFile(os.path.abspath(path), self.arguments.record_alignment or 0)
        asked = vars(self.arguments)
        is_rearranged = asked.get("rearranged") or asked.get("view") == View.BLOCKS
        seeds = (asked.get("seed_letters") or 0) if is_rearranged else None
        choices, listing = start.changed(**self.choices(self.files)), _listing(self.arguments)
        contigs, on = self.command == "contigs", Topology(asked.get("topology") or Topology.AUTO)
        every = bool(asked.get("all_records"))
        return PairState(
            choices, listing=listing, given=given, seed_letters=seeds, contigs=contigs, on=on, all_records=every
        )


def read_picture(path: Path, known: Mapping[str, str], _cancel: CancelToken) -> Picture:
    """Read a picture and validate its command line.

    Raises:
        InputError: it is no picture of this program, or its command line does not fit.
    """
    recipe = read_recipe(path)
    picture = Picture(path, known, recipe, argparse.Namespace(command=""))
    try:
        if recipe.words[:1] not in [(one,) for one in INPUTS]:
            raise ValueError(f"no picture is made by '{' '.join(recipe.words[:1])}'")
        arguments = cli.parsed(recipe.words)
        arguments.device = None  # whatever is chosen here
        files = _files(arguments)
        picture = replace(picture, arguments=arguments, inputs=_checked_items(arguments), files=files)
        if picture.command == "compare":
            check_view(arguments, aligned=True, unit=method(arguments.method).unit)
            _listing(arguments)
        elif picture.command == "race":
            named_kernels(method(arguments.method), arguments.kernels or "")
        picture.choices(dict.fromkeys(files))
        return picture
    except (WavediffError, ValueError) as error:
        raise picture.unfit(error) from error


def _files(arguments: argparse.Namespace) -> dict[str, str]:
    if arguments.command == "lesson":
        texts = typed_texts(arguments)
        return {name: texts[name] for name in FILE_INPUTS if texts.get(name, LAST) != LAST}
    found = {
        option.id: text
        for owner, option in OFFERED.get(arguments.command, ())
        if owner.id == arguments.method and isinstance(option, Text)
        if (text := getattr(arguments, option.id)) and option.names_file(text)
    }
    named = {name: getattr(arguments, name, None) for name in ("features", "alignment")}
    return found | {name: text for name, text in named.items() if isinstance(text, str)}


def typed_pair(arguments: argparse.Namespace) -> Picture:
    """Convert arguments of ``open`` for two files; None keeps the current value of an option."""
    given = {name: value for name, value in vars(arguments).items() if value is not None}
    usual = vars(cli.parsed(["compare", "A", "B"])) | dict.fromkeys(LEFT)
    asked = argparse.Namespace(**usual | given | {"command": "compare", **dict(zip("ab", given["paths"], strict=True))})
    return Picture(Path(), {}, Recipe(("compare",)), asked, tuple(_items(asked)))


def _listing(arguments: argparse.Namespace) -> Listing:
    if getattr(arguments, "view", None) != View.DIFFERENCES:
        return Listing()
    return Listing.of(asked_of(View.DIFFERENCES, arguments))


def _words(arguments: argparse.Namespace) -> list[str]:
    found = [getattr(arguments, name) for name in INPUTS[arguments.command]]
    return [word for one in found for word in (one if isinstance(one, list) else [one]) if word is not None]


def _checked_items(arguments: argparse.Namespace) -> tuple[ReadItem, ...]:
    command, words = arguments.command, _words(arguments)
    if command == "lesson" and arguments.name in {heading.id for heading in headings()}:
        return ()
    if command == "compare" and len(words) < len(Side):
        raise ValueError("it does not name two files")
    for word, side in zip(words, chain(Side, repeat(Side.B)), strict=False):
        name = word.removeprefix("./")
        is_name = re.fullmatch(r"[^/\\:]+|[^/\\:]{2,}:[^/\\]+", name) is not None and name not in (".", "..")
        if name == NO_FILE:
            raise ValueError(f"{side} was in no file")
        if not (is_name or os.path.isabs(name) or (command in OF_PAIRS and typed_letters(word) is not None)):
            raise ValueError(f"'{name}' is neither a whole path nor the name of a file")
    return tuple(_items(arguments))


def _items(arguments: argparse.Namespace) -> Iterator[ReadItem]:
    """Yield the inputs as read requests; a record given by name, not number, selects a part of its file."""
    form = next((one for one in FORMS if one.lower() == getattr(arguments, "normalize", None)), None)
    features = Path(arguments.features) if getattr(arguments, "features", None) else None
    how: list[Any] = [(ReadAs.AUTO, "")]
    if arguments.command not in MAX_FILE_BYTES:
        how = [*zip(read_as_of(arguments), encodings_of(arguments), strict=True)]
    every = getattr(arguments, "all_records", False)
    first = ("record_a", "record_b") if every else ("record_b",) if arguments.command == "contigs" else ()
    records = [getattr(arguments, name, None) or ("1" if name in first else None) for name in ("record_a", "record_b")]
    records[0] = getattr(arguments, "record", None) if arguments.command == "bwt" else records[0]
    sides, more = chain(Side, repeat(Side.B)), repeat((None, how[-1]))
    asked = chain(zip(records, chain(how, how), strict=False), more)
    for word, side, (record, (read_as, encoding)) in zip(_words(arguments), sides, asked, strict=False):
        letters = typed_letters(word) if arguments.command in OF_PAIRS else None
        number = int(record) if record and record.isdecimal() else 0
        name = f"{word}:{record}" if record and not number else word
        path = Path(name.removeprefix("./")) if letters is None else None
        yield ReadItem(
            side, path, letters or "", number, read_as, encoding=encoding, form=form, features=features
        )  # fmt: skip


def find_inputs(picture: Picture, cancel: CancelToken) -> Picture:
    """Search the files of a picture at their old paths, then next to it, and compare digests.

    Raises:
        InputError: one is not there, or is not what an option takes.
    """
    files = {name: picture.place(path) for name, path in picture.files.items()}
    features = Path(files["features"]) if "features" in files else None
    placed = (replace(one, path=Path(picture.place(one.path))) if one.path else one for one in picture.inputs)
    inputs = tuple(replace(one, features=features) for one in placed)
    changed = [
        f"{one.path.name} has changed since the picture was made."
        for one, wanted in zip(inputs, picture.recipe.digests, strict=False)
        if one.path and _digest(picture.arguments, one, cancel) != wanted
    ]
    found = replace(picture, inputs=inputs, files=files, changed=tuple(changed))
    try:
        found.choices(files)
    except WavediffError as error:
        raise picture.unfit(error) from error
    return found


def _digest(arguments: argparse.Namespace, item: ReadItem, cancel: CancelToken) -> str:
    """Return the SHA-256 of the letters of a file; empty if unreadable."""
    assert item.path is not None
    command = str(arguments.command)
    if command in MAX_FILE_BYTES:
        return file_digest(item.path, MAX_FILE_BYTES[command], cancel)[1]
    job = ReadJob(path=item.path, read_as=item.read_as, encoding=item.encoding, or_text=True)
    try:
        load = run_job(job, report=ignore_event, cancel=cancel)
    except InputError:
        return ""
    if command == "batch" or (command == "contigs" and item.side is Side.B):
        return sha256(load.letters.data).hexdigest()
    if getattr(arguments, "all_records", False):
        return digest(load.whole)
    if not 1 <= item.record <= load.n_records:
        return ""
    read = load.sequence(item.record - 1)
    return digest(normalized(read, item.form) if item.form else read)

"""Command line of a picture: each argument is checked before anything that it names is looked for."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Mapping
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
from wavediff.core.sequences.normalization import FORMS, Form, normalized
from wavediff.core.sequences.orientation import Strand
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.teach import lesson
from wavediff.core.teach.lesson import FILE_INPUTS, headings
from wavediff.core.teach.recorded import LAST

INPUTS = {  # of each subcommand that makes pictures
    "compare": ("a", "b"),
    "race": ("a", "b"),
    "batch": ("a", "b"),
    "bwt": ("file", "second"),
    "lesson": ("name",),
    "open": ("paths",),
}
OF_PAIRS = ("compare", "race", "bwt")
OFFERED = {"compare": COMPARE_OPTIONS, "batch": BATCH_OPTIONS}
MAX_FILE_BYTES = {"lesson": lesson.MAX_FILE_BYTES, "open": run_file.MAX_FILE_BYTES}


@dataclass(frozen=True, slots=True)
class Picture:
    """Picture that was read: its command line, and what that asks for.

    Attributes:
        path: of the picture. known: paths of samples, of files in this window and of the recent pairs, by their names.
        inputs: what is read. chosen: changes of ``JobOptions``, options of the method among them.
        texts: inputs of a lesson. files: those and options that name a file; none of them was read.
        given: an alignment made elsewhere.
        changed: what is not as it was.
    """

    path: Path
    known: Mapping[str, str]
    recipe: Recipe
    arguments: argparse.Namespace
    inputs: tuple[ReadItem, ...] = ()
    listing: Listing = field(default_factory=Listing)
    chosen: Mapping[str, Any] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
    given: GivenFile | None = None
    files: Mapping[str, str] = field(default_factory=dict)
    changed: tuple[str, ...] = ()

    @property
    def command(self) -> str:
        return self.recipe.words[0]

    @property
    def question(self) -> str:
        """Sentences that name the view and the files."""
        names = self.recipe.names or [one.path.name if one.path else one.text for one in self.inputs]
        pair = " × ".join(names)
        match self.command:
            case "lesson":
                titles = (heading.title for heading in headings() if heading.id == self.arguments.name)
                shown = f"the lesson “{next(titles, pair)}”"
            case "open":
                shown = f"the stored run {pair}"
            case "batch":
                shown = f"all pairs of {pair}"
            case "bwt":
                shown = f"the transform of {' + '.join(names)}"
            case "race":
                shown = f"a race of kernels over {pair}"
            case _:
                shown = f"{pair} by {method(self.arguments.method).long_name}"
        what = "it" if self.command in ("lesson", "bwt", "open") else "these"
        files = dict.fromkeys([*(str(one.path) for one in self.inputs if one.path), *self.files.values()])
        lines = ["", "This opens:"] if files else []
        lines += [self._found(file) for file in files]
        return "\n".join((f"This picture shows {shown}. Open {what}?", *lines))

    def _found(self, file: str) -> str:
        """Return where a file may be; it is looked for in the folder of the picture alone."""
        name, folder = os.path.basename(file), str(self.path.parent)
        places = [
            f"{name} beside the picture" if os.path.dirname(place) == folder else place
            for place in dict.fromkeys(self._places(file))
            if os.path.dirname(place) != folder or os.path.isfile(split_name(place).file)
        ]
        return printable(" or ".join(places) or f"{name}, which is missing: put it beside the picture first")

    def _places(self, path: str) -> list[str]:
        """Return where a file may be, the likeliest first."""
        name = os.path.basename(path)
        found = [path] if os.path.isabs(path) else []
        return [*found, str(self.path.parent / name), *([self.known[name]] if name in self.known else [])]

    def place(self, path: str | Path) -> str:
        """Return where a file is now; InputError: it is not there."""
        found = next((one for one in self._places(str(path)) if os.path.isfile(split_name(one).file)), None)
        if found is None:
            where = f"{path} is not there any more, nor" if os.path.isabs(path) else f"{path} is not"
            raise InputError(str(self.path), f"{where} beside the picture", "put the file there and open it again")
        return found

    def unfit(self, error: Exception) -> InputError:
        return InputError(str(self.path), f"this program cannot make what this picture shows: {error}")

    def options(self, files: Mapping[str, str | None]) -> dict[str, Any]:
        """Return the options of the method.

        Args:
            files: places of those that name a file, which are read; None: without them.

        Raises:
            WavediffError: one has no such value.
        """
        if self.command not in OFFERED:
            return {}
        arguments = argparse.Namespace(**{**vars(self.arguments), **files})
        return method_options(arguments, method(arguments.method), OFFERED[self.command])


def read_picture(path: Path, known: Mapping[str, str], _cancel: CancelToken) -> Picture:
    """Read a picture and check its command line.

    Raises:
        InputError: it is no picture of this program, or its command line does not fit.
    """
    recipe = read_recipe(path)
    picture = Picture(path, known, recipe, argparse.Namespace())
    try:
        if recipe.words[:1] not in [(one,) for one in INPUTS]:
            raise ValueError(f"no picture is made by '{' '.join(recipe.words[:1])}'")
        return _checked(replace(picture, arguments=cli.parsed(recipe.words)))
    except (WavediffError, ValueError) as error:
        raise picture.unfit(error) from error


def _checked(picture: Picture) -> Picture:
    arguments, command, listing = picture.arguments, picture.command, Listing()
    texts, files = {}, {}
    chosen: dict[str, Any] = {}
    if command == "lesson":
        texts = typed_texts(arguments)
        files = {name: texts[name] for name in FILE_INPUTS if texts.get(name, LAST) != LAST}
    elif command in OF_PAIRS:
        case = CaseRule(arguments.case or CaseRule.AUTO)
        chosen["fold_case"] = None if case is CaseRule.AUTO else case is CaseRule.FOLD
    if command in ("compare", "race", "batch"):
        chosen |= {"method": arguments.method, "letters": UracilRule(arguments.letters)}
    if command in ("compare", "race"):
        Strand(arguments.orient)
    if command == "compare":
        check_view(arguments, aligned=True, unit=method(arguments.method).unit)
        if arguments.all_records:
            raise ValueError("--all-records is for the command line: run it in a terminal")
        chosen["ambiguity"] = Ambiguity(arguments.ambiguity)
        if arguments.view == View.DIFFERENCES:
            listing = Listing.of(asked_of(View.DIFFERENCES, arguments))
    elif command == "race":
        named_kernels(method(arguments.method), arguments.kernels or "")
    for owner, option in OFFERED.get(command, ()):
        text = getattr(arguments, option.id, None)
        if owner.id == arguments.method and isinstance(option, Text) and text and option.names_file(text):
            files[option.id] = text
    if features := getattr(arguments, "features", None):
        files["features"] = features
    chosen |= picture.options(dict.fromkeys(files))
    if command == "compare" and arguments.alignment:
        files["alignment"] = arguments.alignment
    return replace(picture, inputs=_inputs(picture), listing=listing, chosen=chosen, texts=texts, files=files)


def typed_pair(arguments: argparse.Namespace) -> Picture:
    """Return what the arguments of ``open`` ask of two files; an option that is None leaves a choice as it is."""
    given = {name: value for name, value in vars(arguments).items() if value is not None}
    asked = argparse.Namespace(
        **{**vars(arguments), "method": METHODS[0].id, "format": ReadAs.AUTO, "orient": Strand.PLUS, "topology": ""}
        | given
    )
    chosen: dict[str, Any] = method_options(asked, method(asked.method), COMPARE_OPTIONS)
    if chosen or arguments.method:
        chosen["method"] = asked.method
    if arguments.case not in (None, CaseRule.AUTO):
        chosen["fold_case"] = arguments.case == CaseRule.FOLD
    for name, kind in (("letters", UracilRule), ("ambiguity", Ambiguity), ("device", Device)):
        if name in given:
            chosen[name] = kind(given[name])
    inputs = []
    how = zip(read_as_of(asked), encodings_of(asked), strict=True)
    records = arguments.record_a, arguments.record_b
    features = Path(arguments.features) if arguments.features else None
    for side, word, record, (read_as, encoding) in zip(Side, arguments.paths, records, how, strict=True):
        path = Path(word if record is None else f"{word}:{record}")
        item = ReadItem(side, path, read_as=read_as, encoding=encoding, form=_form(arguments))
        inputs.append(replace(item, features=features))
    listing = Listing()
    if arguments.view == View.DIFFERENCES:
        listing = Listing.of(asked_of(View.DIFFERENCES, arguments))
    return Picture(Path(), {}, Recipe(("compare",)), asked, tuple(inputs), listing, chosen)


def _form(arguments: argparse.Namespace) -> Form | None:
    return next((one for one in FORMS if one.lower() == getattr(arguments, "normalize", None)), None)


def _inputs(picture: Picture) -> tuple[ReadItem, ...]:
    arguments, command = picture.arguments, picture.command
    if command == "lesson" and arguments.name in {heading.id for heading in headings()}:
        return ()
    named = arguments.paths if command == "open" else [getattr(arguments, name) for name in INPUTS[command]]
    named = [*named, *getattr(arguments, "more", ())]
    read = command not in MAX_FILE_BYTES
    records = [getattr(arguments, name, None) for name in ("record" if command == "bwt" else "record_a", "record_b")]
    how = [*zip(read_as_of(arguments), encodings_of(arguments), strict=True)] if read else 2 * [(ReadAs.AUTO, "")]
    form = _form(arguments)
    found = []
    sides, asked = chain(Side, repeat(Side.B)), chain(zip(records, how, strict=True), repeat((None, how[-1])))
    for word, side, (record, (read_as, encoding)) in zip(named, sides, asked, strict=False):
        if word is None and command == "compare":
            raise ValueError("it names no two files")
        if word is None:
            continue
        name, letters = word.removeprefix("./"), typed_letters(word) if command in OF_PAIRS else None
        is_name = re.fullmatch(r"[^/\\:]+|[^/\\:]{2,}:[^/\\]+", name) is not None and name not in (".", "..")
        if name == NO_FILE:
            raise ValueError(f"{side} was in no file")
        if not is_name and letters is None and not os.path.isabs(name):
            raise ValueError(f"'{name}' is neither a whole path nor the name of a file")
        path = Path(name) if letters is None else None
        found.append(ReadItem(side, path, letters or "", int(record or 0), read_as, encoding=encoding, form=form))
    return tuple(found)


def find_inputs(picture: Picture, cancel: CancelToken) -> Picture:
    """Look for the files of a picture where they were, then beside it, and compare them with what it was made from.

    Raises:
        InputError: one is not there, or is not what an option takes.
    """
    inputs = [replace(one, path=Path(picture.place(one.path))) if one.path else one for one in picture.inputs]
    files = {name: picture.place(path) for name, path in picture.files.items()}
    if features := files.get("features"):
        inputs = [replace(one, features=Path(features)) for one in inputs]
    changed = [
        f"{one.path.name} has changed since the picture was made."
        for one, wanted in zip(inputs, picture.recipe.digests, strict=False)
        if one.path and _digest(picture.command, one, cancel) != wanted
    ]
    try:
        chosen = {**picture.chosen, **picture.options(files)}
    except WavediffError as error:
        raise picture.unfit(error) from error
    texts = {**picture.texts, **files}
    path, given = files.get("alignment"), None
    if path is not None:
        given = GivenFile(os.path.abspath(path), picture.arguments.record_alignment or 0)
    return replace(picture, inputs=tuple(inputs), chosen=chosen, texts=texts, given=given, changed=tuple(changed))


def _digest(command: str, item: ReadItem, cancel: CancelToken) -> str:
    """Return the SHA-256 of the letters of a file now; empty where they cannot be read."""
    assert item.path is not None
    if command in MAX_FILE_BYTES:
        return file_digest(item.path, MAX_FILE_BYTES[command], cancel)[1]
    job = ReadJob(path=item.path, read_as=item.read_as, encoding=item.encoding, or_text=True)
    try:
        load = run_job(job, report=ignore_event, cancel=cancel)
    except InputError:
        return ""
    if command == "batch":
        return sha256(load.letters.data).hexdigest()
    if not 1 <= item.record <= load.n_records:
        return ""
    read = load.sequence(item.record - 1)
    return digest(normalized(read, item.form) if item.form else read)

"""Recipe of a picture, written: the inputs with their digests, the options, the command."""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from hashlib import sha256
from pathlib import Path
from typing import Protocol

from wavediff.core.base.arrays import Letters
from wavediff.core.export.json import digest
from wavediff.core.methods import METHODS
from wavediff.core.methods.base import Method
from wavediff.core.methods.options import Flag, Text
from wavediff.core.reading.files import file_digest
from wavediff.core.reading.recipe import MAX_KEPT_LETTERS, VERSION, Ingredient, Recipe, Shown
from wavediff.core.sequences.characters import decoded
from wavediff.core.sequences.common_characters import keeps_uracil
from wavediff.core.sequences.letter_rules import Ambiguity, CaseRule, UracilRule
from wavediff.core.sequences.orientation import Strand
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import Sequence
from wavediff.core.system import program

MAX_FILE_BYTES = 1 << 28  # of a lesson or a record
OPTIONAL = ("alignment",)  # besides the flags of methods: --NAME or --no-NAME


def names_only(recipe: Recipe) -> Recipe:
    """Return a recipe with the names of files in place of their paths: pictures are published, folders name people."""
    inputs = tuple(replace(one, path=os.path.basename(one.path)) for one in recipe.inputs)
    return replace(recipe, inputs=inputs, options=tuple(map(_without_folder, recipe.options)))


def _without_folder(option: tuple[str, str]) -> tuple[str, str]:
    name, value = option
    id_ = name.replace("-", "_")
    owners = (one for method in METHODS for one in method.options if one.id == id_)
    return name, os.path.basename(value) if any(isinstance(owner, Text) and owner.files for owner in owners) else value


def text(recipe: Recipe) -> str:
    """Return a recipe as a picture keeps it: JSON in one line of ASCII."""
    value = {
        "wavediff": VERSION,
        "show": str(recipe.shown),
        "lesson": recipe.lesson,
        "inputs": [asdict(one) for one in recipe.inputs],
        "options": [list(option) for option in recipe.options],
    }
    return json.dumps(value)


def command(recipe: Recipe, *more: str) -> str:
    """Return the command line that makes the picture again; ``more``: further options."""
    words = [*program.name().split(), str(recipe.shown), *([recipe.lesson] if recipe.lesson else [])]
    words += [one.path or one.name for one in recipe.inputs]
    for name, value in recipe.options:
        if value in ("yes", "no") and (name in OPTIONAL or _is_flag(name)):
            words.append(f"--{name}" if value == "yes" else f"--no-{name}")
        else:
            words += [f"--{name}", value]
    return shlex.join([*words, *more])


def _is_flag(name: str) -> bool:
    owners = [option for method in METHODS for option in method.options if option.id == name.replace("-", "_")]
    return bool(owners) and all(isinstance(owner, Flag) for owner in owners)


def ingredient(sequence: Sequence) -> Ingredient:
    """Return what there is to say of a sequence as it stands in its file; takes long for a long one."""
    found = sequence.original
    path, letters = _path(found.source), ""
    if not path and len(found) <= MAX_KEPT_LETTERS:
        letters = decoded(found.letters, found.characters)
    return Ingredient(found.name, path, found.record, len(found), digest(found), letters)


def file_ingredient(source: str, letters: Letters) -> Ingredient:
    """Return what there is to say of all records of a file."""
    found = sha256(letters.data).hexdigest()
    return Ingredient(os.path.basename(source), _path(source), 0, letters.size, found)


def whole_file(path: Path) -> Ingredient:
    """Return what there is to say of a file that is kept as it is: of a lesson, of a run."""
    length, digest = file_digest(path, MAX_FILE_BYTES) if path.is_file() else (0, sha256().hexdigest())
    return Ingredient(path.name, os.path.abspath(path), 0, length, digest)


def _path(source: str) -> str:
    return os.path.abspath(source) if source and os.path.isfile(source) else ""


def pair_recipe(
    shown: Shown,
    a: Sequence,
    b: Sequence,
    method: Method,
    options: Mapping[str, str],
    *,
    fold_case: bool,
    ambiguity: Ambiguity = Ambiguity.MISSING,
    read_as: tuple[ReadAs, ...] = (),
) -> Recipe:
    """Return the recipe of a picture of a pair.

    Args:
        options: of the method or of a race, as typed, by their ids. read_as: as what A and B were read.
    """
    inputs = ingredient(a), ingredient(b)
    how = b.orientation
    words = {
        "method": method.id,
        **{name.replace("_", "-"): value for name, value in options.items()},
        **{f"record-{side}": str(one.record) for side, one in zip("ab", inputs, strict=True) if one.path},
        "case": str(CaseRule.FOLD if fold_case else CaseRule.EXACT),
        **({"ambiguity": str(ambiguity)} if ambiguity is not Ambiguity.MISSING else {}),
        **({"orient": str(how.strand)} if how.strand is not Strand.PLUS else {}),
        **({"topology": "circular"} if how.circular or a.orientation.circular else {}),
        **({"letters": str(UracilRule.EXACT)} if keeps_uracil(a, b) and not a.u_is_t else {}),
        **({"normalize": form.lower()} if (form := a.form or b.form) else {}),
        **formats(read_as, (a, b)),
    }
    return Recipe(shown, inputs, tuple(words.items()))


def viewed(recipe: Recipe, shows: Mapping[str, str]) -> Recipe:
    """Return the recipe of a picture of one part of what ``recipe`` is of: further options, as typed."""
    return replace(recipe, options=(*recipe.options, *shows.items()))


class HasEncoding(Protocol):
    """A sequence, or all records of a file."""

    @property
    def encoding(self) -> str: ...


def formats(read_as: Iterable[ReadAs], inputs: Iterable[HasEncoding]) -> dict[str, str]:
    """Return the options that say as what files were read, and in which encodings, where that was said."""
    read, encodings = [str(one) for one in read_as], [one.encoding or "utf-8" for one in inputs]
    plain = all(one == ReadAs.AUTO for one in read)
    found: dict[str, str] = {} if plain else dict(zip(("format", "format-b"), read, strict=False))
    if any(encoding != "utf-8" for encoding in encodings):
        found |= dict(zip(("encoding", "encoding-b"), dict.fromkeys(encodings), strict=False))
    return found

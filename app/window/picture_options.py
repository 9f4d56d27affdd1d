"""Options of a picture's recipe, each checked before anything of it is opened."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from wavediff.app.compare.differences_order import Listing
from wavediff.app.compare.run_picture import share_of
from wavediff.core.jobs.choices import Pairing, View
from wavediff.core.methods import METHODS
from wavediff.core.methods.base import Method
from wavediff.core.methods.options import Option, Text, parsed
from wavediff.core.methods.race_job import MAX_KERNELS, MAX_ROUNDS, race_kernels
from wavediff.core.reading.recipe import FILE_INPUTS, Recipe, Shown
from wavediff.core.sequences.letter_rules import Ambiguity, CaseRule, UracilRule
from wavediff.core.sequences.normalization import FORMS, Form
from wavediff.core.sequences.orientation import Strand
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.teach.lesson import MAX_STEPS, headings
from wavediff.core.teach.recorded import LAST
from wavediff.core.teach.unit import Unit

SEEN = ("at", "colours", "sort", "least", "kinds", "moment", "corner", "unit", "step")
MAX_LETTERS = 1 << 40  # of a sequence


@dataclass(frozen=True, slots=True)
class PictureOptions:
    """The options of a recipe, each checked.

    Attributes:
        lesson: its file. inputs: of a lesson, as typed.
        view: part of a comparison; None: all of it. seen: options that say what is seen of it, as typed.
        files: options and inputs that name a file, as the picture has it, by their names; none of them is open.
        corner: first row and column of the cells, from 0. offered: options that there are. listing: of differences.
    """

    method: Method = METHODS[0]
    options: dict[str, Any] | Any = None
    fold_case: bool | None = None
    letters: UracilRule = UracilRule.AUTO
    form: Form | None = None
    ambiguity: Ambiguity = Ambiguity.MISSING
    strand: Strand = Strand.PLUS
    circular: bool = False
    read_as: tuple[ReadAs, ReadAs] = (ReadAs.AUTO, ReadAs.AUTO)
    encodings: tuple[str, str] = ("", "")
    pairs: Pairing | None = None
    kernels: tuple[str, ...] = ()
    path: bool = True
    rounds: int = 1
    lesson: Path = Path()
    inputs: Any = None
    unit: Unit | None = None
    step: int | None = None
    scene: int | None = None
    view: View | None = None
    seen: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    corner: tuple[int, int] = (0, 0)
    offered: tuple[Option, ...] = ()
    listing: Listing = field(default_factory=Listing)


def picture_options(recipe: Recipe) -> PictureOptions:
    """Return the options of a recipe.

    Raises:
        ValueError, KeyError: there is no such option, or it has no such value.
    """
    options = dict(recipe.options)
    if recipe.shown is Shown.LESSON:
        return _of_lesson(recipe)
    method = {one.id: one for one in METHODS}[options.pop("method", METHODS[0].id)]
    for name in ("record", "record-a", "record-b", "separator"):
        options.pop(name, None)
    case = CaseRule(options.pop("case", CaseRule.AUTO))
    read_as = ReadAs(options.pop("format", ReadAs.AUTO))
    encoding = _encoding(options.pop("encoding", ""))
    found = PictureOptions(
        method,
        letters=UracilRule(options.pop("letters", UracilRule.AUTO)),
        form=_form(options.pop("normalize", "")),
        encodings=(encoding, _encoding(options.pop("encoding-b", encoding))),
        fold_case=None if case is CaseRule.AUTO else case is CaseRule.FOLD,
        ambiguity=Ambiguity(options.pop("ambiguity", Ambiguity.MISSING)),
        strand=Strand(options.pop("orient", Strand.PLUS)),
        circular=options.pop("topology", "linear") == "circular",
        read_as=(read_as, ReadAs(options.pop("format-b", read_as))),
    )
    offered: tuple[Option, ...] = ()
    if recipe.shown is Shown.COMPARE:
        offered = method.options
        view = options.pop("view", "")
        seen = {name: options.pop(name) for name in SEEN if name in options}
        listing = Listing.of({} if view != View.DIFFERENCES else seen)
        share_of(seen.get("moment", "100%"))
        row, col = (_whole(one, 1, MAX_LETTERS) - 1 for one in seen.get("corner", "1,1").split(","))
        unit = Unit(seen["unit"]) if "unit" in seen else None
        step = _whole(seen["step"], 0, MAX_STEPS) if "step" in seen else None
        found = replace(
            found, view=View(view) if view else None, seen=seen, corner=(row, col), unit=unit, step=step,
            listing=listing,
        )  # fmt: skip
    elif recipe.shown is Shown.BATCH:
        pairs = Pairing(options.pop("pairs"))
        offered = () if method.batch is None else method.batch.options
        found = replace(found, pairs=pairs)
    elif recipe.shown is Shown.RACE:
        kernels = tuple(options.pop("kernels").split(","))
        rounds = int(options.pop("rounds", "1"))
        path = {"yes": True, "no": False}[options.pop("alignment", "yes")]
        if not set(kernels) <= set(race_kernels(method)) or len(kernels) > MAX_KERNELS:
            raise ValueError(f"kernels {', '.join(kernels)}")
        if not 1 <= rounds <= MAX_ROUNDS:
            raise ValueError(f"{rounds} rounds")
        found = replace(found, kernels=kernels, rounds=rounds, path=path)
    texts = {name.replace("-", "_"): text for name, text in options.items()}
    named = [one.id for one in offered if isinstance(one, Text) and one.names_file(texts.get(one.id, one.default))]
    files = {id_: texts.pop(id_) for id_ in named}
    return replace(found, options=parsed(offered, texts), files=files, offered=offered)


def with_files(found: PictureOptions, paths: Mapping[str, str]) -> PictureOptions:
    """Return the options with their files, which are read now.

    Args:
        paths: of each of ``found.files``.

    Raises:
        ValueError: a file is not what the option takes.
    """
    if not found.offered:
        return replace(found, inputs={**(found.inputs or {}), **paths}, files={})
    return replace(found, options={**found.options, **parsed(found.offered, paths)}, files={})


def _encoding(name: str) -> str:
    try:
        "".encode(name or "utf-8")
    except LookupError as error:
        raise ValueError(f"encoding {name}") from error
    return name


def _form(name: str) -> Form | None:
    return {form.lower(): form for form in FORMS}[name] if name else None


def _whole(text: str, least: int, most: int) -> int:
    number = int(text)
    if not least <= number <= most:
        raise ValueError(f"{number} is not between {least} and {most}")
    return number


def _of_lesson(recipe: Recipe) -> PictureOptions:
    inputs: dict[str, str] = {}
    unit, step, scene, path = None, None, None, Path()
    if recipe.lesson:
        path = {one.id: one.path for one in headings()}[recipe.lesson]
    for name, text in recipe.options:
        if name == "unit":
            unit = Unit(text)
        elif name == "step":
            step = _whole(text, 0, MAX_STEPS)
        elif name == "scene":
            scene = _whole(text, 1, MAX_STEPS)
        elif name == "set":
            key, _, value = text.partition("=")
            inputs[key] = value
        else:
            inputs[name] = text
    files = {name: inputs[name] for name in FILE_INPUTS if name in inputs and inputs[name] != LAST}
    return PictureOptions(lesson=path, inputs=inputs, unit=unit, step=step, scene=scene, files=files)

"""Recipe of a picture: its command line and digests of its inputs. It is parsed strictly and never executed."""

from __future__ import annotations

import json
import os
import re
import shlex
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from html import unescape
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import quote

from wavediff.core.base.errors import InputError, printable
from wavediff.core.base.file_names import TYPED, split_name
from wavediff.core.export.json import digest
from wavediff.core.export.registry import FILMS, PICTURES
from wavediff.core.jobs.read import PASTED
from wavediff.core.methods import method
from wavediff.core.methods.options import Flag, Option, Text, option_words
from wavediff.core.reading.files import begins_with, file_digest, read_small
from wavediff.core.sequences.characters import decoded
from wavediff.core.sequences.common_characters import keeps_uracil
from wavediff.core.sequences.letter_rules import CaseRule, UracilRule
from wavediff.core.sequences.orientation import Strand, Topology
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import Sequence
from wavediff.core.system import program

if TYPE_CHECKING:
    from wavediff.core.reading.load import Load

KEY = "Comment"  # of the command line among the texts of a picture
ENDINGS = tuple({ending: None for one in (*PICTURES, *FILMS) for ending in one.endings})
DIGESTS = "  # sha256 "  # a shell takes what follows as a comment
NO_FILE = "-"  # in place of an input that is in no file and too long for the command line
MAX_KEPT_LETTERS, MAX_NAME_LETTERS = 2_000, 200
MAX_FILE_BYTES = 1 << 28  # of a lesson or a record
_MAX_PICTURE_BYTES, _MAX_TEXT_BYTES = 1 << 28, 1 << 17
_COMMAND = re.compile(r"(?:python (?:-m )?)?(?:wavediff|main\.py) (.*)")
_HEADED = (ReadAs.FASTA, ReadAs.FASTQ)  # of which letters on a command line have no header
_ANSWER = b'{\n  "schema": "wavediff/comparison"'
_PNG, _GIF, _MP4 = b"\x89PNG\r\n\x1a\n", b"GIF8", b"ftyp"


class Input(NamedTuple):
    """Input of a picture: absolute path, or letters that are in no file (``typed_letters``); SHA-256 of the letters."""

    word: str
    digest: str
    name: str


@dataclass(frozen=True, slots=True)
class Recipe:
    """Command line that makes a picture.

    Attributes:
        words: subcommand, inputs and options; each file as an absolute path.
        digests, names: SHA-256 and name of each input.
    """

    words: tuple[str, ...]
    digests: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    @classmethod
    def of(cls, command: str, inputs: Iterable[Input], words: Iterable[str]) -> Recipe:
        files, digests, names = zip(*inputs, strict=True)
        return cls((command, *files, *words), digests, tuple(printable(one, MAX_NAME_LETTERS) for one in names))

    def with_options(self, options: Mapping[str, object]) -> Recipe:
        return replace(self, words=(*self.words, *words_of(options)))

    @property
    def view(self) -> str:
        """Value of ``--view``, or an empty string."""
        return self.words[self.words.index("--view") + 1] if "--view" in self.words else ""

    def command(self, *more: str, keeps_paths: bool = False) -> str:
        """Return the command line for a picture, plus ``more`` if it draws it; ``keeps_paths``: with folder names."""
        words = self.words if keeps_paths else map(_name_only, self.words)
        line = shlex.join([*program.name().split(), *words, *(() if self.words[0] in ("contigs", "open") else more)])
        digests_text = shlex.join(chain(*zip(self.digests, self.names, strict=True)))
        return f"{line}{DIGESTS}{digests_text}" if digests_text else line


def _name_only(word: str) -> str:
    """Replace a path by its file name: pictures are published, and folders may name people."""
    name = os.path.basename(split_name(word).file) if os.path.isabs(word) else ""
    name += word.removeprefix(split_name(word).file) if name else ""
    return f"./{name}" if name.startswith("-") else name or word


def words_of(options: Mapping[str, object], offered: Iterable[Option] = ()) -> list[str]:
    """Return the words of options by id: True or "" gives ``--id``, False ``--no-id``, None nothing, a float percent.

    Args:
        offered: definitions of the options, to recognise flags and file names.
    """
    known, words = {one.id: one for one in offered}, list[str]()
    for id_, value in options.items():
        name, option = id_.replace("_", "-"), known.get(id_)
        if isinstance(option, Flag):
            value = value == "yes"
        if value is True or value == "":
            words.append(f"--{name}")
        elif value is False:
            words.append(f"--no-{name}")
        elif isinstance(value, float):
            words += [f"--{name}", f"{100 * value:.5g}%"]
        elif value is not None:
            is_file = isinstance(option, Text) and option.names_file(str(value))
            words += option_words(f"--{name}", os.path.abspath(str(value)) if is_file else str(value))
    return words


def input_of(read: Sequence | Load) -> Input:
    """Return the input of a picture: a sequence in its file, or all records of a file. Slow for long sequences."""
    named = split_name(read.source)
    word = named._replace(file=os.path.abspath(named.file)).name if os.path.isfile(named.file) else NO_FILE
    if not isinstance(read, Sequence):
        return Input(word, sha256(read.letters.data).hexdigest(), os.path.basename(read.source))
    read = read.original
    if word == NO_FILE and len(read) <= MAX_KEPT_LETTERS:
        header = f">{read.name}\n" if read.format and not read.source else ""
        word = TYPED + quote(header + decoded(read.letters, read.characters), "", errors="surrogatepass")
    return Input(word, digest(read), read.name)


def file_input(path: str | os.PathLike[str]) -> Input:
    """Return the input of a picture: a whole file (a lesson, a run), with the digest of its bytes."""
    digest = file_digest(path, MAX_FILE_BYTES)[1] if os.path.isfile(path) else sha256().hexdigest()
    return Input(os.path.abspath(path), digest, os.path.basename(path))


def recipe_of(command: str, inputs: Iterable[Sequence | Load], options: Mapping[str, object]) -> Recipe:
    """Return the recipe of a picture of sequences, or of all records of files; slow for long sequences.

    Args:
        options: options that do not follow from the inputs, see ``words_of``.
    """
    those = [*inputs]
    read, records = [*map(input_of, those)], [one for one in those if isinstance(one, Sequence) and one.records is None]
    numbered = zip(
        ("record", "record_b") if command == "bwt" else ("record_a", "record_b"), records, read, strict=False
    )
    words: dict[str, object] = {option: one.record for option, one, (word, *_) in numbered if os.path.isabs(word)}
    words |= options
    if command in ("compare", "race") and records:
        words |= _pair_options(*records, features=command == "compare")
    words["normalize"] = next((one.form.lower() for one in records if one.form), None)
    plain = [word.startswith(TYPED) and one.read_as in _HEADED for one, (word, *_) in zip(those, read, strict=True)]
    formats = ["auto" if bare else str(one.read_as) for one, bare in zip(those, plain, strict=True)]
    encodings = [one.encoding or "utf-8" for one in those]
    for option, values, usual in (("format", formats, "auto"), ("encoding", encodings, "utf-8")):
        if {*values} - {usual}:
            words |= zip((option, f"{option}_b"), dict.fromkeys(values), strict=False)
    by = method(str(options["method"])) if "method" in options else None
    offered = () if by is None else by.options if by.batch is None else (*by.options, *by.batch.options)
    return Recipe.of(command, read, words_of(words, offered))


def _pair_options(a: Sequence, b: Sequence, *, features: bool) -> dict[str, object]:
    how, annotated = b.orientation, next((one.annotated for one in (a, b) if one.annotated and features), "")
    turned, circles = how.circular or a.orientation.circular, a.circular or b.circular
    return {
        "features": os.path.abspath(annotated) if annotated else None,
        "orient": None if how.strand is Strand.PLUS else how.strand,
        "topology": Topology.CIRCULAR if turned else Topology.LINEAR if circles else None,
        "letters": UracilRule.EXACT if keeps_uracil(a, b) and not a.u_is_t else None,
    }


def is_answer(path: str | os.PathLike[str]) -> bool:
    """Return whether a file is a JSON document written by ``compare``; False if unreadable."""
    return begins_with(path, _ANSWER)


def read_recipe(path: str | os.PathLike[str]) -> Recipe:
    """Read the recipe of a picture or film, or make one for the pair of a JSON document of ``compare``.

    Raises:
        InputError: unreadable, or without a valid command line.
    """
    raw, source = read_small(path, _MAX_PICTURE_BYTES, "no picture of this program is as large"), os.fspath(path)
    try:
        if raw.startswith(_ANSWER):
            return _of_answer(json.loads(raw))
        line, _, digests_text = _text(raw, KEY).partition(DIGESTS)
        command = _COMMAND.fullmatch(line)
        if command is None:
            own = _text(raw, "Software").startswith("Wavediff")
            found = "a picture that names no files" if own else "no picture saved by Wavediff"
            raise InputError(source, found, "there is nothing to open in it")
        if not (line + digests_text).isprintable():
            raise ValueError
        inputs = shlex.split(digests_text)
        return Recipe(tuple(shlex.split(command[1])), tuple(inputs[::2]), tuple(inputs[1::2]))
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, zlib.error) as error:
        what = "answer" if raw.startswith(_ANSWER) else "command line in this picture"
        raise InputError(source, f"the {what} is damaged") from error


def _of_answer(answer: dict[str, Any]) -> Recipe:
    a, b, turned = answer["a"], answer["b"], answer["orientation"]
    offered = method(answer["method"]).options
    chosen = {option.id: answer["options"][option.id] for option in offered if option.id in answer.get("options", {})}
    options: dict[str, object] = {
        "method": answer["method"], **chosen, "record_a": a["record"], "record_b": b["record"],
        "case": CaseRule.of(answer["fold_case"]), "ambiguity": answer["ambiguity"]["rule"],
        "orient": turned["strand"], "topology": turned["topology"],
    }  # fmt: skip
    inputs = (Input(_answered_file(one["source"]), str(one["sha256"]), str(one["name"])) for one in (a, b))
    recipe = Recipe.of("compare", inputs, words_of(options, offered))
    if not "".join(recipe.words).isprintable():
        raise ValueError
    return recipe


def _answered_file(source: str) -> str:
    return NO_FILE if source == PASTED else source if os.path.isabs(source) else os.path.basename(source)


def _text(raw: bytes, key: str) -> str:
    if raw.startswith(_PNG):
        return _png_text(raw, key)
    lines, plain = raw, raw[4:8] == _MP4
    if raw.startswith(_GIF):
        lines, plain = b"\n".join(_gif_comment(raw, one.end()) for one in re.finditer(b"\x21\xfe", raw)), True
    line = re.search(f"[\n>]{key}: ([^\n]*)".encode(), lines)
    text = "" if line is None else line[1][:_MAX_TEXT_BYTES].decode("utf-8", "replace")
    return text if plain else unescape(text)


def _png_text(raw: bytes, key: str) -> str:
    chunk = re.search(b"(?s)(.{4})(tEXt|zTXt|iTXt)" + key.encode() + b"\0", raw)
    if chunk is None:
        return ""
    kind, text = chunk[2], raw[chunk.end() : chunk.start() + 8 + int.from_bytes(chunk[1], "big")]
    if kind == b"tEXt":
        return text.decode("latin-1")
    packed, text = (True, text[1:]) if kind == b"zTXt" else (text[:1] == b"\1", text[2:].split(b"\0", 2)[-1])
    text = zlib.decompressobj().decompress(text, _MAX_TEXT_BYTES) if packed else text
    return text.decode("latin-1" if kind == b"zTXt" else "utf-8")


def _gif_comment(raw: bytes, at: int) -> bytes:
    pieces: list[bytes] = []
    while at < len(raw) and raw[at] and len(pieces) < _MAX_TEXT_BYTES // 255:
        pieces.append(raw[at + 1 : at + 1 + raw[at]])
        at += 1 + raw[at]
    return b"".join(pieces)

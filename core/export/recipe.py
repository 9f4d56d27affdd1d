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
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote

from wavediff.core.base.arrays import Letters
from wavediff.core.base.errors import InputError, printable
from wavediff.core.base.file_names import TYPED, split_name
from wavediff.core.export.json import digest
from wavediff.core.export.registry import FILMS, PICTURES
from wavediff.core.methods.base import Method
from wavediff.core.methods.options import Flag, Option, Text, option_words
from wavediff.core.reading.files import file_digest, read_small
from wavediff.core.sequences.characters import decoded
from wavediff.core.sequences.common_characters import keeps_uracil
from wavediff.core.sequences.letter_rules import Ambiguity, CaseRule, UracilRule
from wavediff.core.sequences.orientation import Strand, Topology
from wavediff.core.sequences.read_as import ReadAs
from wavediff.core.sequences.sequence import Sequence
from wavediff.core.system import program

if TYPE_CHECKING:
    from wavediff.core.export.contigs import ContigsAnswer

KEY = "Comment"  # of the command line among the texts of a picture
OLD_KEY = "Recipe"  # of inputs as JSON, which pictures had before digests stood behind the command line
ENDINGS = tuple({ending: None for one in (*PICTURES, *FILMS) for ending in one.endings})
DIGESTS = "  # sha256 "  # a shell takes what follows as a comment
NO_FILE = "-"  # in place of an input that is in no file and too long for the command line
MAX_KEPT_LETTERS, MAX_NAME_LETTERS = 2_000, 200
MAX_FILE_BYTES = 1 << 28  # of a lesson or a record
_MAX_PICTURE_BYTES, _MAX_TEXT_BYTES = 1 << 28, 1 << 17
_COMMAND = re.compile(r"(?:python (?:-m )?)?(?:wavediff|main\.py) (.*)")
_PNG, _GIF, _MP4 = b"\x89PNG\r\n\x1a\n", b"GIF8", b"ftyp"


class Input(NamedTuple):
    """Input of a picture.

    Attributes:
        word: absolute path of its file, or letters that are in none; see ``typed_letters``.
        digest: SHA-256 of the letters as they were read, in hexadecimal.
    """

    word: str
    digest: str
    name: str

    @property
    def in_file(self) -> bool:
        return os.path.isabs(self.word)


@dataclass(frozen=True, slots=True)
class Recipe:
    """Command line that makes a picture.

    Attributes:
        words: subcommand, inputs and options; each file with its absolute path.
        digests, names: of the inputs.
        keeps_paths: whether ``command`` has the folders of files too.
        leads: to the view of the window that a picture is of, which it does not make.
    """

    words: tuple[str, ...]
    digests: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    keeps_paths: bool = False
    leads: bool = False

    @classmethod
    def of(cls, command: str, inputs: Iterable[Input], words: Iterable[str]) -> Recipe:
        files, digests, names = zip(*inputs, strict=True)
        return cls((command, *files, *words), digests, tuple(printable(one, MAX_NAME_LETTERS) for one in names))

    def with_options(self, texts: Mapping[str, str]) -> Recipe:
        return replace(self, words=(*self.words, *words_of(texts)))

    @property
    def view(self) -> str:
        """Value of ``--view``, or an empty string."""
        return self.words[self.words.index("--view") + 1] if "--view" in self.words else ""

    def command(self, *more: str) -> str:
        """Return the command line as stored in a picture; ``more``: additional words."""
        words = self.words if self.keeps_paths else map(_name_only, self.words)
        makes = not self.leads and (self.view or self.words[0] not in ("compare", "contigs", "open"))
        line = shlex.join([*program.name().split(), *words, *(more if makes else ())])
        told = shlex.join(chain(*zip(self.digests, self.names, strict=True)))
        return f"{line}{DIGESTS}{told}" if told else line


def _name_only(word: str) -> str:
    """Replace a path by its file name: pictures are published, and folders may name people."""
    name = os.path.basename(split_name(word).file) if os.path.isabs(word) else ""
    name += word.removeprefix(split_name(word).file) if name else ""
    return f"./{name}" if name.startswith("-") else name or word


def words_of(texts: Mapping[str, str], offered: Iterable[Option] = ()) -> list[str]:
    """Return the words of typed options by id; an option without text is a flag.

    Args:
        offered: tell which others are flags, and which name files.
    """
    known, words = {one.id: one for one in offered}, []
    for id_, text in texts.items():
        name, option = id_.replace("_", "-"), known.get(id_)
        if isinstance(option, Flag):
            words.append(f"--{name}" if text == "yes" else f"--no-{name}")
        elif not text:
            words.append(f"--{name}")
        else:
            path = isinstance(option, Text) and option.names_file(text)
            words += option_words(f"--{name}", os.path.abspath(text) if path else text)
    return words


def sequence_input(sequence: Sequence) -> Input:
    """Return a sequence in its file as an input; slow for long sequences."""
    read = sequence.original
    word = _file_word(read.source)
    if word == NO_FILE and len(read) <= MAX_KEPT_LETTERS:
        word = _letters_word(decoded(read.letters, read.characters))
    return Input(word, digest(read), read.name)


def records_input(source: str, letters: Letters) -> Input:
    """Return all records of a file as an input."""
    return Input(_file_word(source), sha256(letters.data).hexdigest(), os.path.basename(source))


def file_input(path: str | os.PathLike[str]) -> Input:
    """Return a file used byte by byte (a lesson, a run) as an input."""
    digest = file_digest(path, MAX_FILE_BYTES)[1] if os.path.isfile(path) else sha256().hexdigest()
    return Input(os.path.abspath(path), digest, os.path.basename(path))


def _file_word(source: str) -> str:
    named = split_name(source)
    return named._replace(file=os.path.abspath(named.file)).name if os.path.isfile(named.file) else NO_FILE


def letters_recipe(
    command: str,
    inputs: Iterable[Sequence],
    words: Iterable[str] = (),
    texts: Iterable[tuple[str, str]] = (),
    *,
    fold_case: bool,
    read_as: Iterable[ReadAs] = (),
    records: tuple[str, str] = ("record-a", "record-b"),
) -> Recipe:
    """Return the recipe of a picture of one or two sequences.

    Args:
        words, texts: further options. read_as: as what the files were read. records: options that name records.
    """
    those = [*inputs]
    read = [*map(sequence_input, those)]
    numbers = {name: str(one.record) for name, one, at in zip(records, those, read, strict=False) if at.in_file}
    case = {"case": str(CaseRule.FOLD if fold_case else CaseRule.EXACT)}
    options = numbers | case | dict(texts) | forms(those) | formats(read_as, [one.encoding for one in those])
    return Recipe.of(command, read, [*words, *words_of(options)])


def pair_recipe(
    command: str,
    a: Sequence,
    b: Sequence,
    method: Method,
    words: Iterable[str],
    *,
    fold_case: bool,
    ambiguity: Ambiguity = Ambiguity.MISSING,
    read_as: tuple[ReadAs, ...] = (),
) -> Recipe:
    """Return the recipe of a picture of a pair.

    Args:
        words: options of the method or of a race. read_as: as what A and B were read.
    """
    how = b.orientation
    features = next((one.annotated for one in (a, b) if one.annotated), "") if command == "compare" else ""
    texts = {
        **({"features": os.path.abspath(features)} if features else {}),
        **({"ambiguity": str(ambiguity)} if ambiguity is not Ambiguity.MISSING else {}),
        **({"orient": str(how.strand)} if how.strand is not Strand.PLUS else {}),
        **_topology(a, b),
        **({"letters": str(UracilRule.EXACT)} if keeps_uracil(a, b) and not a.u_is_t else {}),
    }
    words = ["--method", method.id, *words]
    return letters_recipe(command, (a, b), words, texts.items(), fold_case=fold_case, read_as=read_as)


def records_recipe(pair: Iterable[Sequence], read_as: Iterable[ReadAs], encodings: Iterable[str]) -> Recipe:
    """Return the recipe of a picture of all records of two files, joined."""
    words = words_of(formats(read_as, encodings))
    return Recipe.of("compare", map(sequence_input, pair), ["--all-records", *words])


def contigs_recipe(answer: ContigsAnswer, on: Topology, read_as: Iterable[ReadAs]) -> Recipe:
    """Return the recipe of a picture of placed contigs; ``on``: options of A."""
    a, file = answer.a, answer.contigs
    texts = {"record-a": str(a.record), "topology": str(on), **formats(read_as, [a.encoding, file.encoding])}
    return Recipe.of("contigs", (sequence_input(a), records_input(file.source, file.letters)), words_of(texts))


def _topology(a: Sequence, b: Sequence) -> dict[str, str]:
    if a.orientation.circular or b.orientation.circular:
        return {"topology": str(Topology.CIRCULAR)}
    return {"topology": str(Topology.LINEAR)} if a.circular or b.circular else {}


def forms(inputs: Iterable[Sequence]) -> dict[str, str]:
    """Return the option for the normalization form of the texts."""
    form = next((one.form for one in inputs if one.form), "")
    return {"normalize": form.lower()} if form else {}


def formats(read_as: Iterable[ReadAs], encodings: Iterable[str]) -> dict[str, str]:
    """Return the options for format and encoding of the files, if set by the user."""
    read, encodings = [str(one) for one in read_as], [encoding or "utf-8" for encoding in encodings]
    plain = all(one == ReadAs.AUTO for one in read)
    options: dict[str, str] = {} if plain else dict(zip(("format", "format-b"), read, strict=False))
    if any(encoding != "utf-8" for encoding in encodings):
        options |= dict(zip(("encoding", "encoding-b"), dict.fromkeys(encodings), strict=False))
    return options


def read_recipe(path: str | os.PathLike[str]) -> Recipe:
    """Read the recipe of a picture or film.

    Raises:
        InputError: it cannot be read, has no command line, or a damaged one.
    """
    raw, source = read_small(path, _MAX_PICTURE_BYTES, "no picture of this program is as large"), os.fspath(path)
    try:
        line, _, told = _text(raw, KEY).partition(DIGESTS)
        command = _COMMAND.fullmatch(line)
        if command is None:
            own = _text(raw, "Software").startswith("Wavediff")
            found = "a picture that names no files" if own else "no picture saved by Wavediff"
            raise InputError(source, found, "there is nothing to open in it")
        if not (line + told).isprintable():
            raise ValueError
        inputs = shlex.split(told)
        recipe = Recipe(tuple(shlex.split(command[1])), tuple(inputs[::2]), tuple(inputs[1::2]))
        old = "" if told else _text(raw, OLD_KEY)
        return _with_inputs(recipe, json.JSONDecoder().raw_decode(old)[0]["inputs"]) if old else recipe
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError, zlib.error) as error:
        raise InputError(source, "the command line in this picture is damaged") from error


def _with_inputs(recipe: Recipe, inputs: list[dict[str, str]]) -> Recipe:
    """Return a recipe with its inputs, stored as JSON; literal letters replace a file."""
    command, *words = recipe.words
    for k, one in enumerate(inputs):
        words[k] = _letters_word(one["letters"]) if one["letters"] else words[k]
    digests, names = (tuple(str(one[key]) for one in inputs) for key in ("sha256", "name"))
    return Recipe((command, *words), digests, names)


def _letters_word(letters: str) -> str:
    return TYPED + quote(letters, "", errors="surrogatepass")


def _text(raw: bytes, key: str) -> str:
    if raw.startswith(_PNG):
        return _png_text(raw, key)
    lines, plain = raw, raw[4:8] == _MP4
    if raw.startswith(_GIF):
        lines, plain = b"\n".join(_gif_comment(raw, one.end()) for one in re.finditer(b"\x21\xfe", raw)), True
    line = re.search(f"\n{key}: ([^\n]*)".encode(), lines)
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
    """Return a GIF comment, joined from its blocks of at most 255 bytes."""
    pieces: list[bytes] = []
    while at < len(raw) and raw[at] and len(pieces) < _MAX_TEXT_BYTES // 255:
        pieces.append(raw[at + 1 : at + 1 + raw[at]])
        at += 1 + raw[at]
    return b"".join(pieces)

"""What each of our formats is read by: a target takes bytes, and raises nothing but what the reader promises.

What is read is used too, as the window does: a value that fits alone may not fit where it goes.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from tests.fuzz.mutation import MUTATORS, Mutator, mutated
from wavediff.app.compare.alignment_goto import PlaceError, parse_place
from wavediff.app.compare.alignment_model import AlignmentModel
from wavediff.app.compare.pair.recent import RecentPairs
from wavediff.app.compare.tracks import find_tracks
from wavediff.app.compare.tracks.codons import N_CODES
from wavediff.app.ui.settings_file import MAX_FILE_BYTES, SettingsFile
from wavediff.app.window import settings
from wavediff.app.window.pictures.picture_command import read_picture
from wavediff.core.base.errors import ExportError, InputError, NotEnoughMemory, WavediffError
from wavediff.core.jobs.bwt import FindJob, IndexJob, LoadBwtJob
from wavediff.core.jobs.bwt_format import HEADER_BYTES, Header, crc32
from wavediff.core.jobs.cancel import CancelToken
from wavediff.core.jobs.events import run_to_end
from wavediff.core.reading import Load, parse
from wavediff.core.reading.alignments import is_alignment, read_alignments
from wavediff.core.reading.annotations import annotated as annotated_by
from wavediff.core.record.playback import Playback
from wavediff.core.record.run_file import parse_record
from wavediff.core.run.api.compare import Answer, compare
from wavediff.core.run.api.reading import sequence_of
from wavediff.core.run.runner import run_job
from wavediff.core.sequences.orientation import Orientation, Strand
from wavediff.core.teach.lesson import parse_lesson
from wavediff.core.teach.recorded import RecordedTrace
from wavediff.core.teach.scene import Trace

CORPUS = Path(__file__).parent / "corpus"
N_SCENES, N_STEPS = 4, 8  # of a lesson, of which the sentences are said
MAX_COMPARED = 2_000  # letters


@dataclass(frozen=True, slots=True)
class Target:
    """A reader.

    Attributes:
        read: raises what is a defect. mutators: that make other files of those of the corpus.
    """

    read: Callable[[bytes], None]
    mutators: tuple[Mutator, ...] = MUTATORS


def record(data: bytes) -> None:
    with suppress(InputError, NotEnoughMemory):
        run = parse_record(data, "run.json")
        with suppress(ValueError):  # it has no times of blocks
            _play(RecordedTrace(run, "run.json"))
        for attempt in run.recorded.attempts:
            if (playback := Playback.of(attempt, run.recorded)) is not None:
                playback.slowest()
                assert playback.ideal_seconds is None or playback.lanes
                playback.shares(np.linspace(*playback.axis, 9))
                playback.at(playback.seconds / 2, attempt.block_map)


def _play(trace: Trace) -> None:
    for unit in trace.units:
        for step in (0, trace.steps(unit) // 2, trace.steps(unit)):
            trace.say(unit, step)
            trace.scene(unit, step)


def recipe(data: bytes) -> None:
    with TemporaryDirectory() as folder, suppress(InputError):
        path = Path(folder, "picture.png")
        path.write_bytes(data)
        read_picture(path, {}, CancelToken())


def index(data: bytes) -> None:
    with TemporaryDirectory() as folder, suppress(WavediffError):  # also a last column that is that of no text
        path = Path(folder, "x.bwt")
        path.write_bytes(data)
        saved = run_job(LoadBwtJob(path=path))
        found = run_job(IndexJob(saved=saved, threads=1))
        run_job(FindJob(index=found, patterns=(b"a", b"ra"), limit=100))


def lesson(data: bytes) -> None:
    with suppress(InputError):
        for part in parse_lesson(data, "own.toml").parts:
            for scene in part.scenes[:N_SCENES]:
                for step in range(scene.first, min(scene.last, scene.first + N_STEPS) + 1):
                    part.sentence(scene, step)


def kept(data: bytes) -> None:
    """Settings and recent pairs: whatever the files hold, the program starts, and saves."""
    assert len(data) < MAX_FILE_BYTES
    with TemporaryDirectory() as folder:
        for name in ("wavediff.ini", "settings.json", "recent.json"):  # the latter two of an older version
            path = Path(folder, name[:1], name)
            path.parent.mkdir()
            path.write_bytes(data)
            file = SettingsFile(path.with_name("wavediff.ini"))
            assert all(one.a.path and one.b.path for one in RecentPairs(file).pairs)
            assert settings.save(file, settings.load(file)) == ""


def annotated(data: bytes) -> None:
    """A file of sequences with features."""
    with suppress(InputError, NotEnoughMemory):
        _look_at_features(parse(data))


def features(data: bytes) -> None:
    """A file of features of two sequences."""
    with TemporaryDirectory() as folder, suppress(InputError, NotEnoughMemory):
        path = Path(folder, "x.gff3")
        path.write_bytes(data)
        load = parse(b">a\n" + b"ACGT" * 30 + b"\n>b x\nAC\n")
        _look_at_features(run_to_end(annotated_by(load, path)))


def effects(data: bytes) -> None:
    """A file of sequences with features: what is made of them beside a changed copy of the first sequence."""
    with suppress(WavediffError):
        a = parse(data).sequence(0)
        if not 8 <= len(a) <= MAX_COMPARED or not a.alphabet.is_nucleotide:
            return
        rng, letters = random.Random(crc32(data)), bytearray(a.letters)
        for _ in range(rng.randrange(12)):
            at, n = rng.randrange(len(letters)), rng.choice((0, 1, 1, 1, 3, 7))
            letters[at : at + n] = rng.choices(b"ACGTN", k=rng.choice((n, n, n, 0, 1, 3)))
        for pair in ((a, sequence_of(bytes(letters), "b")), (sequence_of(bytes(letters), "b"), a)):
            _look_at_effects(compare(*pair))


def _look_at_effects(answer: Answer) -> None:
    assert str(answer)
    assert answer.to_json()
    assert answer.to_tsv()
    with suppress(ExportError):
        assert answer.to_vcf()
    assert all(answer.effects["text"])
    index = answer.comparison.index
    model = AlignmentModel(answer.comparison.a, answer.comparison.b, index)
    model.tracks = find_tracks(index, model.a, model.b, {}, frozenset(), CancelToken())
    for col in range(0, model.n_columns, 7):
        assert model.describe(col)
    sights, codes = model.codons(0, model.n_columns)
    assert {side: len(one.rows) for side, one in sights.items()} == {side: len(rows) for side, rows in codes.items()}
    assert all(((row >= 0) & (row < N_CODES)).all() for rows in codes.values() for row in rows)
    for bars in model.tracks.bars.values():
        for name in bars.spans.names[:9]:
            for typed in (name, f"{name}:1", f"{name}:2-3del", f"{name}:999999999"):
                with suppress(PlaceError):
                    assert 0 <= parse_place(typed, model).col0 < model.n_columns


A = "ACGTACGTTAGCTAGGCTTACGATCGATCGGATTACAGATTACA"
B = "ACGTACGTAGCTAGGCTTTACGATCGACGGATTACCAGATTACA"


def alignment(data: bytes) -> None:
    """A file of alignments in any format: what is read is checked against the letters, and shown."""
    with TemporaryDirectory() as folder, suppress(InputError, NotEnoughMemory):
        path = Path(folder, "x.aln")
        path.write_bytes(data)
        assert is_alignment(path) in (True, False)
        records = read_alignments(path, ("a", "b"))
        for one in records:
            assert one.text.isprintable()
        pair = (sequence_of(letters, name) for letters, name in ((A, "a"), (B, "b")))
        with suppress(InputError):
            print_answer(compare(*pair, alignment=records))
        print_answer(compare(alignment=records))


def print_answer(answer: Answer) -> None:
    found = answer.comparison.given
    assert found is not None
    assert (found.alignment.n_a, found.alignment.n_b) == (len(answer.a), len(answer.b))
    assert str(answer)
    assert answer.to_json()


def _look_at_features(load: Load) -> None:
    """Use features as the window and a range of a record do."""
    for sequence in map(load.sequence, range(min(load.n_records, 9))):
        n = len(sequence)
        for spans in sequence.spans:
            assert ((spans.starts >= 0) & (spans.starts < spans.ends) & (spans.ends <= n)).all()
            for k in range(len(spans.names)):
                one = spans.feature(k)
                assert one.parts
                assert one.codon_start in (1, 2, 3)
                assert one.table >= 0
            spans.oriented(Orientation(Strand.MINUS, True, n // 2)).covered(np.array([0]), np.array([n]))
            spans.within(n // 3, n // 2 + 1)


def with_right_sums(data: bytes, rng: random.Random) -> bytes:
    """Change sections or fields of an index, and make its checksums and sizes fit again: only the values are odd."""
    if len(data) < HEADER_BYTES:
        return data
    header, *_ = Header.unpack(data[:HEADER_BYTES])
    field = rng.choice(("primary", "n_runs", "every", "flags", "name_size", "n", "body", "body", "body"))
    body = data[HEADER_BYTES:]
    if field == "body":
        body = bytearray(body)
        for _ in range(1 + rng.randrange(3)):
            if body:
                body[rng.randrange(len(body))] = rng.randrange(256)
        body = bytes(body)
    else:
        header = header._replace(**{field: rng.choice((0, 1, 2, 3, 7, 64, 1 << 20, (1 << 31) - 1, 1 << 31))})
    if header.file_size > 1 << 20:
        return header.pack() + body
    body = body.ljust(header.file_size - HEADER_BYTES, b"\0")[: header.file_size - HEADER_BYTES]
    sums, at = [], 0
    for size in (header.name_size, header.n, 8 * header.n_words, 4 * header.n_samples):
        sums.append(crc32(body[at : at + size]))
        at += size
    names = ("crc_name", "crc_last", "crc_marks", "crc_samples")
    return header._replace(**dict(zip(names, sums, strict=True))).pack() + body


TARGETS = {
    "record": Target(record),
    "recipe": Target(recipe),
    "index": Target(index, (*MUTATORS, with_right_sums, with_right_sums, with_right_sums)),
    "lesson": Target(lesson),
    "settings": Target(kept),
    "flat_file": Target(annotated),
    "snapgene": Target(annotated),
    "features": Target(features),
    "alignment": Target(alignment),
    "effects": Target(effects),
}


def corpus(name: str) -> list[bytes]:
    """Return the files that a target begins with: good ones, and those that once were read wrong."""
    return [path.read_bytes() for path in sorted((CORPUS / name).iterdir())]


def made(name: str, seeds: list[bytes], rng: random.Random) -> bytes:
    """Return another input of a target."""
    return mutated(rng.choice(seeds), rng, TARGETS[name].mutators)

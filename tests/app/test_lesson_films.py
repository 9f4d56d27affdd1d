"""Films of lessons: every frame for its time, one palette, and what made them inside."""

import html
import io
import json
import re
import shutil
import subprocess

import pytest
from PIL import Image

from wavediff.app.commands import cli
from wavediff.app.draw.drawing import Font
from wavediff.app.draw.painter import measured
from wavediff.app.draw.scene_style import Preset, paragraph_height
from wavediff.app.teach import lesson_pictures
from wavediff.app.teach.lesson_pictures import filmed
from wavediff.app.ui import picture_files
from wavediff.app.ui.picture_files import APNG, FILMS, GIF, MP4
from wavediff.core.base.errors import ExportError
from wavediff.core.teach.film import moments
from wavediff.core.teach.lesson import lessons

pytestmark = pytest.mark.usefixtures("qapp")
SHORT = next(one for one in lessons() if one.id == "edit-words")


def seconds_of(pictures):
    total = 0.0
    for at in range(getattr(pictures, "n_frames", 1)):
        pictures.seek(at)
        total += pictures.info["duration"]
    return total / 1000


@pytest.mark.parametrize("kind", [APNG, GIF])
def test_an_animated_picture_lasts_as_long_as_its_frames(kind):
    raw = filmed(SHORT, (640, 480)).film(kind, "--size", "640x480")
    made = Image.open(io.BytesIO(raw))
    seen = moments(SHORT)
    assert seconds_of(made) == pytest.approx(sum(one.milliseconds for one in seen) / 1000)
    assert made.size == (640, 480)
    command = "lesson edit-words --size 640x480 --" + kind.id
    told = made.info["comment"].decode() if kind is GIF else made.info["Comment"]
    assert command in told


def test_a_frame_of_a_film_is_that_of_the_lesson():
    shown = lesson_pictures.LessonFilm(moments(SHORT), (640, 480))
    images = [picture_files._raw(shown.image(k)) for k in range(len(shown.milliseconds))]
    assert len({len(one) for one in images}) == 1
    made = Image.open(io.BytesIO(filmed(SHORT, (640, 480)).film(APNG)))
    made.seek(getattr(made, "n_frames", 1) - 1)
    last = made.convert("RGB")
    painted = Image.frombytes("RGB", last.size, images[-1])
    pairs = zip(_pixels(last), _pixels(painted), strict=True)
    far = sum(max(abs(x - y) for x, y in zip(one, other, strict=True)) > 24 for one, other in pairs)
    assert far < last.width * last.height / 1000  # only some edges of letters have a colour that is not in the palette


def _pixels(image):
    raw = image.tobytes()
    return [tuple(raw[k : k + 3]) for k in range(0, len(raw), 3)]


def test_no_frame_is_cut_off():
    for lesson in lessons():
        seen = moments(lesson)
        stage = lesson_pictures.film_stage(seen, lesson_pictures.FILM_SIZE)
        for one in seen:
            size = stage.layouts[one.frame.part, one.frame.unit].size
            assert size.wide <= stage.wide, (lesson.id, one.frame.step)
            assert size.high + lesson_pictures.WORDS_PX <= stage.high, (lesson.id, one.frame.step)
            sentence, style = Font(lesson_pictures.TEXT_PX), measured(Preset.PAPER)
            wide = stage.wide - 2 * lesson_pictures.MARGIN_PX
            assert paragraph_height(one.sentence, sentence, wide, style) <= lesson_pictures.WORDS_PX, one.sentence


@pytest.mark.skipif(shutil.which("ffmpeg") is None, reason="ffmpeg is not there")
def test_mp4_is_a_film_of_the_same_length(tmp_path):
    path = tmp_path / "film.mp4"
    path.write_bytes(filmed(SHORT, (640, 480)).film(MP4))
    words = ["ffprobe", "-v", "error", "-show_entries", "format=duration:format_tags", "-of", "json", str(path)]
    told = json.loads(subprocess.run(words, capture_output=True, check=True, timeout=60).stdout)["format"]
    assert float(told["duration"]) == pytest.approx(sum(one.milliseconds for one in moments(SHORT)) / 1000, abs=0.2)
    assert "lesson edit-words" in told["tags"]["comment"]


def test_what_is_missing_is_said(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(ExportError, match="need ffmpeg, which was not found; an animated PNG or GIF"):
        filmed(SHORT, (640, 480)).film(MP4)
    monkeypatch.setitem(__import__("sys").modules, "PIL", None)
    with pytest.raises(ExportError, match=r"need Pillow; the package pillow is missing here: .* -m pip install pillow"):
        filmed(SHORT, (640, 480)).film(GIF)


def test_a_film_that_is_too_long_is_refused():
    long = next(one for one in lessons() if one.id == "edit-table").with_inputs({"a": "a" * 60, "b": "b" * 60}, None)
    with pytest.raises(ExportError, match="steps, up to 2,000 are possible"):
        filmed(long, (640, 480)).film(APNG)


def test_the_command_writes_a_film_with_its_subtitles(tmp_path, capsys):
    path, beside = tmp_path / "film.gif", tmp_path / "film.vtt"
    for _ in range(2):  # its own subtitles are written again
        assert cli.main(["lesson", "edit-words", "--gif", str(path), "--apng", str(path.with_suffix(".apng"))]) == 0
    told = capsys.readouterr().out
    assert told.count(str(beside)) == 2  # once a command
    film, at, seen = Image.open(io.BytesIO(path.read_bytes())), 0.0, []
    assert film.width * 9 == film.height * 16
    for k in range(film.n_frames):
        film.seek(k)
        seen.append((at, film.copy().convert("RGB")))
        at += film.info["duration"] / 1000
    text = beside.read_text("utf-8")
    assert "lesson edit-words" in text.split("\n\n")[1]
    cues = re.findall(r"^([\d:.]+) --> ([\d:.]+)\n(.+)$", text, re.MULTILINE)
    assert len({sentence for _, _, sentence in cues}) > 10
    before = set()
    for begin, end, sentence in cues:
        low, high = (sum(float(one) * 60**k for k, one in enumerate(clock.split(":")[::-1])) for clock in (begin, end))
        assert high - low >= 2 + 0.05 * len(html.unescape(sentence)) - 1e-6
        images = {_words(image) for begun, image in seen if low - 0.005 <= begun < high - 0.005}
        assert len(images) == 1, sentence  # as long as the sentence stays below the scene
        assert images != before
        before = images
    assert high == pytest.approx(at, abs=0.01)


def _words(image):
    """Pixels of the sentence of a film of usual size."""
    return image.crop((0, image.height - lesson_pictures.WORDS_PX, *image.size)).tobytes()


def test_another_file_is_not_replaced_by_subtitles(tmp_path, capsys):
    path, beside = tmp_path / "film.gif", tmp_path / "film.vtt"
    beside.write_text("WEBVTT\n\n00:00.000 --> 00:01.000\nmine\n")
    assert cli.main(["lesson", "edit-words", "--gif", str(path)]) == 2
    assert "film.vtt: the film's subtitles would replace it; rename the film" in capsys.readouterr().err
    assert beside.read_text().endswith("mine\n")
    assert not path.exists()


def test_a_film_without_an_ending_has_no_subtitles_beside_it(tmp_path):
    assert cli.main(["lesson", "edit-words", "--gif", str(tmp_path / "film"), "--size", "400x300"]) == 0
    assert [one.name for one in tmp_path.iterdir()] == ["film"]


def test_all_kinds_of_films_are_tested():
    assert set(FILMS) == {"apng", "gif", "mp4"}


@pytest.mark.parametrize("share", [0.8, 0.4, 0.25])
def test_a_small_film_is_the_usual_one_made_smaller(share):
    seen = moments(SHORT)
    wide, high = lesson_pictures.FILM_SIZE
    usual, small = (
        lesson_pictures.film_stage(seen, size) for size in ((wide, high), (int(wide * share), int(high * share)))
    )
    for key, layout in usual.layouts.items():
        assert small.layouts[key].size.wide / share == pytest.approx(layout.size.wide, rel=0.1)

"""Films of lessons: every frame for its time, one palette, and what made them inside."""

import io
import json
import shutil
import subprocess

import pytest
from PIL import Image

from wavediff.app.commands import cli
from wavediff.app.teach import lesson_pictures
from wavediff.app.teach.lesson_pictures import filmed, moments
from wavediff.app.ui import picture_files
from wavediff.app.ui.picture_files import APNG, FILMS, GIF, MP4
from wavediff.core.base.errors import ExportError
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
    assert made.width == 640
    assert made.height <= 480
    command = "lesson edit-words --size 640x480 --" + kind.id
    told = made.info["comment"].decode() if kind is GIF else made.info["Comment"]
    assert command in told


def test_a_frame_of_a_film_is_that_of_the_lesson():
    shown = lesson_pictures.LessonFilm(SHORT, (640, 480))
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
        stage = lesson_pictures._stage(seen, lesson_pictures.FILM_SIZE)
        for one in seen:
            size = stage.layouts[one.frame.part, one.frame.unit].size
            assert size.wide <= stage.wide, (lesson.id, one.frame.step)
            assert size.high + lesson_pictures.WORDS_PX <= stage.high, (lesson.id, one.frame.step)


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
    with pytest.raises(ExportError, match=r"14,\d{3} frames is too long|frames is too long, up to 2,000 go"):
        filmed(long, (640, 480)).film(APNG)


def test_the_command_writes_films(tmp_path):
    path = tmp_path / "film.gif"
    assert cli.main(["lesson", "edit-words", "--gif", str(path), "--size", "400x300"]) == 0
    assert path.read_bytes().startswith(b"GIF89a")
    assert set(FILMS) == {"apng", "gif", "mp4"}

"""The functions of ``import wavediff``, as a script calls them."""

import json
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

import wavediff
from wavediff.app.ui.samples import DEMO_PAIR
from wavediff.core.run import dispatch

ROOT = Path(__file__).parents[2]


@given(st.text(max_size=40), st.text(max_size=40))
def test_the_distance_is_that_of_an_independent_library(a, b):
    answer = wavediff.compare(a, b)
    assert answer.distance == Levenshtein.distance(a, b)
    assert answer.identical is (a == b)
    kinds = answer.differences
    lengths = np.maximum(kinds["a_end"] - kinds["a_start"], kinds["b_end"] - kinds["b_start"])
    assert lengths.sum() == answer.distance


class BioSeq:
    """What Biopython's ``Seq`` gives."""

    def __init__(self, letters):
        self.letters = letters

    def __bytes__(self):
        if self.letters is None:
            raise ValueError("Sequence content is undefined")
        return self.letters

    def __len__(self):
        return len(bytes(self))

    def __iter__(self):
        return map(chr, bytes(self))


@pytest.fixture
def one_call(monkeypatch):
    """Short pairs take one call from the first one on."""
    monkeypatch.setattr(dispatch, "_one_calls", {})
    monkeypatch.setattr(dispatch, "COMPILE_LETTERS", -1)


def known(answer):
    """Return all that is known of an answer but its times."""
    fields = json.loads(answer.to_json())
    for name in ("wall_seconds", "kernel_seconds", "compile_seconds", "gcups", "kernels", "timings"):
        fields.pop(name, None)
    for skip in fields.get("skips", ()):
        skip.pop("seconds")  # at the speed of the run
    return fields


LETTERS = st.text("ACGTacgt", max_size=90) | st.text("ACDEFGHIKLMNPQRSTVWYX", max_size=60) | st.text(max_size=20)


@given(
    st.tuples(LETTERS, LETTERS) | st.text("ACGTN", max_size=60).map(lambda letters: (letters, letters[3:] + "ACG")),
    st.sampled_from(["edit", "lcs"]),
    st.sampled_from([{}, {"traceback": "none"}, {"ties": "left-most"}, {"case": "exact"}, {"case": "fold"}]),
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_one_call_gives_the_answer_of_a_job(one_call, pair, method, options):
    short, long = (
        wavediff.compare(*pair, method=method, progress=heard, **options) for heard in (None, lambda *_: None)
    )
    for name in ("value", "cigar", "exact", "identical"):
        assert getattr(short, name) == getattr(long, name)
    assert (short.differences == long.differences).all()
    assert known(short) == known(long)


@pytest.mark.parametrize("made", [str, str.encode, lambda text: np.frombuffer(text.encode(), np.uint8)])
def test_which_pairs_take_one_call(one_call, made, monkeypatch):
    answer = wavediff.compare(made("GATTACA" * 9), made("GATTACC" * 9))
    monkeypatch.setattr("wavediff.core.run.api.running.run_job", None)  # no job follows
    assert (answer.distance, answer.exact, answer.method, answer.value, answer.identical) == (9, True, "edit", 9, False)
    assert answer.cigar == "6=1X" * 9
    assert answer.differences["a_start"].tolist() == list(range(6, 63, 7))
    for call in (
        lambda: wavediff.compare("GANTACA", "GATTACC"),
        lambda: wavediff.compare("GAUUACA", "GATTACC"),
        lambda: wavediff.compare("GATTACA", "GATTACC", band=3),
        lambda: wavediff.compare("GATTACA", "GATTACC", ends="a"),
        lambda: wavediff.compare("GATTACA" * 999, "GATTACC"),
        lambda: wavediff.compare("GATTACA", "GATTACC", method="swap"),
        lambda: wavediff.compare("GATTACA", "GATTACC", progress=lambda *_: None),
    ):
        with pytest.raises(TypeError):
            call()


@pytest.mark.parametrize(
    "letters",
    [
        "GATTACA",
        b"GATTACA",
        bytearray(b"GATTACA"),
        np.frombuffer(b"GATTACA", np.uint8),
        memoryview(b"GATTACA"),
        np.str_("GATTACA"),
        BioSeq(b"GATTACA"),
        SimpleNamespace(seq="GATTACA", id="record"),
        SimpleNamespace(seq=BioSeq(b"GATTACA"), id="record"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_letters_come_in_many_types(letters):
    answer = wavediff.compare(letters, "GATTACC")
    assert answer.cigar == "6=1X"
    assert answer.a.name == getattr(letters, "id", "A")
    assert wavediff.compare("GATTACA" * 999, letters).distance == 7 * 998
    assert wavediff.batch([letters, "GATTACC"]).tolist() == [[0, 1], [1, 0]]
    assert wavediff.search(letters, "CGATTACAG")["start"].tolist() == [1]
    assert wavediff.search([letters, "GA"], letters)["start"].tolist() == [0, 0]
    assert wavediff.Index(letters).find(letters).tolist() == [0]
    assert wavediff.inverse(wavediff.transform(letters)) == b"GATTACA"


def test_a_sequence_without_letters_is_refused():
    for letters in (BioSeq(None), None, 3, ["G", "A"], np.array([1, 2]), np.array(["G"])):
        for call in (
            lambda one=letters: wavediff.compare(one, "GATTACA"),
            lambda one=letters: wavediff.search("GATTACA", one),
            lambda one=letters: wavediff.batch([one]),
        ):
            with pytest.raises(wavediff.WavediffError):
                call()


def test_a_swap_of_text_and_patterns_is_named():
    for call in (
        lambda: wavediff.search("GATTACA", ["TA", "GAT"]),
        lambda: wavediff.search(Path("genome.fa"), "GATTACA"),
    ):
        with pytest.raises(wavediff.WavediffError, match="the patterns come first"):
            call()
    with pytest.warns(UserWarning, match="the pattern comes first, but"):
        assert not wavediff.search("GATTACA", "TA").size
    for names in ({"text": "GATTACA", "patterns": "TA"}, {"patterns": ["TA"], "text": "GATTACA"}):
        assert wavediff.search(**names)["start"].tolist() == [3]


def test_the_name_of_a_file_is_taken_for_letters_with_a_warning(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a.fa").write_text(">x\nACGT\n")
    with pytest.warns(UserWarning, match=r"a file has that name; Path\('a.fa'\) reads the file") as told:
        assert wavediff.compare("a.fa", "b.fa").distance == 1
    assert told[0].filename == __file__


def test_results_are_readable():
    assert repr(wavediff.transform("banana")) == "<Transform of 6 letters: annb$aa, $ in row 4, 4 runs>"
    assert str(wavediff.transform("ACGT" * 99)) == (f"<Transform of 396 letters: {'T' * 60}…, $ in row 99, 4 runs>")
    assert repr(wavediff.transform(b"\xff")) == "<Transform of 1 letter: \\xff, $ in row 1, 1 run>"
    assert repr(wavediff.Index("banana")) == "<Index of 6 letters>"
    assert repr(wavediff.read(DEMO_PAIR[0])).startswith("<NC_012920.1: DNA, 16,569 letters, 'GATCACAGGTC")
    assert repr(wavediff.compare("kitten", "sitting")).startswith("<Answer: 3 edits")


def test_a_path_is_a_file_and_a_text_is_not(tmp_path):
    path = tmp_path / "a.fa"
    path.write_text(">x\nACGT\n>y\nACGA\n")
    one = wavediff.read(path, record="y")
    assert wavediff.compare(one, "ACGT").distance == 1
    for use in (lambda: wavediff.compare(path, "ACGT"), lambda: wavediff.batch([path]), lambda: wavediff.Index(path)):
        with pytest.raises(wavediff.WavediffError, match=r"2 records.*; choose one with wavediff.read and its record="):
            use()
    assert wavediff.compare("a.fa", "b.fa").distance == 1


def test_methods_have_their_own_numbers():
    assert wavediff.compare("GATTACA", "GCATGCT", method="lcs").length == 4
    assert wavediff.compare("CA", "ABC", method="swap").distance == 2
    assert wavediff.align("GATTACA", "GATTACA").score == 35
    assert wavediff.align("MKV", "MKL", matrix="BLOSUM62", gap_open=11).value == 5 + 5 + 1
    with pytest.raises(AttributeError, match="no score"):
        _ = wavediff.compare("a", "b").score


def test_options_are_those_of_the_command_line():
    assert wavediff.compare("TTGATTACATT", "GATTACA", ends="a").distance == 0
    assert not wavediff.compare("A" * 99, "C" * 99, band=2).exact
    assert wavediff.compare("ACGU" * 3, "ACGT" * 3).distance == 0
    assert wavediff.compare("ACGU" * 3, "ACGT" * 3, letters="exact").distance == 3
    assert wavediff.compare("AAGTCC" * 9, "GGACTT" * 9, orient="minus").distance == 0
    for call in (
        lambda: wavediff.compare("a", "b", method="levenshtein"),
        lambda: wavediff.compare("a", "b", bandwidth=3),
        lambda: wavediff.compare("a", "b", ends="left"),
        lambda: wavediff.compare("a", 3),
        lambda: wavediff.compare("a", "b", threads="two"),
        lambda: wavediff.blocks("ACGT", "ACGT", threads=-1),
        lambda: wavediff.batch(["a", "b"], threads="two"),
        lambda: wavediff.search([None], "kitten"),
        lambda: wavediff.Index("kitten").find(3),
        lambda: wavediff.Index("kitten").find(""),
        lambda: wavediff.compare("a", "\ud800"),
    ):
        with pytest.raises(wavediff.WavediffError) as told:
            call()
        assert "\n" not in str(told.value)


def test_files_have_the_bytes_of_the_command_line(tmp_path):
    a, b = (wavediff.read(path) for path in DEMO_PAIR)
    answer = wavediff.compare(a, b)
    names = ["paf", "sam", "fasta", "cigar", "tsv", "vcf", "variants", "text"]
    words = [word for name in names for word in (f"--{name}", str(tmp_path / name))]
    subprocess.run(
        [sys.executable, ROOT / "main.py", "compare", *DEMO_PAIR, "--quiet", *words], check=False, timeout=300
    )
    for name in names:
        # The last line of the text has the time.
        ours, theirs = answer.to(name).splitlines(), (tmp_path / name).read_bytes().splitlines()
        assert ours[: -1 if name == "text" else None] == theirs[: -1 if name == "text" else None], name
    assert json.loads(answer.to_json())["distance"] == answer.distance
    answer.save(tmp_path / "answer.paf")
    assert (tmp_path / "answer.paf").read_text() == answer.to_paf()
    with pytest.raises(wavediff.WavediffError, match="unknown suffix"):
        answer.save(tmp_path / "answer.doc")


def test_progress_is_called_and_can_cancel():
    rng = np.random.default_rng(0)
    a, b = (rng.choice(np.frombuffer(b"ACGT", np.uint8), 20_000) for _ in "ab")
    shares = []
    wavediff.compare(a, b, progress=lambda share, _stage: shares.append(share))
    assert shares
    assert 0 <= min(shares) <= max(shares) <= 1
    with pytest.raises(wavediff.Cancelled):
        wavediff.compare(a, b, progress=lambda _share, _stage: True)
    token = wavediff.CancelToken()
    token.cancel()
    with pytest.raises(wavediff.Cancelled):
        wavediff.compare(a, b, cancel=token)


def test_its_names_are_listed():
    assert dir(wavediff) == sorted(wavediff.__all__)
    assert {"compare", "align", "batch", "search", "transform", "Index", "read"} <= set(dir(wavediff))


def test_importing_loads_nothing_heavy():
    code = (
        "import sys, wavediff\nwavediff.compare\n"
        "heavy = 'PySide6', 'cupy', 'numba', 'llvmlite', 'wavediff.core.teach.lesson'\n"
        "print([name for name in heavy if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        cwd=ROOT / ".ci" / "package",
        check=True,
        timeout=60,
    )
    assert done.stdout == "[]\n"


def test_a_batch_takes_all_records_of_a_file_and_no_single_sequence(tmp_path):
    path = tmp_path / "many.fa"
    path.write_text(">a\nGATTACA\n>b\nGATACA\n>c\nCAT\n")
    expected = [[0, 1, 5], [1, 0, 4], [5, 4, 0]]
    assert wavediff.batch(path).tolist() == expected
    assert wavediff.batch(path, ["GATACA"]).tolist() == [[row[1]] for row in expected]
    for one in ("kitten", b"kitten", wavediff.read(path, record="c")):
        with pytest.raises(wavediff.WavediffError, match="A is one sequence; a list"):
            wavediff.batch(one)


def test_a_batch_has_the_distances_of_its_pairs():
    words = ["kitten", "sitting", "你好", "你坏吗", ""]
    expected = [[Levenshtein.distance(a, b) for b in words] for a in words]
    assert wavediff.batch(words).tolist() == expected
    assert wavediff.batch(words, words[::-1], pairs="one-to-one").tolist() == [
        Levenshtein.distance(a, b) for a, b in zip(words, words[::-1], strict=True)
    ]
    assert wavediff.batch(["ACGU"], ["ACGT"], method="lcs").tolist() == [[4]]
    with pytest.raises(wavediff.WavediffError):
        wavediff.batch(words, words[:2], pairs="one-to-one")


@pytest.mark.filterwarnings("ignore:search")
@given(st.text("xz你", max_size=60), st.text("xz你", min_size=1, max_size=3))
def test_search_and_index_find_what_python_finds(text, pattern):
    expected = [k for k in range(len(text)) if text.startswith(pattern, k)]
    assert wavediff.search(patterns=pattern, text=text)["start"].tolist() == expected
    index = wavediff.Index(text)
    assert index.find(pattern).tolist() == expected
    assert index.count(pattern) == len(expected)


def test_an_index_is_saved_and_read(tmp_path):
    wavediff.Index("GATTACA").save(tmp_path / "a.bwt")
    assert wavediff.Index.load(tmp_path / "a.bwt").find("TA").tolist() == [3]
    assert wavediff.inverse(wavediff.transform("banana")) == b"banana"
    assert wavediff.search("GATC", "GATTACA", errors=1)["cost"].tolist() == [1]


def played(page):
    """Return the heading of a page in a notebook, and the data that it plays."""
    outside = Elements(page._repr_html_())
    assert outside.names == ["iframe"]
    inside = Elements(outside.attributes[0]["srcdoc"])
    script = inside.texts["script"]
    data, _ = json.JSONDecoder().raw_decode(script[script.index("LESSON = ") + 9 :])
    return inside.texts["h1"].strip(), data


class Elements(HTMLParser):
    """Elements of a page in their order, their attributes, and the text of each kind."""

    def __init__(self, page):
        super().__init__()
        self.names, self.attributes, self.texts = [], [], {}
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.names.append(tag)
        self.attributes.append(dict(attrs))

    def handle_data(self, data):
        if self.names:
            self.texts[self.names[-1]] = self.texts.get(self.names[-1], "") + data


def test_a_notebook_plays_a_lesson():
    lesson = wavediff.lesson("edit-table", a="kitten", b="sitting")
    title, data = played(lesson)
    assert title == lesson.lesson.title
    assert [k for _, _, k, *_ in data["frames"]] == [*range(43), 42, 42]  # of 6 x 7 cells, the last one asked about
    assert data["parts"][0]["units"]["cell"]["frames"]
    assert "cell 42 of 42" in str(lesson)
    assert repr(lesson) == f"<Lesson: {title}>"
    assert json.loads(lesson.to("json"))["schema"] == "wavediff/lesson"
    assert wavediff.lesson("edit-table", unit="row").lesson.parts[0].units == ("row",)
    for call, told in (
        (lambda: wavediff.lesson("edit-tabel"), "did you mean edit-table"),
        (lambda: wavediff.lesson("edit-table", unit="x"), "unit='x'"),
        (lambda: wavediff.lesson("edit-table", letters=3), "'letters' means nothing here"),
        (lambda: lesson.to("pdf"), "format 'pdf'"),
    ):
        with pytest.raises(wavediff.WavediffError, match=told):
            call()


def test_a_notebook_plays_a_run(tmp_path):
    rng = np.random.default_rng(0)
    a, b = (rng.choice(np.frombuffer(b"ACGT", np.uint8), 6000) for _ in "ab")
    answer = wavediff.compare(a, b, band="none", blocks="1024x1024", record=True)
    title, data = played(answer.run)
    assert title == "A and B"
    assert len(data["frames"]) == 65
    answer.save(tmp_path / "run.json", "record")
    assert json.loads(answer.to("record"))["value"] == answer.distance
    stored = wavediff.lesson("your-run", record=tmp_path / "run.json")
    assert len(played(stored)[1]["frames"]) >= 65
    stored.save(tmp_path / "run.html")
    assert (tmp_path / "run.html").read_text("utf-8").startswith("<!doctype html>")
    for call in (lambda: wavediff.compare(a, b).run, lambda: wavediff.compare(a, b).to("record")):
        with pytest.raises(wavediff.WavediffError, match="record=True"):
            call()
    with pytest.raises(wavediff.WavediffError, match="no times of blocks"):
        _ = wavediff.compare("kitten", "sitting", record=True).run


def test_pages_of_a_notebook_need_no_qt():
    code = (
        "import sys, wavediff\n"
        "wavediff.lesson('lcs-table')._repr_html_(), wavediff.compare('a', 'b')._repr_html_()\n"
        "print([name for name in ('PySide6', 'cupy', 'numba') if name in sys.modules])"
    )
    place = ROOT / ".ci" / "package"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=place, check=True, timeout=60
    )
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: wavediff.compare("a", "b", case="x"), "case='x': auto, "),
        (lambda: wavediff.compare("a", "b", orient="x"), "orient='x': auto, "),
        (lambda: wavediff.compare("a", "b", topology="x"), "topology='x': auto, linear or circular is expected"),
        (lambda: wavediff.compare("a", "b", letters="x"), "letters='x': "),
        (lambda: wavediff.compare("a", "b", ambiguity="x"), "ambiguity='x': "),
        (lambda: wavediff.compare("a", "b", device="x"), "device='x': auto, cpu or gpu is expected"),
        (lambda: wavediff.compare("a", "b").to("x"), "format 'x': "),
        (lambda: wavediff.batch(["a"], pairs="x"), "pairs='x': "),
        (lambda: wavediff.batch(["a"], case="x"), "case='x': "),
        (lambda: wavediff.search("A", "ACGT", case="x"), "case='x': "),
        (lambda: wavediff.search("A", "ACGT", errors=99), "errors=99: expected a whole number from 0 to 8"),
        (lambda: wavediff.Index("ACGT", case="x"), "case='x': "),
        (lambda: wavediff.read(DEMO_PAIR[0], format="x"), "format='x': "),
        (lambda: wavediff.read(DEMO_PAIR[0], encoding="x"), "encoding 'x'"),
    ],
)
def test_a_value_that_there_is_not_is_an_error_of_ours(call, said):
    with pytest.raises(wavediff.WavediffError) as error:
        call()
    assert said in str(error.value)


def test_files_that_are_no_sequences_are_texts(tmp_path):
    """As on the command line and in the window; beside a sequence they are refused."""
    quote, damaged, good = tmp_path / "quote.md", tmp_path / "damaged.fa", tmp_path / "good.fa"
    quote.write_bytes(b"# Title\n\n> a quote\n")
    damaged.write_bytes(b">a\nACG1\n")
    good.write_bytes(b">a\nACGT\n")
    assert wavediff.compare(quote, quote).identical
    found = wavediff.compare(quote, damaged, method="lines")
    assert found.a.letters.tobytes() == b"# Title\n\n> a quote"
    with pytest.warns(UserWarning, match="digits are not letters"):
        text = wavediff.read(damaged)
    for pair in ((text, good), (damaged, good), (good, quote)):
        with pytest.raises(wavediff.WavediffError):
            wavediff.compare(*pair)
    assert wavediff.compare("acgt\nAC", "ACGT\nAC", method="lines").b.alphabet == "text"

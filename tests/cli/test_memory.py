"""What is said when memory ends: what of the options of this command would need less."""

import pytest

from tests.cli.helpers import call, trouble


@pytest.mark.parametrize(
    ("words", "says", "not_said"),
    [
        ("compare A A --method lcs", "--traceback hirschberg needs less, --traceback none least", "--limit"),
        ("compare A A --method lcs --traceback hirschberg", "--traceback none least", "hirschberg"),
        ("compare A A", "--traceback none least", "hirschberg"),
        ("compare A A --traceback none", "free memory, or take shorter sequences", "--traceback"),
        ("race A A --kernels cpu", "--no-alignment needs less", "none"),
        ("race A A --kernels cpu --no-alignment", "free memory", "--traceback"),
        ("batch A A", "fewer records", "--traceback"),
        ("search A --pattern C", "--limit N keeps fewer hits", "--traceback"),
        ("bwt A --suffix-array -", "without --suffix-array it needs less", "--traceback"),
        ("bwt A", "free memory", "--suffix-array"),
        ("find A C", "--limit N locates fewer hits", "--traceback"),
        ("find A C --count-only", "free memory", "--limit"),
    ],
)
def test_the_advice_is_of_the_command(files, capsys, monkeypatch, words, says, not_said):
    def full(*_, **__):
        raise MemoryError

    monkeypatch.setattr("wavediff.app.commands.command.run_job", full)
    asked = [files / "a.fa" if word == "A" else word for word in words.split()]
    answer = call(capsys, *asked, "--quiet")
    trouble(answer, "wavediff: out of memory; ", says)
    assert not_said not in answer[2]

"""What is said when memory ends: what of the options of this command would need less."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.helpers import call, trouble


@pytest.mark.parametrize(
    ("words", "says", "not_said"),
    [
        ("compare A A", "--path hirschberg needs less, --path none least", "--limit"),
        ("compare A A --path hirschberg", "--path none least", "hirschberg"),
        ("compare A A --method edit", "--path none least", "hirschberg"),
        ("compare A A --path none", "free memory, or take shorter sequences", "--path"),
        ("race A A --kernels cpu", "--path no needs less", "none"),
        ("race A A --kernels cpu --path no", "free memory", "--path"),
        ("batch A A", "fewer records", "--path"),
        ("search A --pattern C", "--limit N keeps fewer hits", "--path"),
        ("bwt A --suffixes -", "without --suffixes it needs less", "--path"),
        ("bwt A", "free memory", "--suffixes"),
        ("find A C", "--limit N locates fewer hits", "--path"),
        ("find A C --count", "free memory", "--limit"),
    ],
)
def test_the_advice_is_of_the_command(
    files: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    words: str,
    says: str,
    not_said: str,
) -> None:
    def full(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr("app.commands.inputs.run_job", full)
    asked = [files / "a.fa" if word == "A" else word for word in words.split()]
    answer = call(capsys, *asked, "--quiet")
    trouble(answer, "wavediff: out of memory; ", says)
    assert not_said not in answer[2]

"""Words that the project no longer uses: plain ones of the field take their place. Their number may only fall."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
RETIRED = {  # word -> what to write
    r"deeds?": "action",
    r"somebody|a person": "you, the user",
    r"nobody": "no one, or name who",
    r"told|tells": "reported, shows",
    r"looked for": "searched",
    r"hand(s|ed)? on": "pass",
    r"in vain": "without effect",
    r"anew": "again",
    r"wherever|whoever|whatever": "where, who, what",
    r"one's own|of (its|their) own": "own",
    r"the way back": "traceback, inverse",
    r"beside": "next to, with",
}
MOST = 670


def uses():
    """Return (file, word) of each use in sources and pages."""
    pattern = re.compile(rf"\b({'|'.join(RETIRED)})\b", re.IGNORECASE)
    files = [*ROOT.glob("*.md"), *ROOT.glob("resources/docs/*.md")]
    files += [path for part in ("app", "core", "gpu") for path in (ROOT / part).rglob("*.py")]
    for path in files:
        if path.name != "CHANGELOG.md":
            for found in pattern.finditer(path.read_text(encoding="utf-8")):
                yield path.relative_to(ROOT).as_posix(), found[0].lower()


def test_retired_words_become_fewer():
    found = [*uses()]
    assert len(found) <= MOST, f"{len(found)} uses, {MOST} were there; the plain words: {RETIRED}"

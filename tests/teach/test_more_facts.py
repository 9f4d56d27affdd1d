"""Facts of the lessons on gaps, lines and measured results, computed again: nothing of the program is imported."""

import re
import tomllib
from itertools import combinations, product
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "lessons"


def parts(name):
    (path,) = FOLDER.glob(f"*-{name}.toml")
    return tomllib.loads(path.read_text("utf-8"))["part"]


def alignments(a, b):
    """Every alignment: which letters of both stand in pairs, and between two pairs the letters of A or of B first."""
    for size in range(min(len(a), len(b)) + 1):
        for rows, cols in product(combinations(range(len(a)), size), combinations(range(len(b)), size)):
            found, before = [("", "")], (0, 0)
            for i, j in [*zip(rows, cols, strict=True), (len(a), len(b))]:
                x, y = a[before[0] : i], b[before[1] : j]
                gaps = {(x + "-" * len(y), "-" * len(x) + y), ("-" * len(y) + x, y + "-" * len(x))}
                pair = (a[i : i + 1], b[j : j + 1])
                found = [(one + up + pair[0], other + down + pair[1]) for one, other in found for up, down in gaps]
                before = i + 1, j + 1
            yield from found


def cost(one, other, part):
    total, gap = 0, ""
    for x, y in zip(one, other, strict=True):
        now = "a" if y == "-" else "b" if x == "-" else ""
        if now:
            total += part["inputs"]["extension" if now == gap else "opening"]
        else:
            total += part["inputs"]["mismatch"] * (x != y)
        gap = now
    return total


def test_gaps_that_cost_more_to_open():
    first, second = parts("affine")
    for part in (first, second):
        costs = {two: cost(*two, part) for two in alignments(part["a"], part["b"])}
        least = min(costs.values())
        assert part["expect"]["answer"] == least
        best = sorted(list(two) for two, each in costs.items() if each == least)
        assert part["expect"]["alignments"] == best
        assert part["expect"]["paths"] == len(best)
    ends = {"M": lambda x, y: "-" not in x + y, "X": lambda x, y: y == "-", "Y": lambda x, y: x == "-"}
    for name, fits in ends.items():
        for i, j in product(range(1, 6), range(1, 4)):
            some = alignments(first["a"][:i], first["b"][:j])
            least = min(cost(*two, first) for two in some if fits(two[0][-1], two[1][-1]))
            assert first["expect"][f"rows {name}"][i][j] == least


def test_lines_and_words_of_a_diff():
    cut = {"line": lambda text: text.split("\n"), "word": lambda text: re.split(r"(\W)", text), "letter": list}
    for part in parts("diff"):
        a, b = (cut[part["inputs"]["by"]](part[side]) for side in "ab")
        kept = max(
            (
                list(zip(rows, cols, strict=True))
                for size in range(min(len(a), len(b)) + 1)
                for rows, cols in product(combinations(range(len(a)), size), combinations(range(len(b)), size))
                if all(a[i] == b[j] for i, j in zip(rows, cols, strict=True))
            ),
            key=len,
        )
        assert part["expect"]["answer"] == len(kept)
        lines, at = [], (0, 0)
        for i, j in [*kept, (len(a), len(b))]:
            lines += [f"- {token}" for token in a[at[0] : i]] + [f"+ {token}" for token in b[at[1] : j]]
            lines += [f"  {token}" for token in a[i : i + 1]]
            at = i + 1, j + 1
        assert [line.replace("␣", " ") for line in part["expect"]["diff"]] == lines
    first = parts("diff")[0]
    assert (first["expect"]["deleted"], first["expect"]["inserted"]) == (1, 1)


def results(name):
    return [part["inputs"] for part in parts(name) if part["method"] == "results"]


def test_figures_of_papers_agree_with_what_their_texts_say_of_them():
    (table, _) = results("lcs-results")  # Kawanami and Fujimoto, Table 2: its last column
    assert [round(row["figures"][0] / row["figures"][1], 2) for row in table["rows"]] == [5.66, 7.89, 9.95, 12.77]
    (contest,) = results("edit-blocks")  # Sudo and Shinohara: the limits of the contest, and problems 2, 8 and 9
    for k, row in enumerate(contest["rows"], 1):
        n, m, distance = row["n"], row["m"], int(row["figures"][0].replace(",", ""))
        assert n * m <= 2**34
        assert n % 128 == m % 128 == 0
        assert row["what"] == f"{k}: {n:,} × {m:,}"
        assert (distance == m - n) == (k in (2, 8, 9))
        assert row.get("edits", distance) == distance
    hundred, one = results(
        "swap-pairs"
    )  # Kim, Na and Sim: 10 to 14 times, 2.6 times, 2.4 to 3.6 times, 0.649 s, 2.9 times
    assert [round(row["figures"][0] / row["figures"][2], 1) for row in hundred["rows"]] == [14.1, 10.5]
    assert round(hundred["rows"][1]["figures"][1] / hundred["rows"][1]["figures"][2], 1) == 2.6
    assert [round(row["figures"][0] / row["figures"][2], 1) for row in one["rows"]] == [2.4, 3.6]
    assert round(0.1 * one["rows"][1]["figures"][2], 3) == 0.649
    assert round(0.649 / hundred["rows"][1]["figures"][2], 1) == 2.9
    (search,) = results(
        "search-pieces"
    )  # Kusudo, Ino and Hagihara: twice by padding, patterns of 26 to 28, q of 8 and 10
    assert all(row["figures"][0] == 2 * row["figures"][1] for row in search["rows"])
    english, cyclic = (row["patterns"] for row in search["rows"][1:])
    assert {len(one) for one in search["of"]["patterns"]} <= {26, 27, 28}
    assert (len(english), len(cyclic), {len(one) for one in cyclic}) == (8, 10, {20})
    assert {one.upper() for one in cyclic} == {(2 * "ABCDEFGHIJ" * 2)[k : k + 20] for k in range(10)}


def test_a_subsequence_pieces_and_dummies():
    part = parts("edit-blocks")[0]
    rest = iter(part["b"])
    found = sum(letter in rest for letter in part["a"])
    assert (part["expect"]["found"], part["expect"]["inserted"]) == (found, len(part["b"]) - len(part["a"]))
    pieces, dummies = parts("search-pieces")[:2]
    text, patterns, expect = pieces["a"], pieces["b"].split(), pieces["expect"]
    starts = {(at, one) for one in patterns for at in range(len(text)) if text.startswith(one, at)}
    size = len(text) // pieces["inputs"]["threads"]
    whole = {(at, one) for at, one in starts if at // size == (at + len(one) - 1) // size}
    assert (expect["hits"], expect["hits alone"]) == (len(starts), len(whole))
    assert expect["overlap"] == max(map(len, patterns)) - 1
    assert expect["read"] == len(text) + 3 * expect["overlap"]
    text, patterns, expect = dummies["a"], dummies["b"].split(), dummies["expect"]
    hits = sum(text.startswith(one, at) for one in patterns for at in range(len(text)))
    short = [one for one in patterns if len(one) < max(map(len, patterns))]
    ended = sum(text.startswith(one, at) for one in short for at in range(len(text)))
    assert (expect["hits"], expect["short"]) == (hits, len(short))
    assert expect["false hits"] == len(short) * len(text) - ended


def test_borders_of_blocks_and_places_in_memory():
    part = parts("edit-blocks")[1]
    a, b, (h, w) = part["a"], part["b"], part["block"]
    table = [[max(i, j) for j in range(len(b) + 1)] for i in range(len(a) + 1)]
    for i, j in product(range(1, len(a) + 1), range(1, len(b) + 1)):
        table[i][j] = min(table[i - 1][j] + 1, table[i][j - 1] + 1, table[i - 1][j - 1] + (a[i - 1] != b[j - 1]))
    assert part["expect"]["answer"] == table[-1][-1]
    for name, (top, left) in {"borders 1": (0, 0), "borders 4": (h, w)}.items():
        end, right = min(top + h, len(a)), min(left + w, len(b))
        down = [[table[i][j] - table[i - 1][j] for i in range(top + 1, end + 1)] for j in (left, right)]
        across = [[table[i][j] - table[i][j - 1] for j in range(left + 1, right + 1)] for i in (top, end)]
        for word, steps in (("V", down), ("gH", across)):
            for sign, letter in ((1, "P"), (-1, "N")):
                told = ["".join("01"[step == sign] for step in line) for line in steps]
                assert part["expect"][name][word + letter] == told
    for part in parts("swap-pairs")[:1]:
        rows, cols, segment = (part["inputs"][name] for name in ("rows", "cols", "segment"))
        diagonals = [[(i, d - i) for i in range(rows) if 0 <= d - i < cols] for d in range(rows + cols - 1)]
        place = {cell: k for k, cell in enumerate(cell for cells in diagonals for cell in cells)}
        assert part["expect"]["by rows"] == sum(len({(i * cols + j) // segment for i, j in one}) for one in diagonals)
        assert part["expect"]["by antidiagonals"] == sum(
            len({place[cell] // segment for cell in one}) for one in diagonals
        )
    part = parts("swap-pairs")[1]
    cycles = 2 * part["inputs"]["letters"] - 1
    assert part["expect"] == {"cycles": cycles, "together": 13 * cycles, "one by one": 100 * cycles}

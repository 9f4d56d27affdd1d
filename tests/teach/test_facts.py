"""Facts of the lessons, computed again: nothing of the program is imported, its files of lessons are read alone."""

import tomllib
from functools import lru_cache
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "resources" / "lessons"


def parts(name):
    (path,) = FOLDER.glob(f"*-{name}.toml")
    return tomllib.loads(path.read_text("utf-8"))["part"]


def filled(a, b, edge, rule):
    table = [[edge(i, j) for j in range(len(b) + 1)] for i in range(len(a) + 1)]
    for i in range(1, len(a) + 1):
        for j in range(1, len(b) + 1):
            table[i][j] = rule(table, i, j)
    return table


def lengths(a, b):
    return filled(
        a, b, lambda i, j: 0,
        lambda t, i, j: t[i - 1][j - 1] + 1 if a[i - 1] == b[j - 1] else max(t[i - 1][j], t[i][j - 1]),
    )  # fmt: skip


def distances(a, b, outside=lambda i, j: False):
    def rule(t, i, j):
        if outside(i, j):
            return 10**6
        return min(t[i - 1][j] + 1, t[i][j - 1] + 1, t[i - 1][j - 1] + (a[i - 1] != b[j - 1]))

    return filled(a, b, lambda i, j: 10**6 if outside(i, j) else i + j if i * j == 0 else 0, rule)


def ways(a, b):
    table = lengths(a, b)

    @lru_cache(None)
    def count(i, j):
        if table[i][j] == 0:
            return 1
        found = count(i - 1, j - 1) if a[i - 1] == b[j - 1] else 0
        found += count(i - 1, j) if table[i - 1][j] == table[i][j] else 0
        return found + (count(i, j - 1) if table[i][j - 1] == table[i][j] else 0)

    return count(len(a), len(b))


def test_lengths_and_their_paths():
    first, second = parts("lcs-table")
    table, expect = lengths(first["a"], first["b"]), first["expect"]
    assert [expect[f"row {i}"] for i in range(6)] == table
    assert expect["paths"] == ways(first["a"], first["b"])
    assert second["expect"]["answer"] == lengths(second["a"], second["b"])[-1][-1]


def test_words_are_the_growth_of_a_column():
    for part in parts("lcs-words"):
        table = lengths(part["a"], part["b"])
        rows, columns = range(1, len(part["a"]) + 1), range(1, len(part["b"]) + 1)
        grown = ["".join("01"[table[i][j] == table[i - 1][j]] for i in rows) for j in columns]
        assert part["expect"]["word V'"] == grown
    (part,) = parts("edit-words")
    table = distances(part["a"], part["b"])
    rows, columns = range(1, 7), range(1, 8)
    steps = {
        "D0": lambda i, j: table[i][j] == table[i - 1][j - 1], "HP": lambda i, j: table[i][j] == table[i][j - 1] + 1,
        "HN": lambda i, j: table[i][j] == table[i][j - 1] - 1, "VP": lambda i, j: table[i][j] == table[i - 1][j] + 1,
        "VN": lambda i, j: table[i][j] == table[i - 1][j] - 1,
    }  # fmt: skip
    for name, is_set in steps.items():
        word = ["".join("01"[is_set(i, j)] for i in rows) for j in columns]
        assert part["expect"][f"word {name}"] == word


def test_distances():
    (part,) = parts("edit-table")
    table = distances(part["a"], part["b"])
    assert (part["expect"]["row 6"], part["expect"]["D[5,5]"]) == (table[-1], table[5][5])


def test_blocks_take_and_hand_on_the_steps_of_lengths():
    part = parts("lcs-blocks")[1]
    table, expect = lengths(part["a"], part["b"]), part["expect"]
    for j in (4, 8, 12, 16):
        grown = ["".join("01"[table[i][j] == table[i - 1][j]] for i in range(r, r + 4)) for r in (1, 5, 9)]
        assert expect[f"V after {j}"] == grown
    for i in (4, 8):
        assert expect[f"carries below {i}"] == "".join(str(table[i][j] - table[i][j - 1]) for j in range(1, 17))


def test_bands():
    first, second, _ = parts("band")
    inside = sum(abs(i - j) <= 8 for i in range(16) for j in range(16))
    assert first["expect"]["cells 16"] == inside
    for u in (1, 2, 4, 8):
        table = distances(second["a"], second["b"], lambda i, j, half=u // 2: abs(i - j) > half)
        assert second["expect"][f"value {u}"] == table[-1][-1]
        assert second["expect"][f"cells {u}"] == sum(abs(i - j) <= u // 2 for i in range(12) for j in range(12))


def test_furthest_rows():
    (part,) = parts("diagonals")
    a, b, expect = part["a"], part["b"], part["expect"]
    table = distances(a, b)
    for e in range(expect["answer"] + 1):
        inside = [(i, i + d) for d in range(-e, e + 1) for i in range(len(a) + 1) if 0 <= i + d <= len(b)]
        rows = {j - i: i for i, j in inside if table[i][j] <= e}
        assert [rows[d] for d in sorted(rows)] == expect[f"rows {e}"]


def test_blocks_of_a_queue():
    for part in parts("queue")[:2]:
        rows, cols, workers = (part["inputs"][name] for name in ("rows", "cols", "workers"))
        done, step = {}, 0
        while len(done) < rows * cols:
            step += 1
            ready = [
                (i + j, i, j) for i in range(rows) for j in range(cols) if (i, j) not in done
                and (not i or (i - 1, j) in done) and (not j or (i, j - 1) in done)
            ]  # fmt: skip
            done |= {(i, j): step for _, i, j in sorted(ready)[:workers]}
        assert [[done[i, j] for j in range(cols)] for i in range(rows)] == [
            part["expect"][f"row {i}"] for i in range(1, rows + 1)
        ]


def test_states_and_hits():
    (part,) = parts("shift-or")
    text, pattern, expect = part["a"], part["b"], part["expect"]
    ends = [text[:k].endswith(pattern) for k in range(1, len(text) + 1)]
    assert expect["hits"] == [k for k, is_end in enumerate(ends, 1) if is_end]
    for k, state in enumerate(expect["states"], 1):
        fits = [text[:k].endswith(pattern[:i]) for i in range(len(pattern), 0, -1)]
        assert state == "".join("10"[fit] for fit in fits)


def test_rotations_and_intervals():
    part, walk = parts("rotations")
    text = part["a"] + "$"
    order = sorted(range(len(text)), key=lambda at: text[at:])
    last = "".join(text[at - 1] for at in order)
    assert (part["expect"]["rows"], part["expect"]["L"]) == (order, last)
    assert walk["expect"]["LF"] == [order.index((at - 1) % len(text)) for at in order]
    for part in (parts("backward")[0], parts("backward")[2]):
        text, pattern = part["a"] + "$", part["b"]
        suffixes = sorted(text[at:] for at in range(len(text)))
        for k, (low, high) in enumerate(part["expect"]["intervals"]):
            those = [row for row, suffix in enumerate(suffixes) if suffix.startswith(pattern[len(pattern) - k :])]
            assert (low, high) == (those[0], those[-1] + 1)


def test_swaps():
    part = parts("swaps")[0]
    a, b = part["a"], part["b"]

    def rule(t, i, j):
        terms = [t[i - 1][j] + 1, t[i][j - 1] + 1, t[i - 1][j - 1] + (a[i - 1] != b[j - 1])]
        p, q = a.rfind(b[j - 1], 0, i - 1) + 1, b.rfind(a[i - 1], 0, j - 1) + 1
        if p and q:
            terms.append(t[p - 1][q - 1] + (i - p - 1) + 1 + (j - q - 1))
        return min(terms)

    table = filled(a, b, lambda i, j: i + j if i * j == 0 else 0, rule)
    assert [part["expect"][f"row {i}"] for i in range(7)] == table


def test_dots_of_both_strands():
    for part in parts("dots"):
        a, b, k = part["a"], part["b"], part["inputs"]["k"]
        other = b.translate(str.maketrans("ACGT", "TGCA"))
        pairs = [(i, j) for i in range(len(a) - k + 1) for j in range(len(b) - k + 1)]
        plus = {(i + 1, j + 1, 1) for i, j in pairs if a[i : i + k] == b[j : j + k]}
        minus = {(i + 1, j + k, -1) for i, j in pairs if a[i : i + k] == other[j : j + k][::-1]}
        found = {tuple(dot) for dot in part["expect"]["dots"]}
        assert {dot for dot in found if dot[2] == 1} == plus
        assert len(found) == len(plus | (minus if part["inputs"].get("strands") == 2 else set()))

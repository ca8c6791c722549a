"""Hostile files of cases for the referee, and the referee's answers to them.

Each file is one or two cases of `spec/referee/` with lines dropped, doubled, swapped and moved, and
with words replaced by words of the notation, cards of any game, numbers out of all bounds and
strange characters. `python -m tests.fuzz_decoders --only "case files"` tries many.
"""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from client.cli.commands.referee import report_as_json, report_as_text
from engine.errors import NotationError
from engine.notation.referee import reports

ROOT = Path(__file__).parents[1]
_NOTATION = """
try play deal count expect drawn dispute case note canasta kanastic canastra option totals dealer
shuffled turn hand pile meld bonus stock debts asks vain discards waiting rebuilds deads deadtaken
barred idle show open draw over answer drew took fresh yes no out top take ask pass cut discard to
low none legal illegal undecided answered silent seats score item total winner target penalties
misdeal exposed C37 K23 B13 X11 C999 + ^ # ? ! : ^Kh Kh Kd Ks:2 Kg As Ag Ar Sw Sh Po Jo 3h 3s 2c 10d
0 1 2 3 4 5 11 108 999 -1 -99999999 99999999999999999999 1e9
"""
_STRANGE = [
    *("K\u2665", "\u2660", "\u0663", "\uff2b\uff53", "\x00"),
    *("\x1b[2J", "\u202e", "\u00e9", "\ufdfd"),
]
WORDS = (*_NOTATION.split(), *_STRANGE)


def cases_of_the_spec() -> list[list[str]]:
    """Return the lines of every case in `spec/referee/`."""
    found: list[list[str]] = []
    for path in sorted((ROOT / "spec" / "referee").glob("*.txt")):
        for line in path.read_text("utf-8").splitlines():
            if line.startswith("case "):
                found.append([])
            if found and line and not line.startswith("#"):
                found[-1].append(line)
    return found


def hostile(rng: random.Random, cases: Sequence[Sequence[str]]) -> str:
    """Return a file of a few cases with a few changes."""
    lines = [line for _ in range(rng.randint(1, 2)) for line in rng.choice(cases)]
    for _ in range(rng.choice((0, 1, 1, 2, 3, 5, 8))):
        place = rng.randrange(len(lines))
        other = rng.randrange(len(lines))
        match rng.randrange(8):
            case 0 if len(lines) > 1:
                del lines[place]
            case 1:
                lines.insert(place, lines[other])
            case 2:
                lines[place], lines[other] = lines[other], lines[place]
            case 3:
                lines.insert(place, " ".join(rng.choices(WORDS, k=rng.randint(1, 6))))
            case 4:
                lines[place] = "".join(rng.choices(lines[place] or " ", k=len(lines[place])))
            case 5:
                lines[place] = lines[place][: rng.randint(0, len(lines[place]))]
            case _:
                words = lines[place].split() or [""]
                words[rng.randrange(len(words))] = rng.choice(WORDS)
                lines[place] = " ".join(words)
    return rng.choice(("\n", "\n", "\r\n")).join(lines)


def judged(text: str) -> Iterator[str]:
    """Return a word for each ruling and each problem of a file.

    The answer is also written as text and as JSON, which may not fail.
    """
    try:
        for report in reports(text):
            for told in (report_as_text, report_as_json):
                for _ in told(report, show=True):
                    pass
            yield from (ruling.verdict.value for ruling in report.rulings)
            if report.problem is not None:
                yield "bad line"
    except NotationError:
        yield "bad file"

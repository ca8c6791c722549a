"""Transcripts: text files of cases with the referee's answers.

Lines without an indent are cases, divided by empty lines; a case that begins with a game needs no
name. The indented line below a line that is judged is the answer, and is generated:
`python -m tests.engine.notation.golden_answers` rewrites the answers in all files. Read the
difference before you commit it. Where the referee names all games, an answer has "(all games)", so
that a new game changes no file.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from engine.errors import NotationError
from engine.games import GAMES
from engine.notation.referee import reports
from engine.notation.rulings import Expectation, Ruling
from tests.engine.clauses import CLAUSES

FILES = sorted((Path(__file__).parent / "transcripts").glob("*.txt"))


def written(text: str) -> str:
    """Return the cases with the answers that the referee gives today."""
    asked = re.sub("^    .*\n", "", text, flags=re.MULTILINE)
    return "\n".join(_answered(case) for case in asked.rstrip().split("\n\n"))


def _answered(case: str) -> str:
    lines = case.splitlines()
    if all(line.startswith("#") for line in lines):
        return f"{case}\n"
    answers = defaultdict[int, list[str]](list)
    try:
        (report,) = reports(case, CLAUSES)
    except NotationError as error:
        answers[len(lines)].append(_told(error))
    else:
        for ruling in report.rulings:
            answers[ruling.line] += _ruled(ruling)
            after = (n for n, line in enumerate(lines, 1) if n > ruling.line and "expect" in line)
            for number, expectation in zip(after, ruling.expectations, strict=False):
                answers[number].append(_compared(expectation))
        if report.problem is not None:
            answers[len(lines)].append(_told(report.problem))
    told = ((line, *(f"    {answer}" for answer in answers[n])) for n, line in enumerate(lines, 1))
    return "".join(f"{line}\n" for group in told for line in group)


def _told(error: NotationError) -> str:
    return f"cannot be read: {error}".replace(", ".join(GAMES), "(all games)")


def _ruled(ruling: Ruling) -> Iterator[str]:
    why = ruling.why or ruling.after or "; ".join(map(str, ruling.say))
    yield f"{ruling.verdict.value} {ruling.clause}".rstrip() + f": {why}"
    if ruling.hint is not None:
        yield f"hint: {ruling.hint}"
    if ruling.sheet is not None:
        out = ruling.sheet.closer
        who = "nobody" if out is None else f"seat {out + 1}"
        yield f"score {' '.join(map(str, ruling.sheet.totals))}; {who} went out"


def _compared(expectation: Expectation) -> str:
    if expectation.met is None:
        return "undecided"
    return "so it is" if expectation.met else f"no: {expectation.found}"


if __name__ == "__main__":
    for path in FILES:
        print(path.name)
        path.write_text(written(path.read_text("utf-8")), "utf-8")

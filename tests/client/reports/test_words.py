"""Sentences of reports, compared with a file: verdicts, seats, results, and score sheets.

`python -m tests.update_golden_files` writes the file anew.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from attrs import evolve

from client.reports import words
from client.reports.luck.report import Look
from client.reports.model import AuditReport, CardCount, Continuation
from client.reports.score_sheet import result_sentence, sheet_lines, sheet_sentences
from client.reports.text import look_line
from engine.score_sheet import Item, ScoreSheet
from engine.sentences import N_, Sentence
from protocol.audit import Exposure, Verdict
from tests.client.reports.audited import audited
from tests.client.ui.tui.golden import check_file
from tests.protocol.played import played

FILE = Path(__file__).parent / "texts" / "sentences.txt"
WHY = Sentence("It is so.")

ENDS: tuple[tuple[str, dict[str, Any]], ...] = (
    ("SOUND", {}),
    ("ENDED", {}),
    ("UNFINISHED", {"entry": 30}),
    ("UNFINISHED", {"entry": 30, "unsigned": (0, 1)}),
    ("UNFINISHED", {"entry": 30, "unsigned": (1,)}),
    ("BROKEN", {"entry": 0, "cause": "R3"}),
    ("BROKEN", {"entry": 1, "unsigned": (0, 1), "given_up": "Ana"}),
    ("BROKEN", {"entry": 5, "unsigned": (1,)}),
    ("NEWER", {"entry": 1200}),
    ("EXPOSED", {"entry": 3, "cause": "shuffle:sum", "player": 0}),
    ("EXPOSED", {"entry": 3, "cause": "unlock:dleq", "player": 1}),
    ("EXPOSED", {"entry": 3, "cause": "C1", "player": 1}),
    *(("ILLEGAL", {"entry": 3, "cause": cause, "player": 1}) for cause in ("R19", "X10", "C26")),
)
CONTINUED: tuple[dict[str, Any], ...] = (
    {"ends": False},
    {"ends": True},
    {"left": ()},
    {"ends": False, "counted": True},
    {"ends": True, "closed": True, "counted": True},
)
COUNT = CardCount(108, 0, 0, 0, 0, 0, ())
COUNTS = (
    COUNT,
    CardCount(10, 0, 1, 2, 95, 0, (), closed=7),
    evolve(COUNT, missing=2),
    evolve(COUNT, twice=(7,)),
    evolve(COUNT, missing=1, twice=(7,)),
)
SHEET = ScoreSheet(
    ((Item(N_("cards melded"), 3, 45, "C90"), Item(N_("going out"), 1, 1100, "C91")), (), ()), None
)
LOOK = Look("canasta", 0, "dealt", "ranks", "chi-squared", 1440, 3.25, 0.00012, 0.0012)


def ending(verdict: Verdict, **more: Any) -> AuditReport:
    """Return a report with that verdict; `more` are fields of its conclusion."""
    report = audited()
    end = evolve(report.conclusion, verdict=verdict, sentence=WHY, **more)
    return evolve(report, conclusion=end)


def test_sentences_match_their_file() -> None:
    lines = ["=== counted cards", *map(words.count_sentence, COUNTS)]
    for section in (
        *(verdicts, exposed_players, continuations, results, seats_and_titles, score_sheets),
        chances_of_luck,
    ):
        lines += [f"=== {section.__name__.replace('_', ' ')}", *section()]
    check_file(FILE, "\n".join(lines))


def verdicts() -> Iterator[str]:
    for verdict, facts in ENDS:
        yield " ".join((verdict, *(f"{name}={value}" for name, value in facts.items())))
        yield f"    {words.verdict_sentence(ending(Verdict[verdict], **facts))}"
    for verdict in ("ENDED", "SOUND"):  # only the sentence of ENDED names entry 77
        yield f"{verdict}, in a match that its players ended in entry 77"
        report = evolve(ending(Verdict[verdict], entry=77), ended=True)
        yield f"    {words.verdict_sentence(report)}"


def exposed_players() -> Iterator[str]:
    """Return sentences about the players whom the verdict does not name."""
    own = Exposure(7, "C1", 0, bytes(32), "Ana", WHY)
    more = (
        Exposure(8, "C1", 1, bytes(32), "Bruno", WHY),
        Exposure(9, "C2", 1, bytes(31) + b"\1", "", WHY, illegal=True),
        Exposure(1000, "C26", 1, bytes(32), "Bruno", WHY, illegal=True),
    )
    yield "the verdict names Ana"
    report = ending(Verdict.EXPOSED, entry=7, cause="C1", player=0, exposed=(own, *more))
    yield from (f"    {line}" for line in words.exposures(report))
    yield "the verdict is sound"
    yield from (
        f"    {line}" for line in words.exposures(ending(Verdict.SOUND, entry=7, exposed=(own,)))
    )


def continuations() -> Iterator[str]:
    ana, bruno = audited().rounds[1].players
    olga = evolve(ana, name="Olga")
    for facts in CONTINUED:
        substitutes = (olga,) if facts.get("ends") is False else ()
        one = Continuation(1100, (0,), (ana,), (bruno, olga), substitutes)
        yield words.continuation_sentence(evolve(one, **facts))


def results() -> Iterator[str]:
    report = evolve(audited(), totals=(1200, -30), winner=1, over=True)
    assert report.table is not None
    yield f"won: {words.result(report)}"
    yield f"not over: {words.result(evolve(report, over=False))}"
    yield f"drawn: {words.result(evolve(report, winner=None))}"
    yield f"without the draw: {words.result(evolve(report, rounds=report.rounds[1:]))}"
    for none in (
        evolve(report, table=evolve(report.table, sides=())),
        evolve(report, table=None),
        evolve(report, rounds=report.rounds[:1]),
    ):
        assert words.result(none) == ""
    match = evolve(played().table.state.match, totals=(300, 1500, 100))
    for ended in (match, evolve(match, totals=(300, 300))):
        yield f"at the table: {result_sentence(ended, ('Ana', 'Bruno', 'Carla'))}"


def seats_and_titles() -> Iterator[str]:
    table = audited().table
    assert table is not None
    for seat, upto in ((0, None), (0, 9), (None, None), (None, 1200)):
        yield words.seat_words(evolve(table.players[0], seat=seat), upto)
    yield from (words.title_of(place, void=void) for place in (0, 2) for void in (False, True))
    yield from map(words.option_words, (True, False, 1, 5000))


def score_sheets() -> Iterator[str]:
    """Return a sheet as a table to look at and as sentences to listen to, and an empty sheet."""
    sides = ("Ana", "Bruno & Carla", "Eve")
    yield from sheet_lines(SHEET, (2145, 20, -5), sides, "Hand")
    yield from sheet_sentences(SHEET, (2145, 20, -5), sides)
    yield from sheet_lines(ScoreSheet(((), ()), None), (0, 5), ("Ana", "Bruno"), "Hand")


def chances_of_luck() -> Iterator[str]:
    yield look_line(LOOK)
    yield look_line(evolve(LOOK, what="wild cards", p=0.5, corrected=1.0))
    yield look_line(evolve(LOOK, p=None, corrected=None))


# -- names


def test_a_side_is_shown_in_the_colour_of_its_first_seat() -> None:
    table = audited().table
    assert table is not None
    one = table.players[0]
    seats = [(3, 1), (2, 0), (1, 1), (0, 0)]  # seat and side of each player
    four = evolve(table, players=tuple(evolve(one, seat=at, side=side) for at, side in seats))
    assert [four.first_of(side) for side in (0, 1)] == [3, 2]


def test_the_last_name_is_that_of_a_substitute_who_came_while_hands_were_opened() -> None:
    counted = audited().rounds[1]
    ana, bruno = counted.players
    olga = evolve(ana, name="Olga")
    closed = Continuation(5, (0,), (ana,), (bruno,), (olga,), closed=True)
    one = evolve(counted, continuations=(closed,))
    assert (one.last_name(0), one.last_name(1)) == ("Olga", "Bruno")
    for none in ((), (evolve(closed, closed=False),), (evolve(closed, substitutes=()),)):
        assert evolve(counted, continuations=none).last_name(0) == "Ana"

"""Sentences of reports, whole: verdicts, exposures, seats, results, and score sheets."""

from typing import Any

import pytest
from attrs import evolve

from client.reports.luck.report import Look
from client.reports.model import AuditReport, CardCount, Continuation
from client.reports.score_sheet import result_sentence, sheet_lines, sheet_sentences
from client.reports.text import look_line
from client.reports.words import (
    CAUTION,
    continuation_sentence,
    count_sentence,
    exposures,
    option_words,
    result,
    seat_words,
    title_of,
    verdict_sentence,
)
from engine.score_sheet import Item, ScoreSheet
from engine.sentences import N_, Sentence
from protocol.audit import Exposure, Verdict
from tests.client.reports.audited import audited
from tests.protocol.played import played

WHY = Sentence("It is so.")
SO_FAR = "sound so far. Every entry up to 30 holds"


def ending(verdict: Verdict, **more: Any) -> AuditReport:
    """Return a report with that verdict; `more` are fields of its conclusion."""
    report = audited()
    end = evolve(report.conclusion, verdict=verdict, sentence=WHY, **more)
    return evolve(report, conclusion=end)


@pytest.mark.parametrize(
    ("verdict", "more", "told"),
    [
        ("SOUND", {}, "sound. Every entry holds, and all have signed the end."),
        ("ENDED", {}, "ended early. Every entry holds, and all who stayed have signed the end."),
        ("UNFINISHED", {"entry": 30}, f"{SO_FAR}; the match goes on."),
        ("UNFINISHED", {"entry": 30, "unsigned": (0, 1)}, f"{SO_FAR}; the match goes on."),
        ("UNFINISHED", {"entry": 30, "unsigned": (1,)}, f"{SO_FAR}; not signed yet by Bruno."),
        ("BROKEN", {"entry": 0, "cause": "R3"}, "broken at the charter [R3]. It is so."),
        (
            "BROKEN",
            {"entry": 1, "unsigned": (0, 1), "given_up": "Ana"},
            (
                "broken at entry 1. It is so. The end is not signed by Ana and Bruno. "
                "The match was given up by Ana."
            ),
        ),
        (
            "BROKEN",
            {"entry": 5, "unsigned": (1,)},
            "broken at entry 5. It is so. The end is not signed by Bruno.",
        ),
        ("NEWER", {"entry": 1200}, "made by a newer program at entry 1,200. It is so."),
        (
            "EXPOSED",
            {"entry": 3, "cause": "shuffle:sum", "player": 0},
            (
                "Ana is exposed at entry 3 [shuffle:sum]. It is so. "
                "What fails is equation sum of the shuffle proof."
            ),
        ),
        (
            "EXPOSED",
            {"entry": 3, "cause": "unlock:dleq", "player": 1},
            (
                "Bruno is exposed at entry 3 [unlock:dleq]. It is so. "
                "What fails is equation dleq of the unlock proof."
            ),
        ),
        (
            "EXPOSED",
            {"entry": 3, "cause": "C1", "player": 1},
            (
                "Bruno is exposed at entry 3 [C1]. It is so. "
                "That is against clause C1 of the record's rules."
            ),
        ),
        *(
            (
                "ILLEGAL",
                {"entry": 3, "cause": cause, "player": 1},
                (
                    "Bruno has signed what is against the rules as this program knows them, "
                    f"at entry 3 [{cause}]. It is so. "
                    f"That is against clause {cause} of {where}. {CAUTION}"
                ),
            )
            for cause, where in (
                ("R19", "the record's rules"),
                ("X10", "the rules that all games share"),
                ("C26", "the rules of Canasta"),
            )
        ),
    ],
)
def test_each_verdict_has_its_sentence(verdict: str, more: Any, told: str) -> None:
    assert verdict_sentence(ending(Verdict[verdict], **more)) == f"Verdict: {told}"


def test_the_verdict_on_a_match_that_was_ended_early_names_the_entry() -> None:
    report = evolve(ending(Verdict.ENDED, entry=77), ended=True)
    assert verdict_sentence(report) == (
        "Verdict: ended early. Every entry holds. The match was ended in entry 77, "
        "before it was over."
    )


def test_only_the_verdict_ended_early_names_the_entry_that_ended_the_match() -> None:
    report = evolve(ending(Verdict.SOUND), ended=True)
    assert verdict_sentence(report) == verdict_sentence(ending(Verdict.SOUND))


def test_the_players_whom_the_verdict_does_not_name_are_exposed_one_by_one() -> None:
    own = Exposure(7, "C1", 0, bytes(32), "Ana", WHY)
    other = Exposure(8, "C1", 1, bytes(32), "Bruno", WHY)
    nobody = Exposure(9, "C2", 1, bytes(31) + b"\1", "", WHY, illegal=True)
    illegal = Exposure(1000, "C26", 1, bytes(32), "Bruno", WHY, illegal=True)
    report = ending(
        Verdict.EXPOSED, entry=7, cause="C1", player=0, exposed=(own, other, nobody, illegal)
    )
    key = f"{31 * '00'}01"
    assert list(exposures(report)) == [
        "Bruno is exposed in entry 8 [C1]; the others went on. It is so.",
        (
            f"A player without a seat in this record, whose key is {key}, is exposed in entry 9 "
            "[C2]: It is so."
        ),
        (
            "Bruno has signed what is against the rules, in entry 1,000 [C26]; the others went on. "
            f"It is so. {CAUTION}"
        ),
    ]
    sound = ending(Verdict.SOUND, entry=7, exposed=(own,))
    assert list(exposures(sound)) == [
        "Ana is exposed in entry 7 [C1]; the others went on. It is so."
    ]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"ends": False}, "go on without Ana; Olga takes the seat of Ana."),
        ({"ends": True}, "go on without Ana; the match ends here without Ana."),
        ({"left": ()}, "go on together; the round stands."),
        (
            {"ends": False, "counted": True},
            (
                "go on without Ana; Olga takes the seat of Ana and the round is counted as the "
                "cards lie (X25)."
            ),
        ),
        (
            {"ends": True, "closed": True, "counted": True},
            (
                "go on without Ana; the match ends here without Ana and the hand of Ana stays "
                "closed and counts as the worst that it could be (X24)."
            ),
        ),
    ],
)
def test_a_continuation_has_its_sentence(more: Any, told: str) -> None:
    ana, bruno = audited().rounds[1].players
    olga = evolve(ana, name="Olga")
    substitutes = (olga,) if more.get("ends") is False else ()
    one = Continuation(1100, (0,), (ana,), (bruno, olga), substitutes)
    assert continuation_sentence(evolve(one, **more)) == (
        f"Bruno and Olga have signed, in entry 1,100, to {told}"
    )


def test_seats_titles_and_options_are_put_into_words() -> None:
    table = audited().table
    assert table is not None
    ana, seatless = table.players[0], evolve(table.players[0], seat=None)
    assert ana.seat is not None
    assert seat_words(evolve(ana, seat=0)) == "seat 1"
    assert seat_words(evolve(ana, seat=0), 9) == "seat 1, until entry 9"
    assert seat_words(seatless) == "no seat yet"
    assert seat_words(seatless, 1200) == "until entry 1,200"
    assert [title_of(place, void=void) for place in (0, 2) for void in (False, True)] == [
        "The draw for seats",
        "The draw for seats, void",
        "Round 2",
        "Round 2, void",
    ]
    assert [option_words(value) for value in (True, False, 1, 5000)] == ["yes", "no", "1", "5,000"]


def test_the_result_names_points_and_winner() -> None:
    report = evolve(audited(), totals=(1200, -30), winner=1, over=True)
    assert report.table is not None
    names = report.table.sides
    points = f"Match points: {names[0]} 1,200, {names[1]} -30."
    assert result(report) == f"{points} The winner: {names[1]}."
    assert result(evolve(report, over=False)) == points
    assert result(evolve(report, winner=None)) == f"{points} The match is drawn."
    assert result(evolve(report, table=evolve(report.table, sides=()))) == ""
    assert result(evolve(report, table=None)) == ""
    assert result(evolve(report, rounds=report.rounds[:1])) == ""
    assert result(evolve(report, rounds=report.rounds[1:])) != ""


def test_cards_in_closed_hands_are_counted_among_the_unseen() -> None:
    count = CardCount(10, 0, 1, 2, 95, 0, (), closed=7)
    assert count_sentence(count) == (
        "108 cards: 10 melded, 1 in the pile, 2 opened in hands, 95 never seen "
        "(7 of them in hands that stay closed); every card once."
    )


# -- names and sheets


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
    names = [
        [one.last_name(player) for player in (0, 1)]
        for one in (
            counted,
            evolve(counted, continuations=(closed,)),
            evolve(counted, continuations=(evolve(closed, closed=False),)),
            evolve(counted, continuations=(evolve(closed, substitutes=()),)),
        )
    ]
    usual = ["Ana", "Bruno"]
    assert names == [usual, ["Olga", "Bruno"], usual, usual]


SHEET = ScoreSheet(
    ((Item(N_("cards melded"), 3, 45, "C90"), Item(N_("going out"), 1, 1100, "C91")), (), ()), None
)


def test_a_score_sheet_is_a_table_to_look_at_and_sentences_to_listen_to() -> None:
    sides = ("Ana", "Bruno & Carla", "Eve")
    assert list(sheet_lines(SHEET, (2145, 20, -5), sides, "Hand")) == [
        "Hand                   Ana  Bruno & Carla           Eve",
        "Cards melded        (3) 45              —             —",
        "Going out            1,100              —             —",
        "-------------------------------------------------------",
        "Round                1,145              0             0",
        "Match                2,145             20            -5",
    ]
    assert list(sheet_sentences(SHEET, (2145, 20, -5), sides)) == [
        "Cards melded: Ana (3) 45.",
        "Going out: Ana 1,100.",
        "Round: Ana 1,145, Bruno & Carla 0, Eve 0.",
        "Match: Ana 2,145, Bruno & Carla 20, Eve -5.",
    ]


def test_a_sheet_without_items_has_the_sums_alone() -> None:
    sheet = ScoreSheet(((), ()), None)
    assert sheet_lines(sheet, (0, 5), ("Ana", "Bruno"), "Hand") == (
        "Hand            Ana         Bruno",
        "---------------------------------",
        "Round             0             0",
        "Match             0             5",
    )


def test_the_end_of_a_match_names_the_winner_and_the_lead() -> None:
    match = played().table.state.match
    sides = ("Ana", "Bruno", "Carla")
    won = evolve(match, totals=(300, 1500, 100))
    assert won.winner == 1
    assert result_sentence(won, sides) == (
        "The match is over. Won by Bruno, with a lead of 1,200 points."
    )
    assert result_sentence(evolve(match, totals=(300, 300)), sides) == "The match is drawn."


def test_a_test_of_luck_is_told_in_one_line() -> None:
    look = Look("canasta", 0, "dealt", "ranks", "chi-squared", 1440, 3.25, 0.00012, 0.0012)
    assert [
        look_line(one)
        for one in (
            look,
            evolve(look, what="wild cards", p=0.5, corrected=1.0),
            evolve(look, p=None, corrected=None),
        )
    ] == [
        (
            "Canasta, ranks, dealt: 1,440: p = 0.00012, corrected 0.0012, chi-squared test  "
            "<- unlike chance"
        ),
        "Canasta, wild cards, dealt: 1,440 (by chance 3.2): p = 0.5, corrected 1, chi-squared test",
        "Canasta, ranks, dealt: 1,440: too few cards to test",
    ]

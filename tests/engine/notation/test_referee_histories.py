"""Facts that a position leaves open, and the questions that the referee asks about them."""

import re

import pytest

from engine.canastra.position import CanastraPosition
from engine.games import GAMES
from engine.notation.position_reader import parse_position, read_with_words
from engine.notation.possible_histories import possible_histories
from engine.notation.referee import reports, rulings
from engine.notation.rulings import Ruling, RulingVerdict
from engine.round_state import RoundState
from tests.engine.clauses import CLAUSES
from tests.fuzz_referee import fuzz


def last(text: str) -> Ruling:
    return list(rulings(text))[-1]


@pytest.mark.parametrize(
    ("text", "say"),
    [
        ("canasta 4\nhand 1 3h Ks 4c\ntry discard 4c", "turn 1 play drew"),
        ("canastra 2\nturn 1 play took\nhand 1 Kh 9d\ntry discard 9d", "barred"),
        (
            "canastra 2\noption require_canastra yes\ndeads 1\nhand 1 4h 5h 6h\ntry meld 4h 5h 6h",
            "deadtaken",
        ),
        (
            "kanastic 3\nturn 2 draw\nrebuilds 1\npile Ah\nhand 2 Ad As Ac\ntry top ^Ah Ad As Ac",
            "discards, and the last 2",
        ),
    ],
)
def test_a_verdict_that_hangs_on_the_past_asks_for_it(text: str, say: str) -> None:
    ruling = last(text)
    assert ruling.verdict is RulingVerdict.UNDECIDED
    (asked,) = ruling.say
    assert str(asked).startswith(say)


@pytest.mark.parametrize(
    ("hand", "move", "say"),
    [
        ("4h 5h 6h", "meld 4h 5h 6h", ["deadtaken"]),
        ("4h 5h 6h", "discard 4h", ["barred"]),
        ("4h", "discard 4h", ["barred", "deadtaken"]),  # the second question, if no card is barred
    ],
)
def test_of_two_questions_those_that_decide_are_asked(hand: str, move: str, say: list[str]) -> None:
    start = "canastra 2\noption require_canastra yes\ndeads 1\nturn 1 play took\n"
    ruling = last(f"{start}hand 1 {hand}\ntry {move}")
    assert [str(each).split(",")[0] for each in ruling.say] == say


def test_a_card_that_is_hidden_may_have_been_drawn() -> None:
    position = parse_position("canasta 4\nhand 1 3h ? Ks ? 4c")
    (fact,) = position.unstated_facts(frozenset())
    three, _, _, hidden, _ = position.hands[0]
    assert [answer["turn"].drawn for answer in fact.answers[1:]] == [(three, hidden)]
    without_bonus = parse_position("canastra 2\nhand 1 Ks ?")
    assert list(RoundState.unstated_facts(without_bonus, frozenset())) == []


def test_only_the_questions_that_matter_are_asked() -> None:
    text = (
        "kanastic 3\nturn 2 draw\nrebuilds 1\npile Ah\nhand 2 Ad As Ac Kc Kd Po\n"
        "try draw\ntry top ^Ah Ad As Ac\nplay draw\ntry discard Kc"
    )
    verdicts = [ruling.verdict for ruling in rulings(text)]
    assert verdicts == [
        RulingVerdict.LEGAL,
        RulingVerdict.UNDECIDED,
        RulingVerdict.LEGAL,
        RulingVerdict.LEGAL,
    ]


@pytest.mark.parametrize(
    ("seats", "pile", "histories"),
    [
        (2, "Ah", 1),
        (3, "Ah", 2),
        (4, "Ah", 3),
        (4, "4h Ah", 2),
        (4, "5h 4h Ah", 1),
        (4, "Sw Ah", 1),
        (4, "Sw 4h Ah", 1),
    ],
)
def test_only_discards_that_are_not_told_may_have_been_stop_cards(
    seats: int, pile: str, histories: int
) -> None:
    """Count only discards of the others (K76), of which the pile shows some.

    One stop card among these already blocks it.
    """
    text = f"kanastic {seats}\nturn 2 draw\nrebuilds 1\npile {pile}\n"
    position, words = read_with_words(enumerate(text.splitlines(), 1))
    found = possible_histories(position, words)
    assert (len(found.positions), len(found.questions)) == (histories, int(histories > 1))


@pytest.mark.parametrize(("turn", "clause"), [("play", ""), ("open", "K23")])
def test_k23_nobody_but_who_opens_the_round_makes_the_first_discard(turn: str, clause: str) -> None:
    """Let a seat play, which has drawn: others have discarded before, whatever is in the pile."""
    hands = "hand 1 Ah 5d 9d\nhand 2 Ad As 9c 8c 7s"
    taken = last(f"kanastic 4\nturn 1 {turn}\n{hands}\nplay discard Ah\ntry top ^Ah Ad As")
    assert taken.clause == clause


@pytest.mark.parametrize(
    ("hand", "move", "verdict"),
    [
        ("Kh ?", "discard 9d", RulingVerdict.UNDECIDED),  # which may be the hidden one
        ("Kh! ?", "discard 9d", RulingVerdict.LEGAL),  # only the king has been seen
        ("4h 5h 6h 7h", "meld 4h 5h 6h", RulingVerdict.LEGAL),  # a known seven fits
        ("4h 5h 6h 8h", "meld 4h 5h 6h", RulingVerdict.UNDECIDED),
    ],
)
def test_b12_any_card_of_the_hand_may_be_the_pile_that_was_taken(
    hand: str, move: str, verdict: RulingVerdict
) -> None:
    assert last(f"canastra 2\nturn 1 play took\nhand 1 {hand}\ntry {move}").verdict is verdict


def test_b12_hidden_cards_are_alike_and_one_of_them_is_tried() -> None:
    text = "canastra 2\nturn 1 play took\nhand 1 Kh ? ? ?\n"
    position, words = read_with_words(enumerate(text.splitlines(), 1))
    king, hidden, *_ = position.hands[0]
    found = possible_histories(position, words).positions.values()
    barred = [one.barred for one in found if isinstance(one, CanastraPosition)]
    assert barred == [None, king, hidden]


@pytest.mark.parametrize(
    ("lines", "histories", "questions"),
    [("", 1, 0), ("deads 2\n", 1, 0), ("deads 1\n", 3, 1), ("deads 0\n", 1, 0)],
)
def test_b46_who_has_had_a_dead_is_open_while_one_is_left(
    lines: str, histories: int, questions: int
) -> None:
    """Let one dead be gone: one of two players received it, or it became the stock."""
    text = f"canastra 2\nturn 1 play\n{lines}"
    position, words = read_with_words(enumerate(text.splitlines(), 1))
    found = possible_histories(position, words)
    assert (len(found.positions), len(found.questions)) == (histories, questions)


def test_an_undecided_play_changes_nothing() -> None:
    text = "canasta 4\nhand 1 3h Ks 4c\nplay discard 4c\nexpect turn 1 play\nexpect hand 1 3h Ks 4c"
    assert [each.met for each in last(text).expectations] == [True, True]


def test_a_move_that_all_histories_allow_is_played_in_what_the_lines_leave_out() -> None:
    ruling = last("canasta 4\nhand 1 Ks Kh Kd Jo 4c ?\ntry meld Ks Kh Kd Jo")
    assert ruling.verdict is RulingVerdict.LEGAL
    assert "turn 1 play fresh\n" in ruling.position, "not: drew 1"


def test_what_is_refused_in_all_histories_is_illegal() -> None:
    assert last("canasta 2\nhand 1 3h Ks 4c 5c\ntry meld 4c 5c Ks").clause == "C25"


@pytest.mark.parametrize("game", GAMES)
def test_every_dispute_has_an_answer_with_a_clause(game: str) -> None:
    answers = GAMES[game].answers
    text = f"{game} {GAMES[game].players[0]}\n" + "".join(f"dispute {topic}\n" for topic in answers)
    found = list(rulings(text))
    assert len(found) == len(answers)
    assert "draw" in answers
    assert {ruling.verdict for ruling in found} == {RulingVerdict.ANSWERED, RulingVerdict.SILENT}
    assert {answer.clause for answer in answers.values()} <= set(CLAUSES)
    for ruling in found:
        silent = str(ruling.after).startswith("The text does not say")
        assert ruling.verdict is RulingVerdict.SILENT or not silent


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("canasta 4\ndispute misdeel", "One can ask about: .* Did you mean “misdeal”?"),
        ("canasta 4\ndrawn Ks Kd", "A draw has a card for each of the 4 players."),
        ("canasta 2\ndrawn Ks Ks", "Two drew the Ks"),
        ("kanastic 2\ndrawn Kg Kg", "The deck has not so many Kg."),
        ("canasta 2\ndrawn Ks:1 Ks:1", "The deck has not so many Ks."),
        ("canastra 2\ndrawn Ks:3 Kd", "The deck has not so many Ks."),
        ("canasta 4\nplay discrd Ks", "Did you mean “discard”?"),
        ("canasta 4\noptin target 3000", "Did you mean “option”?"),
        ("canasta 4\nturn 1 plai\ntry draw", "Did you mean “play”?"),
        ("canasta 4\ntry draw\nexpect leagl", "Did you mean “legal”?"),
        ("canasta 4\ntry draw\nexpect hand", "After hand comes the number of a seat or side."),
        ("canasta 4\ntry draw\nexpect waiting", "One can expect"),
    ],
)
def test_what_was_probably_meant_is_said(text: str, error: str) -> None:
    (report,) = reports(text)
    assert re.search(error.replace("?", r"\?"), str(report.problem))


def test_a_draw_tells_the_seats_and_the_dealer() -> None:
    ruling = last("canasta 4\ndrawn 7s Ks 4d Qs\nexpect seats 2 1 4 3")
    assert str(ruling.after) == "players at seats 1 to 4: 2 1 4 3; seat 4 deals"
    assert ruling.expectations[0].met
    again = last("canasta 4\ndrawn Jo Ks Jo 4c")
    assert (again.clause, str(again.after)) == ("X21", "these players draw again: 1, 3")
    assert last("canasta 4\ndrawn Jo Jo Jo Jo").clause == "X21"
    (report,) = reports("canasta 5\ndrawn Jo Jo Jo Jo Jo")
    assert "The deck has not so many Jo." in str(report.problem)


def test_twins_of_a_draw_are_told_apart_by_marks() -> None:
    (ruling,) = rulings("canasta 2\ndrawn Ks:2 Ks:1\nexpect seats 2 1")
    assert ruling.expectations[0].met


def test_hostile_files_are_judged_or_refused() -> None:
    """Try a few files; `python -m tests.fuzz_referee --files 100000` tries many."""
    found = fuzz(150, seed=2026)
    assert {"legal", "illegal", "bad line"} <= set(found)

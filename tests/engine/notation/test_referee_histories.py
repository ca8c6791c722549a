"""Facts that a position leaves open, and the questions that the referee asks about them."""

import pytest

from engine.canastra.position import CanastraPosition
from engine.notation.position_reader import parse_position, read_with_words
from engine.notation.possible_histories import possible_histories
from engine.round_state import RoundState


def test_a_hidden_card_may_have_been_drawn() -> None:
    position = parse_position("canasta 4\nhand 1 3h ? Ks ? 4c")
    (fact,) = position.unstated_facts(frozenset())
    three, _, _, hidden, _ = position.hands[0]
    assert [answer["turn"].drawn for answer in fact.answers[1:]] == [(three, hidden)]
    without_bonus = parse_position("canastra 2\nhand 1 Ks ?")
    assert list(RoundState.unstated_facts(without_bonus, frozenset())) == []


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
def test_only_unstated_discards_may_have_been_stop_cards(
    seats: int, pile: str, histories: int
) -> None:
    """The last discard of each other player can block the pile (K76).

    The text of the position states some of these discards; each of the rest may have been a stop
    card. If a stated one is a stop card, the pile is blocked anyway, and nothing is asked.
    """
    text = f"kanastic {seats}\nturn 2 draw\nrebuilds 1\npile {pile}\n"
    position, words = read_with_words(enumerate(text.splitlines(), 1))
    found = possible_histories(position, words)
    assert (len(found.positions), len(found.questions)) == (histories, int(histories > 1))


def test_b12_only_one_of_the_hidden_cards_is_tried_as_barred() -> None:
    """The hidden cards cannot be told apart, so one of the three stands for all."""
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
def test_b46_histories_differ_in_the_player_who_took_a_dead(
    lines: str, histories: int, questions: int
) -> None:
    """If one of two deads is left, either player has taken up the other, or it is the stock."""
    text = f"canastra 2\nturn 1 play\n{lines}"
    position, words = read_with_words(enumerate(text.splitlines(), 1))
    found = possible_histories(position, words)
    assert (len(found.positions), len(found.questions)) == (histories, questions)

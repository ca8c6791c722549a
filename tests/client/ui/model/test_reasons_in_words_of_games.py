"""Reasons of hints that belong to one game: books and the foot, sambas and sequences."""

import pytest

from client.bots.best_moves import BestMoves
from client.bots.evaluators import evaluator_of
from client.bots.weights import Tuning
from client.i18n.language import choose_language, qualified
from client.session.display.round_events import NOTHING_SEEN
from client.ui.model.suggested_move import reason
from engine.games import GAMES
from engine.notation.moves import parse_move
from engine.notation.position_reader import parse_position
from engine.notation.positions import game_of
from engine.table_status import MeldClass

FOOT = "hand_and_foot 2\nhand 2 20\n"
WALKING = f"{FOOT}walking 1\n"
SAMBA = "samba 2\nhand 2 20\n"
CLEAN, DIRTY = "meld 1 7h 7d 7c 7s 7h 7d 7c\n", "meld 1 8h 8d 8c 8s 8h 8d 2s\n"


def told(lines: str, move: str) -> str:
    """Return the reason for a move of seat 1, whose opponent is called Bea."""
    view = parse_position(lines)
    evaluator = evaluator_of(game_of(view), Tuning.LEARNT)
    found = BestMoves((parse_move(view, move),))
    return reason(view, found, evaluator, NOTHING_SEEN, ("Ana", "Bea"))


@pytest.mark.parametrize(
    ("lines", "move", "said"),
    [
        (
            f"{FOOT}hand 1 9h 9d 9c\nmeld 1 Kh Kd Ks",
            "meld 9h 9d 9c",
            "Your hand is used up: you take up your foot, and go on at once.",
        ),
        (
            f"{FOOT}hand 1 9h 9d 9c Qh Qd\nmeld 1 Kh Kd Ks",
            "meld 9h 9d 9c",
            "With 2 cards less you take up your foot.",
        ),
        (
            f"{FOOT}hand 1 9h\nmeld 1 Kh Kd Ks",
            "discard 9h",
            "It is your last card: in your next turn you play your foot.",
        ),
        (
            f"{WALKING}hand 1 7c Qh Qd Jh Jc 5s\nmeld 1 7h 7d 7c 7s 7h 7d",
            "meld 7c to 1",
            "points for your side at once. Going out still takes 1 dirty book.",
        ),
        (
            f"{WALKING}option clean_books 2\noption dirty_books 2\nhand 1 Qh Qd Jh\n{CLEAN}",
            "discard Qh",
            "Going out still takes 1 clean book, 2 dirty books.",
        ),
        (
            f"{WALKING}hand 1 Qh Qd Jh\n{CLEAN}{DIRTY}",
            "discard Qh",
            "Your side has its books: with 2 cards less you are out.",
        ),
        (
            f"{SAMBA}hand 1 8h 9h Ks Kd 5c\nmeld 1 5h 6h 7h",
            "meld 8h 9h to 1",
            "The sequence lacks 2 cards of a samba, which counts 1,500 points.",
        ),
        (
            f"{SAMBA}hand 1 Th Ks Kd 5c\nmeld 1 4h 5h 6h 7h 8h 9h",
            "meld Th to 1",
            "points for your side at once. Going out still takes 1 canasta or samba.",
        ),
    ],
)
def test_the_game_says_what_a_move_is_good_for(lines: str, move: str, said: str) -> None:
    assert told(lines, move).endswith(said)


def test_the_last_card_of_a_hand_with_a_foot_is_no_going_out() -> None:
    assert "Going out now" not in told(f"{FOOT}hand 1 9h\n{CLEAN}{DIRTY}", "discard 9h")
    assert "Going out now" in told(f"{WALKING}hand 1 9h\n{CLEAN}{DIRTY}", "discard 9h")


def test_an_opponent_with_a_foot_does_not_go_out_soon() -> None:
    books = (CLEAN + DIRTY).replace("meld 1", "meld 2")
    lines = f"hand_and_foot 2\nhand 2 2\nhand 1 9h 9d 9c Qh Qd 5c 6c\nmeld 1 Kh Kd Ks\n{books}"
    assert "Bea may go out soon" not in told(lines, "meld 9h 9d 9c")
    assert "Bea may go out soon" in told(f"{lines}walking 2", "meld 9h 9d 9c")


def test_only_the_cards_that_would_come_of_the_pile_are_counted() -> None:
    pile = "4h 4d 5h 5d 6h 6d Jh Jd Qs"
    lines = f"{FOOT}turn 1 draw\npile {pile}\nhand 1 Qh Qd 9c Kc\nmeld 1 Kh Kd Ks"
    assert told(lines, "draw").startswith("The 7 cards that you would get are not worth")
    assert told(lines, "take ^Qs Qh Qd").startswith("The pile has 7 cards for you")
    whole = f"{lines}\noption whole_pile yes"
    assert told(whole, "draw").startswith("The pile of 9 cards is not worth")


@pytest.mark.parametrize(
    ("language", "reason", "dirty"),
    [
        ("en", "It completes a clean book.", ("dirty", "dirty")),
        ("es", "Esto completa un libro limpio.", ("sucia", "sucio")),
        ("pt", "Isso completa um livro limpo.", ("suja", "sujo")),
    ],
)
def test_a_book_is_masculine_where_a_canasta_is_not(
    language: str, reason: str, dirty: tuple[str, str]
) -> None:
    lines = f"{WALKING}hand 1 7c Qh Qd Jh Jc 5s\nmeld 1 7h 7d 7c 7s 7h 7d"
    choose_language(language)
    try:
        assert told(lines, "meld 7c to 1").startswith(reason)
        words = [GAMES[name].position.meld_words for name in ("canasta", "hand_and_foot")]
        assert tuple(qualified(each[MeldClass.DIRTY].word) for each in words) == dirty
    finally:
        choose_language("en")

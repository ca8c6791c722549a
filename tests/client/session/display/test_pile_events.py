"""The public events of a round, which hints use, and the links that a display has lost."""

from types import SimpleNamespace
from typing import Any

import pytest

from client.session.display.absence import LOST_SECONDS
from client.session.display.pile_events import NOTHING_SEEN, PileEvents, Taken, Thrown
from client.session.display.presenter import LostLinks
from engine.cards import Card, Rank, Suit
from engine.moves import Discard, DrawStock, TakePile, TakeTop
from engine.slots import Seat, Shown, Slot
from protocol.entries import MoveContent
from tests.engine.positions import table_of

KING, QUEEN = Card(1, Rank.KING, Suit.SPADES), Card(2, Rank.QUEEN, Suit.HEARTS)
PILE = (Shown(Slot(1), QUEEN), Shown(Slot(2), KING))
FIRST, SECOND = Seat(0), Seat(1)


def state(**more: Any) -> Any:
    """Return a state in which the first seat has the turn; the player there is Bruno."""
    round_ = SimpleNamespace(turn=SimpleNamespace(seat=FIRST), pile=PILE, takes=PILE)
    match = {"round": round_, "round_number": 1, "opening": False, "player_at": lambda _seat: 1}
    charter = SimpleNamespace(name_of=("Ana", "Bruno").__getitem__)
    last = SimpleNamespace(content=more.pop("content", None))
    return SimpleNamespace(match=SimpleNamespace(**match | more), charter=charter, last=last)


def change(before: Any, after: Any, *, continues: bool = False) -> Any:
    return SimpleNamespace(before=before, after=after, continues=continues)


SEEN = PileEvents((Thrown(SECOND, "Carla", QUEEN),))


@pytest.mark.parametrize(
    ("move", "event"),
    [
        (Discard(PILE[1]), [Thrown(FIRST, "Bruno", KING)]),
        (TakePile(), [Taken(FIRST, "Bruno", (QUEEN, KING))]),
        (TakeTop(()), [Taken(FIRST, "Bruno", (KING,))]),
        (DrawStock(), []),
    ],
)
def test_discarding_and_taking_from_the_pile_are_events(
    move: Any, event: list[Thrown | Taken]
) -> None:
    after = state(content=MoveContent(move, ()))
    assert SEEN.after(change(state(), after)) == PileEvents((*SEEN.events, *event))


def test_only_cards_that_the_player_gets_from_the_pile_count_as_taken() -> None:
    """In Hand and Foot a player takes seven cards of a pile of nine (H24)."""
    nine = "Kh Kd 9s 9h 9d 8s 8h 8d Qs"
    table = table_of("hand_and_foot", hands=["Qh Qd 4s"], pile=nine)
    taken = NOTHING_SEEN.with_move(table.position, TakePile(), "Ana")
    assert (taken.taken(FIRST, Rank.KING), taken.taken(FIRST, Rank.NINE)) == (0, 3)


def test_entries_without_a_move_add_no_events() -> None:
    assert SEEN.after(change(state(), state(content="a cut"))) is SEEN
    nothing = state()
    nothing.last = None
    assert SEEN.after(change(state(), nothing)) is SEEN


@pytest.mark.parametrize(
    ("before", "after", "continues"),
    [
        (state(), state(round_number=2, content=MoveContent(TakePile(), ())), False),
        (state(round=None), state(content=MoveContent(TakePile(), ())), False),
        (state(), state(), True),
    ],
)
def test_a_round_that_begins_or_is_dealt_again_has_no_events(
    before: Any, after: Any, continues: bool
) -> None:
    assert SEEN.after(change(before, after, continues=continues)) == NOTHING_SEEN


def test_a_continuation_keeps_the_events_of_a_round_that_it_counts() -> None:
    assert SEEN.after(change(state(opening=True), state(), continues=True)) is SEEN


def test_events_are_counted_by_seat_and_rank() -> None:
    """A seat has left a card if another seat threw it, and the seat's own discard comes next."""
    king = Card(3, Rank.KING, Suit.HEARTS)
    events = PileEvents(
        (
            Thrown(FIRST, "Ana", KING),
            Thrown(SECOND, "Bruno", QUEEN),  # Bruno leaves the king
            Taken(FIRST, "Ana", (KING, QUEEN)),
            Thrown(FIRST, "Ana", king),
            Thrown(SECOND, "Olga", KING),  # Olga, in the seat of Bruno, leaves another king
            Thrown(SECOND, "Olga", QUEEN),
            Thrown(FIRST, "Ana", QUEEN),
            Taken(SECOND, "Olga", (QUEEN, QUEEN, KING)),
        )
    )
    for count, of_first, of_second in (
        (events.thrown, [2, 1, 0], [1, 2, 0]),
        (events.taken, [1, 1, 0], [1, 2, 0]),
        (events.left, [0, 1, 0], [2, 0, 0]),
    ):
        ranks = (Rank.KING, Rank.QUEEN, Rank.JACK)
        assert [count(FIRST, rank) for rank in ranks] == of_first
        assert [count(SECOND, rank) for rank in ranks] == of_second
    assert [events.name(seat) for seat in (FIRST, SECOND, Seat(2))] == ["Ana", "Olga", ""]


def keys(names: str) -> list[bytes]:
    return [name.encode() for name in names]


def test_a_link_counts_as_lost_after_a_moment_but_as_back_at_once() -> None:
    """A link that never existed is not lost, and each loss is told once.

    Each line has the links that work, those that do not, the time, and the links that are told as
    lost and as back.
    """
    links = LostLinks()
    for linked, unreached, now, lost, back in (
        ("ab", "c", -1.0, "", ""),
        ("a", "bc", 0.0, "", ""),
        ("a", "bc", LOST_SECONDS - 0.05, "", ""),
        ("a", "bc", LOST_SECONDS, "b", ""),
        ("", "abc", 0.5, "", ""),
        ("b", "ac", 1.0, "a", "b"),
        ("abc", "", 1.5, "", "a"),
        ("ab", "c", 2.0, "", ""),
        ("ab", "c", 2.5, "c", ""),
    ):
        assert links.look(keys(linked), keys(unreached), now) == (keys(lost), keys(back)), now

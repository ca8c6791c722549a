"""Hints: each has a legal move and a reason, and the same view gives the same hint."""

import random
import re
from collections.abc import Callable, Sequence
from functools import partial

import pytest
from attrs import evolve

from client.bots.best_moves import BestMoves
from client.bots.chooser import Budget
from client.bots.eager import choose
from client.bots.evaluator import Evaluator
from client.bots.weights import Weights
from client.i18n.card_letters import card_face
from client.session.display.pile_events import NOTHING_SEEN, PileEvents, Thrown
from client.session.display.snapshot import LessonNote
from client.ui.model.commands.advice import ask_hint
from client.ui.model.commands.find_commands import run_line
from client.ui.model.commands.table_commands import COMMAND_NAMED
from client.ui.model.hint_reasons import RANK_COUNTS, _Reasons, hint, reason
from client.ui.model.regrettable_moves import warning
from client.ui.tui.toolkit.glyphs import ASCII
from engine.canasta.deck import CANASTA
from engine.cards import Card, Rank
from engine.game import Game
from engine.games import GAMES
from engine.moves import Discard, Move, TakePile, TakeTop, is_alike
from engine.position import Position
from engine.score_sheet import ScoreSheet
from engine.sentences import Sentence
from engine.slots import Seat, Shown
from engine.turn import Step
from tests.client.plain_seat import PlainSeat, snapshot_at, snapshot_of
from tests.client.ui.model.controls_at import controls_at, hand_of, notice_of, sending
from tests.engine.positions import codes_of, table_of
from tests.engine.simulation import mixed, states


@pytest.mark.parametrize("name", GAMES)
def test_every_hint_is_legal_and_has_a_reason(name: str) -> None:
    game = GAMES[name]
    reasons = set()
    steps = set()
    one_round = states(game, game.options(rounds=1), game.usual_players, 7, mixed)
    for number, (match, move, dealer) in enumerate(one_round):
        if move is None or match.round is None or number % 13:
            continue
        seat = match.round.moving_seat
        view = dealer.view(match.round, seat)
        given = hint(view)
        match.apply(given.move)
        # The search is slow, so it is repeated only at the first view of each step.
        assert view.turn.step in steps or given == hint(view)
        assert given.reason.endswith(".")
        reasons.add(given.reason)
        steps.add(view.turn.step)
    assert {Step.DRAW, Step.PLAY} <= steps
    assert len(reasons) > 2


@pytest.mark.parametrize("name", GAMES)
def test_hint_warning_and_footer_agree(name: str) -> None:
    """For every discard of a round, the warning, the footer's mark and the engine agree.

    They warn of a discard that surely gives the pile away, unless every discard does. A discard
    that a hint proposes is sent without a question, whichever card of that face is selected.
    """
    others = partial(choose, rng=random.Random(2))
    seat = PlainSeat.sit(name, GAMES[name].usual_players, others, seed=3, rounds=1)
    marked = turns = 0
    while not seat.state.match.over:
        view = seat.view if seat.chooses else None
        if view is not None and view.turn.step is Step.PLAY and not view.duty:
            turns += 1
            marked += _marks(seat, advised=turns % 6 == 1)
        seat.step(others)
    assert turns
    assert marked or name != "canasta"


def _marks(seat: PlainSeat, *, advised: bool) -> int:
    """Check every card of the hand; return how many of them the footer marks."""
    controls, sent = sending(snapshot_of(seat))
    hand = hand_of(controls)
    view, marked = hand.view, 0
    advice = hint(view).move if advised else None
    thrown = [shown for shown in hand.cards if view.allows(Discard(shown))]
    sure = {shown for shown in thrown if (o := view.pile_offer(shown)) and o.certain}
    for shown in thrown:
        move, gift = Discard(shown), shown in sure and sure != set(thrown)
        controls.hand = hand.with_selected((shown,))
        assert COMMAND_NAMED["discard"].risky(controls) == gift
        assert gift == ("take the pile" in (warning(view, move) or ""))
        marked += gift
        if isinstance(advice, Discard) and advice.card.card.code == shown.card.code:
            controls.unselect()
            ask_hint(controls)
            assert codes_of(controls.hand.chosen) == shown.card.code
            ask_hint(controls)
            assert [is_alike(one, move) for one in sent] == [True], (
                "the second request must send the move without a question"
            )
            break
    return marked


# -- events of the round in the reason

FACT = re.compile(r"(\w+) (has taken|has left|has thrown) (\d+) (\w+)")
NAMES = ("Ana", "Bruno", "Carla", "Diego")
RANKS = {word(n).split()[1]: rank for rank, word in RANK_COUNTS.items() for n in (1, 2)}


@pytest.fixture
def throws_at_random(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the search by a random discard: only the reasons are tested."""

    def any_discard(view: Position, _game: Game, rng: random.Random, _budget: Budget) -> BestMoves:
        moves = view.legal_moves(view.turn.seat)
        move = rng.choice([m for m in moves if isinstance(m, Discard)] or list(moves))
        return BestMoves((move,), worlds=9)

    monkeypatch.setattr("client.ui.model.hint_reasons.best_moves", any_discard)


@pytest.mark.usefixtures("throws_at_random")
@pytest.mark.parametrize("name", GAMES)
def test_facts_in_hints_agree_with_the_events(name: str) -> None:
    """The test counts the events again from the moves and the piles before them."""
    game = GAMES[name]
    kinds = set()
    for seed in range(2):
        events = NOTHING_SEEN
        past: list[tuple[int, Move, Position]] = []
        one_round = states(game, game.options(rounds=1), game.usual_players, seed, mixed)
        for match, move, dealer in one_round:
            before = match.round
            if before is None or move is None or before.to_move is None:
                continue
            view = dealer.view(before, before.to_move)
            if before.turn.step is Step.PLAY and any(
                isinstance(m, Discard) for m in view.legal_moves(before.turn.seat)
            ):
                given = hint(view, events)
                for who, kind, count, word in FACT.findall(given.reason):
                    seat = NAMES.index(who)
                    assert seat != before.turn.seat
                    assert int(count) == counted(past, seat, kind, RANKS[word], before.seats) > 0
                    kinds.add(kind)
            past.append((before.turn.seat, move, before))
            events = events.with_move(before, move, NAMES[before.turn.seat])
    ranks_count = game.position.melds_like_cards
    assert kinds == ({"has taken", "has left", "has thrown"} if ranks_count else set())


class Fearless(Evaluator):
    """An evaluator that sees no danger in any discard."""

    def standing_with(self, view: Position, seat: Seat, hand: Sequence[Card]) -> float:
        del view, seat
        return -len(hand)

    def danger(self, view: Position, seat: Seat, card: Card) -> float:
        del view, seat, card
        return 0.0


ZOE = PileEvents((Thrown(Seat(1), "Zoe", CANASTA[0]),))


def test_the_reason_for_a_discard_says_why_the_next_player_cannot_take_it() -> None:
    """A player without a name is called as in the events, or by their place."""
    hardly = "hardly has the cards to take the pile with it"
    for tens, seen, names, told in (
        ("Ts Th Td Tc", NOTHING_SEEN, ("", "Ana"), "You see 4 of 8 tens: Ana"),
        ("Ts Th Td", NOTHING_SEEN, ("", "Ana"), "You need it little, and Ana"),
        ("Ts Th", NOTHING_SEEN, (), "You need it little, and the next player"),
        ("Ts Th", ZOE, (), "You need it little, and Zoe"),
    ):
        assert reason_for_a_ten("canasta", 4, tens, seen, names) == f"{told} {hardly}."


def test_where_anybody_can_take_the_pile_the_reason_tells_what_a_discard_gives() -> None:
    told = reason_for_a_ten("canastra", 2, "Ts Th Td Tc", NOTHING_SEEN, ("", "Ana"))
    assert told.startswith("Of all you can throw, it gives least to Ana, who holds")


def reason_for_a_ten(
    game: str, seats: int, tens: str, seen: PileEvents, names: tuple[str, ...]
) -> str:
    """Return the reason to discard one of the tens in the hand."""
    hands = [f"{tens} 9s", "+9"]
    table = table_of(game, seats=seats, hands=hands, pile="5c", dealer=seats - 1)
    view = table.position.seen(table.position.hand(Seat(0)))
    found = BestMoves((table.discard("Ts"),))
    return reason(view, found, Fearless(Weights()), seen, names)


def counted(
    past: list[tuple[int, Move, Position]], seat: int, kind: str, rank: Rank, seats: int
) -> int:
    """Count the cards of a rank that a seat has taken or thrown.

    For "has left", count those that the player before threw, and the seat did not take.
    """
    public = [one for one in past if isinstance(one[1], Discard | TakePile | TakeTop)]
    cards: list[Shown] = []
    for place, (mover, move, before) in enumerate(public):
        if isinstance(move, Discard):
            lies = any(isinstance(next_, Discard) for _, next_, _ in public[place + 1 : place + 2])
            left = kind == "has left" and (mover + 1) % seats == seat and lies
            cards += [move.card] if left or (kind == "has thrown" and mover == seat) else []
        elif kind == "has taken" and mover == seat:
            cards += before.takes if isinstance(move, TakePile) else before.pile[-1:]
    return sum(shown.card.rank is rank for shown in cards)


def test_a_first_hint_lays_the_move_out_and_a_second_plays_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = table_of("canasta", hands=["Ks Kh Kd Kc Kc 4h 5c 6s", "+9"], stock="+40")
    meld = table.lay("Ks Kh Kd Kc Kc")
    best = BestMoves((meld, table.discard("4h")))
    monkeypatch.setattr("client.ui.model.hint_reasons.best_moves", lambda *_asked: best)
    controls, sent = sending(snapshot_at("canasta", table))
    offered = COMMAND_NAMED["hint"]
    for before in ("hand", "meld K K K", "undo"):
        run_line(controls, before)
        run_line(controls, "hint")
        staged = hand_of(controls).staging.move
        assert staged is not None
        assert is_alike(staged, meld)
        assert re.search(r"^Hint: meld K.* Next best: discard 4.\.$", notice_of(controls))
        assert offered.offered(controls)
        assert offered.detail(controls, card_face) == ": play it"
        assert not sent
        controls.undo_all()
        assert offered.detail(controls, card_face) == "", "there must be no meld to play any more"
    run_line(controls, "hint")
    run_line(controls, "hint")
    assert [is_alike(move, meld) for move in sent] == [True]


def test_hint_is_refused_when_nobody_is_to_move() -> None:
    with pytest.raises(ValueError, match="nobody is to move"):
        hint(table_of("canasta", sheet=ScoreSheet(((), ()), None)).position)


@pytest.mark.usefixtures("throws_at_random")
def test_a_hint_mentions_events_of_the_round() -> None:
    table = table_of("canasta", hands=["Kc Kc", "+9"], melds=[["As Ah Ad"]], pile="8c")
    king = next(card for card in CANASTA if card.code == "Ks")
    seen = PileEvents((Thrown(Seat(2), "Carla", king),))
    controls = controls_at(evolve(snapshot_at("canasta", table), events=seen))
    ask_hint(controls)
    assert notice_of(controls).startswith("Hint: discard K♣. ")
    assert ASCII.plain(notice_of(controls)).startswith("Hint: discard Kc. ")
    assert notice_of(controls).endswith(" Carla has thrown 1 king.")
    assert len(hand_of(controls).chosen) == 1


@pytest.mark.usefixtures("throws_at_random")
def test_a_lesson_that_asks_for_nothing_gives_the_usual_hint() -> None:
    lesson = LessonNote(3, 3, Sentence("Play on."), "C60")
    table = table_of("canasta", hands=["Kc Kc", "+9"], melds=[["As Ah Ad"]], pile="8c")
    controls = controls_at(evolve(snapshot_at("canasta", table), lesson=lesson))
    ask_hint(controls)
    assert notice_of(controls).startswith("Hint: discard K♣.")


@pytest.mark.usefixtures("throws_at_random")
def test_a_hint_that_comes_too_late_is_dropped() -> None:
    """The table has moved on while the hint was searched."""
    found: list[Callable[[], None]] = []
    table = table_of("canasta", hands=["Kc Kd", "+9"], pile="8c")
    controls = controls_at(snapshot_at("canasta", table))
    controls.think = lambda find, tell: found.append(lambda: tell(find()))
    for late in (True, False):
        ask_hint(controls)
        waits = controls.notice
        assert notice_of(controls) == "One moment…"
        if late:
            snapshot = controls.snapshot
            controls.show(evolve(snapshot, state=evolve(snapshot.state, head=b"later")))
        found.pop()()
        # If it comes too late, the notice "One moment…" stays, and no hint is kept.
        assert (controls.notice is waits) is (controls.hinted is None) is late


def test_the_reason_tells_the_gain_in_simulated_deals() -> None:
    table = table_of("canasta", hands=["Ts Th 9s"], pile="5c", dealer=3)
    view = table.position.seen(table.position.hand(Seat(0)))
    for gain, told in (
        (0.5, "it came off as well as the next best"),
        (1.4, "it brings 1 point more than the next best"),
    ):
        found = BestMoves((table.discard("Ts"),), 9, gain)
        asked = (Seat(0), found, Fearless(Weights()), NOTHING_SEEN, ("", "A", "B", "C"))
        assert _Reasons(view, *asked)._tried() == f"In 9 deals that fit what you see, {told}."

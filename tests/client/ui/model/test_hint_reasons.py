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
from client.ui.model.controls import Controls
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
from engine.slots import Seat
from engine.turn import Step
from tests.client.plain_seat import PlainSeat, snapshot_at, snapshot_of
from tests.engine.positions import table_of
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
        assert view.turn.step in steps or given == hint(view)
        assert given.reason.endswith(".")
        reasons.add(given.reason)
        steps.add(view.turn.step)
    assert {Step.DRAW, Step.PLAY} <= steps
    assert len(reasons) > 2


@pytest.mark.parametrize("name", GAMES)
def test_hint_warning_and_footer_agree(name: str) -> None:
    """For every discard of a round, the warning, the footer's mark and the engine agree.

    They warn of a card that surely gives the pile away, if another card does not. A discard that
    a hint proposes is made without a question, with any card of that face.
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
    sent: list[Move] = []
    controls = Controls(lambda *moves: sent.extend(moves))
    controls.show(snapshot_of(seat))
    hand = controls.hand
    assert hand is not None
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
            assert [card.card.code for card in controls.hand.chosen] == [shown.card.code]
            ask_hint(controls)
            assert [is_alike(one, move) for one in sent] == [True], (
                "the second request must send the move without a question"
            )
            break
    return marked


def suggest(monkeypatch: pytest.MonkeyPatch, *moves: Move) -> None:
    """Replace the search by these moves, the best first: only the sentences are tested."""

    def found(*_arguments: object) -> BestMoves:
        return BestMoves(moves)

    monkeypatch.setattr("client.ui.model.hint_reasons.best_moves", found)


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


HARDLY = "Ana hardly has the cards to take the pile with it"


class Fearless(Evaluator):
    """An evaluator that sees no danger in any discard."""

    def standing_with(self, view: Position, seat: Seat, hand: Sequence[Card]) -> float:
        del view, seat
        return -len(hand)

    def danger(self, view: Position, seat: Seat, card: Card) -> float:
        del view, seat, card
        return 0.0


@pytest.mark.parametrize(
    ("game", "seats", "tens", "told"),
    [
        ("canasta", 4, "Ts Th Td Tc", f"You see 4 of 8 tens: {HARDLY}."),
        ("canasta", 4, "Ts Th Td", "You need it little, and Ana hardly has"),
        ("canastra", 2, "Ts Th Td Tc", "Of all you can throw, it gives least to Ana, who holds"),
    ],
)
def test_the_reason_for_a_discard_fits_how_the_pile_is_taken(
    game: str, seats: int, tens: str, told: str
) -> None:
    hands = [f"{tens} 9s", "+9"]
    table = table_of(game, seats=seats, hands=hands, pile="5c", dealer=seats - 1)
    view = table.position.seen(table.position.hand(Seat(0)))
    found, evaluator = BestMoves((table.discard("Ts"),)), Fearless(Weights())
    assert reason(view, found, evaluator, NOTHING_SEEN, ("", "Ana", "", "")).startswith(told)


def counted(
    past: list[tuple[int, Move, Position]], seat: int, kind: str, rank: Rank, seats: int
) -> int:
    public = [one for one in past if isinstance(one[1], Discard | TakePile | TakeTop)]
    count = 0
    for place, (mover, move, before) in enumerate(public):
        if kind == "has thrown" and isinstance(move, Discard):
            count += mover == seat and move.card.card.rank is rank
        if kind == "has taken" and isinstance(move, TakePile) and mover == seat:
            count += sum(shown.card.rank is rank for shown in before.takes)
        if kind == "has taken" and isinstance(move, TakeTop) and mover == seat:
            count += before.pile[-1].card.rank is rank
        if kind == "has left" and isinstance(move, Discard) and (mover + 1) % seats == seat:
            next_ = public[place + 1 : place + 2]
            lay = bool(next_) and isinstance(next_[0][1], Discard)
            count += lay and move.card.card.rank is rank
    return count


def test_a_first_hint_lays_the_move_out_and_a_second_plays_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = table_of("canasta", hands=["Ks Kh Kd Kc Kc 4h 5c 6s", "+9"], stock="+40")
    meld = table.lay("Ks Kh Kd Kc Kc")
    suggest(monkeypatch, meld, table.discard("4h"))
    sent: list[Move] = []
    controls = Controls(lambda *moves: sent.extend(moves))
    controls.show(snapshot_at("canasta", table))
    offered = COMMAND_NAMED["hint"]

    def laid() -> bool:
        assert controls.hand is not None
        staged = controls.hand.staging.move
        return staged is not None and is_alike(staged, meld)

    for before in ("hand", "meld K K K", "undo"):
        run_line(controls, before)
        run_line(controls, "hint")
        assert laid()
        assert controls.notice is not None
        assert controls.notice.text.startswith("Hint: meld K")
        assert re.search(r"Next best: discard 4.\.$", controls.notice.text)
        assert offered.offered(controls)
        assert offered.detail(controls, card_face) == ": play it"
        assert not sent
        controls.undo_all()
        assert offered.detail(controls, card_face) == "", "there must be no meld to play any more"
    run_line(controls, "hint")
    run_line(controls, "hint")
    assert len(sent) == 1
    assert is_alike(sent[0], meld)


def test_hint_is_refused_when_nobody_is_to_move() -> None:
    with pytest.raises(ValueError, match="nobody is to move"):
        hint(table_of("canasta", sheet=ScoreSheet(((), ()), None)).position)


@pytest.mark.usefixtures("throws_at_random")
def test_a_hint_mentions_events_of_the_round() -> None:
    table = table_of("canasta", hands=["Kc Kd", "+9"], melds=[["As Ah Ad"]], pile="8c")
    controls = Controls(lambda *_moves: None)
    king = next(card for card in CANASTA if card.code == "Ks")
    seen = PileEvents((Thrown(Seat(2), "Carla", king),))
    controls.show(evolve(snapshot_at("canasta", table), events=seen))
    ask_hint(controls)
    assert controls.notice is not None
    assert re.match(r"Hint: discard K[♣♦]\. ", controls.notice.text), (
        "the notice must show the card like the screen"
    )
    assert re.match(r"Hint: discard K[cd]\. ", ASCII.plain(controls.notice.text)), (
        "the suit must be a letter"
    )
    assert controls.notice.text.endswith(" Carla has thrown 1 king.")
    assert controls.hand is not None
    assert len(controls.hand.chosen) == 1


@pytest.mark.usefixtures("throws_at_random")
def test_a_lesson_that_asks_for_nothing_gives_the_usual_hint() -> None:
    controls = Controls(lambda *_moves: None)
    lesson = LessonNote(3, 3, Sentence("Play on."), "C60")
    table = table_of("canasta", hands=["Kc Kc", "+9"], melds=[["As Ah Ad"]], pile="8c")
    controls.show(evolve(snapshot_at("canasta", table), lesson=lesson))
    ask_hint(controls)
    assert controls.notice is not None
    assert controls.notice.text.startswith("Hint: discard K♣.")


@pytest.mark.usefixtures("throws_at_random")
def test_a_hint_that_comes_too_late_is_dropped() -> None:
    """The table has moved on while the hint was searched."""
    found: list[Callable[[], None]] = []
    table = table_of("canasta", hands=["Kc Kd", "+9"], pile="8c")
    controls = Controls(lambda *_moves: None)
    controls.think = lambda find, tell: found.append(lambda: tell(find()))
    controls.show(snapshot_at("canasta", table))
    for late in (True, False):
        ask_hint(controls)
        waits = controls.notice
        assert waits is not None
        assert waits.text == "One moment…"
        if late:
            snapshot = controls.snapshot
            controls.show(evolve(snapshot, state=evolve(snapshot.state, head=b"later")))
        found.pop()()
        assert (controls.notice is waits) is late
        assert (controls.hinted is None) is late


@pytest.mark.parametrize(
    ("seen", "name"),
    [
        (NOTHING_SEEN, "the next player"),
        (PileEvents((Thrown(Seat(1), "Zoe", CANASTA[0]),)), "Zoe"),
    ],
)
def test_players_without_names_are_called_by_their_events_or_by_their_place(
    seen: PileEvents, name: str
) -> None:
    table = table_of("canasta", hands=["Ts Th 9s", "+9"], melds=[["6h 6d 6s"]], pile="5c", dealer=3)
    view = table.position.seen(table.position.hand(Seat(0)))
    told = reason(view, BestMoves((table.discard("Ts"),)), Fearless(Weights()), seen)
    assert told == (
        f"You need it little, and {name} hardly has the cards to take the pile with it."
    )


@pytest.mark.parametrize(
    ("gain", "told"),
    [
        (0.5, "In 9 deals that fit what you see, it came off as well as the next best."),
        (1.4, "In 9 deals that fit what you see, it brings 1 point more than the next best."),
    ],
)
def test_the_reason_tells_the_gain_in_simulated_deals(gain: float, told: str) -> None:
    table = table_of("canasta", hands=["Ts Th 9s"], pile="5c", dealer=3)
    view = table.position.seen(table.position.hand(Seat(0)))
    found = BestMoves((table.discard("Ts"),), 9, gain)
    reasons = _Reasons(view, Seat(0), found, Fearless(Weights()), NOTHING_SEEN, ("", "A", "B", "C"))
    assert reasons._tried() == told

"""Hints: a legal move and a sentence, the same for the same view."""

import random
from functools import partial

import pytest

from client.bots.eager import choose
from client.ui.model.controls import Controls
from client.ui.model.regrettable_moves import warning
from client.ui.model.suggested_move import hint
from client.ui.model.table_commands import COMMAND_NAMED
from engine.cards import Rank
from engine.games import GAMES
from engine.moves import Discard, DrawStock, Move
from engine.score_sheet import ScoreSheet
from engine.turn import Step
from tests.client.bots.choices import having_shown
from tests.client.plain_seat import PlainSeat, snapshot_of
from tests.engine.positions import table_of
from tests.engine.simulation import mixed, states


@pytest.mark.parametrize("name", GAMES)
def test_every_hint_is_legal_and_has_its_reason(name: str) -> None:
    game = GAMES[name]
    reasons = set()
    steps = set()
    one_round = states(game, game.options(rounds=1), game.usual_players, 7, mixed)
    for number, (match, move, dealer) in enumerate(one_round):
        if move is None or match.round is None or number % 3:
            continue
        seat = match.round.to_move
        assert seat is not None
        view = dealer.view(match.round, seat)
        given = hint(view)
        match.apply(given.move)
        assert given == hint(view)
        assert given.reason.endswith(".")
        reasons.add(given.reason)
        steps.add(view.turn.step)
    assert {Step.DRAW, Step.PLAY} <= steps
    assert len(reasons) > 2


@pytest.mark.parametrize("name", GAMES)
def test_hint_warning_and_footer_are_one_adviser(name: str) -> None:
    """Whatever is thrown: it is warned of where the footer marks it, which is where the engine says
    that it gives the pile for sure, and another card does not; and what a hint advises is done
    without a question, by any card of that face.
    """
    others = partial(choose, rng=random.Random(2))
    seat = PlainSeat.sit(name, GAMES[name].usual_players, others, seed=3, rounds=1)
    marked = turns = 0
    while not seat.state.match.over:
        if seat.chooses and seat.view is not None and seat.view.turn.step is Step.PLAY:
            turns += 1
            marked += _marks(seat, advised=turns % 6 == 1)
        seat.step(others)
    assert turns
    assert marked or name != "canasta"


def _marks(seat: PlainSeat, *, advised: bool) -> int:
    """How many cards of the hand the footer marks; all is checked on the way."""
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
            controls.ask_hint()
            controls.discard()
            assert sent == [move], "what was advised is done without a question"
            break
    return marked


def test_the_reason_to_draw_tells_whether_the_pile_could_be_had() -> None:
    hand, melds = "5c 2s 8h 8d Qd 7c Jc Ts", [["As Ah Ad"]]
    dear = table_of("canasta", hands=[hand], melds=melds, pile="5h", step=Step.DRAW)
    shut = table_of("canasta", hands=[hand], melds=melds, pile="3s", step=Step.DRAW)
    assert isinstance(hint(dear.position).move, DrawStock)
    assert hint(dear.position).reason == "The pile is not worth what taking it would cost you."
    assert hint(shut.position).reason == "The pile cannot be taken with the cards you hold."


def test_a_safe_discard_is_called_safe() -> None:
    table = table_of(
        "canasta",
        hands=["Kc 7h 9d 3s Qc 8h", "4h 5h 6c 7c 7d 9c"],
        melds=[["As Ah Ad"], ["Ks Kh Kd"]],
        pile="4s 6h Js 5c Qh 6d 4d Jd",
    )
    given = hint(table.position.seen({s.slot: s.card for s in table.hand("Kc 7h 9d 3s Qc 8h")}))
    assert given.reason == "You need it little, and the pile cannot be taken with it."
    (shown,) = [s for s in table.hand("3s") if s.card.rank is Rank.THREE]
    assert shown.slot == given.move.card.slot  # type: ignore[union-attr]


def told(hands: list[str], pile: str, taken: str = "") -> str:
    """The reason for what is thrown in Canasta, if all have seen the cards `taken` of seat 1."""
    table = table_of("canasta", hands=hands, melds=[["As Ah Ad"], ["Qh Qs Qd"]], pile=pile)
    if taken:
        table = having_shown(table, 1, taken)
    return hint(table.position.seen({s.slot: s.card for s in table.hand(hands[0])})).reason


def test_a_hint_says_what_the_next_player_left_lying() -> None:
    # The fives were thrown before seat 1 had its last two turns, and they still lie there.
    pile = "5s 8c 6d 4h 5c 9d 6c 4d"
    assert told(["5h Kc Kd Kh 7c 7d", "+9"], pile).endswith(
        "A card like it was left lying by the next player before."
    )


def test_a_hint_says_which_cards_the_next_player_took() -> None:
    reason = told(["9h Kc Kd Kh 4c 7d", "9s 9c 6h 6s 5d"], "8c", "9s 9c")
    assert "The next player took 9c 9s with the pile" in reason or "9s 9c with the pile" in reason
    assert "with the pile: keep" not in told(["9h Kc Kd Kh 4c 7d", "9s 9c 6h 6s 5d"], "8c")


def test_where_nobody_is_to_move_there_is_no_hint() -> None:
    with pytest.raises(ValueError, match="nobody is to move"):
        hint(table_of("canasta", sheet=ScoreSheet(((), ()), None)).position)

"""Lies about one's own cards: when they are played, laid, and opened at the end."""

import random
from itertools import count

import pytest
from attrs import evolve

from engine.cards import Rank
from engine.moves import Discard, DrawStock, Move, Pass, ShowBonus, shown_by
from engine.position import Position
from engine.slots import Shown
from protocol.entries import MoveContent, OpenContent
from protocol.group import Scalar
from protocol.unlock import unlock
from tests.attacks import false_faces
from tests.attacks.forging import lock_of, unlock_proof
from tests.protocol.played import Moment, discarding, opening
from tests.protocol.ring import Ring


def unseen(moment: Moment) -> list[Shown]:
    """Return the writer's hand without cards that all have seen, and those the rules keep there."""
    view = moment.ring.players[moment.writer].view(moment.state)
    assert view is not None
    hand = view.hand(moment.state.match.seat_of(moment.writer))
    return [
        shown
        for shown in hand
        if moment.state.cards.face(shown.slot) is None and shown.card.code not in {"3h", "3d"}
    ]


def test_the_slot_of_one_card_and_face_of_another_of_ones_hand_is_exposed() -> None:
    moment = discarding()
    one, two = unseen(moment)[:2]
    assert moment.cause(false_faces.discarded(moment, Shown(one.slot, two.card))) == "unlock:dleq"


def test_a_lie_about_a_card_that_is_opened_at_the_end_is_exposed() -> None:
    """Exchange two cards, or replace one, with the true proof and with one about the lie."""
    moment = opening()
    honest = moment.the(OpenContent)
    one, two = [s for s in honest.cards if moment.state.cards.face(s.slot) is None][:2]
    exchanged = {one: Shown(one.slot, two.card), two: Shown(two.slot, one.card)}
    for lies in (exchanged, {one: false_faces.twin(moment, one)}):
        told = false_faces.opened(moment, lies)
        assert moment.cause(told) == "unlock:dleq"
        assert moment.cause(evolve(told, proofs=honest.proofs)) == "unlock:dleq"


def test_a_share_scaled_so_that_it_is_no_card_is_exposed() -> None:
    moment = discarding()
    (true,) = shown_by(moment.the(MoveContent).move)
    key = lock_of(moment)
    (point,) = unlock(key, moment.state.cards.locked([true.slot]))
    proof = unlock_proof(moment, key, [true.slot], [Scalar.of(3) * point])
    assert moment.cause(MoveContent(Discard(true), (proof,))) == "unlock:dleq"


def dull(view: Position, _: random.Random) -> Move:
    """Lay red threes that are drawn, draw, and discard the first card."""
    assert view.to_move is not None
    wanted = (ShowBonus, DrawStock, Discard, Pass)
    moves = [m for m in view.legal_moves(view.to_move) if isinstance(m, wanted)]
    return min(moves, key=lambda move: wanted.index(type(move)))


def with_a_red_three(penalties: bool) -> tuple[Ring, list[Shown]]:
    """Return a table at which the first hand to move was dealt red threes, and these."""
    for seed in count(1):
        ring = Ring.sit(players=2, seed=seed, rounds=1, penalties=penalties)
        ring.play_until("move")
        ring.step()  # the cut
        ring.play_until("move")
        view = ring.players[ring.state.writers[0]].view(ring.state)
        assert view is not None
        assert view.to_move is not None
        threes = [s for s in view.hand(view.to_move) if s.card.rank is Rank.THREE and s.card.red]
        if threes:
            return ring, threes
    raise AssertionError


@pytest.mark.parametrize(("penalties", "clause"), [(False, "C67a"), (True, "C97")])
def test_red_three_kept_hidden_is_found_when_the_hand_is_opened(
    penalties: bool, clause: str
) -> None:
    """Keep it: nobody can see it before, nobody can hide it for ever, and it costs its holder."""
    ring, threes = with_a_red_three(penalties)
    side = ring.state.match.seat_of(ring.state.writers[0])
    ring.step(lambda *_: ShowBonus(()))
    ring.play(dull)
    (sheet,) = ring.state.match.sheets
    (kept,) = (item for item in sheet.sides[side] if item.clause == clause)
    assert (kept.count, kept.points < 0) == (len(threes), True)

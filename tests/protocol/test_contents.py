"""Contents of each kind of entry: R12 to R17 of spec/record.md, and the points in them (R9)."""

from attrs import evolve

from engine.canasta.deck import CANASTA
from engine.moves import Cut, Discard, Pass, shown_by
from engine.slots import Shown, Slot
from protocol.entries import (
    CloseContent,
    Given,
    MoveContent,
    OpenContent,
    ShuffleContent,
    UnlockContent,
)
from tests.protocol.played import (
    discarding,
    from_a_second_deal,
    opening,
    played,
    shuffling,
    unlocking,
)


def test_r12_a_shuffle_is_of_the_cards_that_are_to_be_shuffled() -> None:
    moment = shuffling()
    content = moment.the(ShuffleContent)
    cards = content.cards
    for wrong in (cards[:-1], cards[::-1], (1, *cards[1:]), ()):
        assert moment.cause(evolve(content, cards=wrong)) == "R12"
    assert moment.cause(evolve(content, first=Slot(1))) == "R12"


def test_r13_an_unlock_key_is_new() -> None:
    moment = shuffling()
    content = moment.the(ShuffleContent)
    before = played().at(1).the(ShuffleContent)
    assert moment.cause(evolve(content, unlock_key=before.unlock_key)) == "R13"


def test_a_shuffled_deck_has_as_many_cards_as_before() -> None:
    moment = shuffling()
    content = moment.the(ShuffleContent)
    for wrong in (content.outputs[:-32], content.outputs[:-1], b"", 2 * content.outputs[:32]):
        assert moment.cause(evolve(content, outputs=wrong)) == "shuffle:length"
    assert moment.cause(evolve(content, proof=content.proof[:-32])) == "R9"


def test_r14_an_unlocking_is_of_what_was_ordered() -> None:
    moment = unlocking()
    content = moment.the(UnlockContent)
    first, second, *rest = content.gives
    for wrong in (
        content.gives[1:],
        (second, first, *rest),
        (*content.gives, first),
        (evolve(first, player=None), second, *rest),
        (evolve(first, player=1 - (first.player or 0)), second, *rest),
        (evolve(first, slot=Slot(107)), second, *rest),
        (),
    ):
        assert moment.cause(evolve(content, gives=wrong)) == "R14"


def test_r14_nobody_is_helped_to_a_card_that_was_not_ordered() -> None:
    """A lock comes off where the rules have given a card, and nowhere else."""
    moment = unlocking()
    content = moment.the(UnlockContent)
    more = Given(Slot(107), moment.other)
    shares = (*content.shares, content.shares[0])
    assert moment.cause(evolve(content, gives=(*content.gives, more), shares=shares)) == "R14"


def test_an_unlocking_has_a_share_for_each_card_and_a_proof() -> None:
    moment = unlocking()
    content = moment.the(UnlockContent)
    for shares in (content.shares[1:], (*content.shares, content.shares[0]), ()):
        assert moment.cause(evolve(content, shares=shares)) == "unlock:length"
    for proofs in ((), 2 * content.proofs):
        assert moment.cause(evolve(content, proofs=proofs)) == "unlock:length"
    assert moment.cause(evolve(content, shares=(bytes(32), *content.shares[1:]))) == "R9"


def test_a_move_that_the_rules_forbid_exposes_with_its_clause() -> None:
    moment = discarding()
    assert moment.cause(MoveContent(Pass(), ())).startswith("C")
    assert moment.cause(MoveContent(Cut(2), ())) == "X10"


def test_a_card_that_is_not_in_the_hand_exposes_who_plays_it() -> None:
    moment = discarding()
    content = moment.the(MoveContent)
    round_ = moment.state.match.round
    assert round_ is not None
    seat = moment.state.match.seat_of(moment.other)
    for slot in (round_.hands[seat][0], round_.stock[0], round_.pile[-1].slot, Slot(60_000)):
        move = Discard(Shown(slot, shown_by(content.move)[0].card))
        assert moment.cause(evolve(content, move=move)) == "X11"


def test_r15_a_card_that_was_seen_keeps_its_face() -> None:
    moment = opening()
    content = moment.the(OpenContent)
    state = moment.state
    at = next(i for i, c in enumerate(content.cards) if state.cards.face(c.slot) is not None)
    lie = evolve(content.cards[at], card=CANASTA[content.cards[at].card.number - 1])
    cards = (*content.cards[:at], lie, *content.cards[at + 1 :])
    assert moment.cause(evolve(content, cards=cards)) == "R15"


def test_r15_a_card_is_one_of_its_deal() -> None:
    """After a reshuffle in mid-round, cards on the table cannot come from the new stock."""
    moment = next(filter(from_a_second_deal, played("kanastic", 2).moments))
    content = moment.the(MoveContent)
    slot = shown_by(content.move)[0].slot
    in_deal = set(moment.state.cards.last.deck.card_numbers)
    deck = moment.state.match.deck
    foreign = next(card for card in deck if card.number not in in_deal and card.suit is not None)
    move = Discard(Shown(slot, foreign))
    assert moment.cause(evolve(content, move=move)) == "R15"


def test_r16_the_whole_hand_is_opened_in_its_order() -> None:
    moment = opening()
    content = moment.the(OpenContent)
    cards = content.cards
    assert len(cards) > 1
    for wrong in (cards[1:], cards[:-1], cards[::-1], (*cards, cards[0]), ()):
        assert moment.cause(evolve(content, cards=wrong)) == "R16"


def test_r17_all_sign_the_same_points_of_the_same_round() -> None:
    for moment in [m for m in played().moments if m.body.content.kind == "close"]:
        content = moment.the(CloseContent)
        mine, theirs = content.points
        for wrong in (
            evolve(content, points=(mine + 5, theirs)),
            evolve(content, points=(theirs, mine)) if mine != theirs else None,
            evolve(content, points=(mine,)),
            evolve(content, points=()),
            evolve(content, round_number=2),
            evolve(content, last=not content.last),
        ):
            if wrong is not None:
                assert moment.cause(wrong) == "R17"

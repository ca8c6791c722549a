"""Entries as judged by a verifier that does not know the rules of the game."""

from attrs import evolve

from engine.moves import Pass
from protocol.entries import Body, Given, MoveContent, ShuffleContent, UnlockContent
from protocol.without_rules import is_known_due, passes_without_rules
from tests.protocol.played import discarding, played


def test_without_the_rules_it_is_unknown_if_a_hand_without_hidden_cards_is_opened() -> None:
    """Its player may have open cards in hand, taken from the pile, or no cards at all."""
    moments = played("canasta", 4).moments
    first = next(m.state.height for m in moments if m.body.content.kind == "open")
    known = [is_known_due(moment.state) for moment in moments[first + 1 : first + 4]]
    assert known == [False, True, False]


def test_without_the_rules_a_stock_may_be_rebuilt_of_any_cards_that_lie_open() -> None:
    """Only the rules say when a stock is rebuilt.

    But each card can be taken only once, because then it no longer lies open.
    """
    moments = played("kanastic", 2).moments
    *_, at, _ = (m.state.height for m in moments if m.body.content.kind == "shuffle")
    content = moments[at].the(ShuffleContent)
    first, cards, due = content.first, content.cards, moments[at].state
    before = due.cards.deals[-2]
    faces = {due.cards.face(slot) for slot in due.cards.points if slot in before}
    hidden = next(number for number in before.deck.card_numbers if number not in faces)
    for height, changes, passes in (
        (at, {}, True),
        (at - 3, {}, False),  # the last card has not been discarded yet
        (at - 3, {"cards": cards[:-1]}, True),
        (at - 3, {"cards": cards[:-1], "first": first + 1}, False),
        (at - 3, {"cards": (*cards[:-1], cards[0])}, False),
        (at - 3, {"cards": (*cards[:-1], hidden)}, False),
        (at - 3, {"cards": ()}, False),
        (at + 2, {}, False),
        (at + 2, {"first": first + len(cards)}, False),
    ):
        state = moments[height].state
        wrong = evolve(content, **changes)
        body = Body(state.next_place, moments[at].writer, wrong)
        assert passes_without_rules(state, body) == passes, (height - at, changes)
        assert not passes_without_rules(state, evolve(body, writer=1 - body.writer))
    for height, passes in ((at, True), (at + 1, False)):  # the others shuffle the new stock as well
        state = moments[height].state
        body = Body(state.next_place, moments[height].writer, MoveContent(Pass(), ()))
        assert passes_without_rules(state, body) == passes


def test_without_the_rules_any_cards_of_the_stock_may_be_given_to_players() -> None:
    moment = discarding()
    state, writer = moment.state, moment.writer
    assert state.match.round is not None
    one, two = state.match.round.stock[:2]
    dealt = state.match.round.hands[0][0]
    mine, theirs = 1 - writer, writer
    for gives, passes in (
        ([Given(one, mine)], True),
        ([Given(one, theirs)], False),  # whoever is to the left of the receiver unlocks first
        ([Given(one, mine), Given(two, theirs)], True),
        ([Given(one, mine), Given(two, None)], True),
        ([Given(one, mine), Given(two, 2)], False),
        ([Given(one, 2)], False),
        ([Given(one, mine), Given(one, theirs)], False),
        ([Given(one, mine), Given(dealt, mine)], False),
        ([], False),
    ):
        body = Body(state.next_place, writer, UnlockContent(tuple(gives), (), ()))
        assert passes_without_rules(state, body) == passes, gives


def test_without_the_rules_a_card_of_a_hand_set_aside_may_be_given() -> None:
    """Only the rules say when somebody takes up that hand."""
    moment = next(one for one in played("canastra").moments if one.body.content.kind == "move")
    state, writer = moment.state, moment.writer
    assert state.match.round is not None
    given = Given(state.match.round.set_aside[0][0], 1 - writer)
    body = Body(state.next_place, writer, UnlockContent((given,), (), ()))
    assert passes_without_rules(state, body)

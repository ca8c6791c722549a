"""A search for secrets in the whole record of a round.

The bytes that leave a node depend on its secrets only through locks, proofs and signatures.
"""

import base64

import pytest

from engine.moves import shown_by
from engine.slots import Slot, slots_of
from protocol.codec import encode
from protocol.entries import MoveContent, OpenContent, UnlockContent
from protocol.group import Point, times_base
from protocol.lock_state import LockedDeal
from protocol.player import Player
from tests.protocol.played import Played, played

TABLES = [("canasta", 4), ("kanastic", 2), ("canastra", 2)]


def scalar_forms(secret: bytes) -> set[bytes]:
    """Return a secret number in all forms in which it could leak."""
    number = int.from_bytes(secret, "little")
    return {
        secret,
        secret[::-1],
        secret.hex().encode(),
        secret[::-1].hex().encode(),
        str(number).encode(),
        base64.b64encode(secret).rstrip(b"="),
        encode(secret),
    }


def order_forms(order: tuple[int, ...]) -> set[bytes]:
    """Return runs of eight numbers of a permutation, in all forms in which they could leak."""
    inverse = tuple(sorted(range(len(order)), key=order.__getitem__))
    forms = set()
    for numbers in (order, inverse):
        for start in range(0, len(numbers) - 8, 4):
            part = numbers[start : start + 8]
            forms |= {
                bytes(part),
                b"".join(n.to_bytes(2, "big") for n in part),
                b"".join(n.to_bytes(4, "little") for n in part),
                encode(part)[1:],
                ",".join(map(str, part)).encode(),
                repr(list(part))[1:-1].encode(),
            }
    return forms


def found(secrets: set[bytes], sent: bytes) -> set[bytes]:
    return {secret for secret in secrets if secret in sent}


def deals_of(one: Played) -> list[LockedDeal]:
    """Return each deal of the round as it was after the last shuffle."""
    deals = {
        deal.number: deal
        for moment in one.moments
        for deal in moment.state.cards.deals
        if len(deal.keys) == len(one.table.players)
    }
    return list(deals.values())


def faces_of(deal: LockedDeal, players: list[Player]) -> dict[Slot, int]:
    """Return the card in each slot, which only all players together could know."""

    def open_card(point: Point) -> int:
        for player in players:
            point = player._locks[deal.number].unlock * point
        number = deal.deck.card_number(point)
        assert number is not None
        return number

    return {Slot(deal.first + i): open_card(point) for i, point in enumerate(deal.outputs)}


@pytest.mark.parametrize("table", TABLES)
def test_no_lock_leaves_its_player(table: tuple[str, int]) -> None:
    one = played(*table)
    sent = one.record()
    for player in one.table.players:
        assert len(player._locks) >= 2
        for key in player._locks.values():
            secrets = scalar_forms(key.lock.encode()) | scalar_forms(key.unlock.encode())
            assert not found(secrets, sent)
            assert key.seed not in sent
            assert not found({times_base(key.lock).encode()}, sent)  # harmless, but not needed


@pytest.mark.parametrize("table", TABLES)
def test_no_permutation_leaves_its_player(table: tuple[str, int]) -> None:
    """The test finds each player's order by unlocking their outputs, and then searches for it."""
    one = played(*table)
    sent = one.record()
    for moment in one.moments:
        if moment.body.content.kind != "shuffle":
            continue
        before = moment.state.cards.last
        after = one.moments[moment.state.height + 1].state.cards
        deal = next(deal for deal in after.deals if deal.number == before.number)
        unlock = one.table.players[moment.writer]._locks[deal.number].unlock
        place_of = {point: i for i, point in enumerate(before.outputs)}
        order = tuple(place_of[unlock * point] for point in deal.outputs)
        assert sorted(order) == list(range(len(order)))
        assert not found(order_forms(order), sent)


def shown_at(one: Played) -> dict[tuple[int, Slot], int]:
    """Return the height of the entry that showed each card, by deal and slot."""
    shown: dict[tuple[int, Slot], int] = {}
    for moment in one.moments:
        match content := moment.body.content:
            case UnlockContent() if len(moment.state.writers) == 1:
                slots = tuple(given.slot for given in content.gives if given.player is None)
            case MoveContent():
                slots = slots_of(shown_by(content.move))
            case OpenContent():
                slots = slots_of(content.cards)
            case _:
                continue
        for slot in slots:
            place = moment.state.cards.deal_of(slot).number, slot
            shown.setdefault(place, moment.state.height + 1)
    return shown


@pytest.mark.parametrize("table", TABLES)
def test_no_card_is_revealed_before_it_is_shown(table: tuple[str, int]) -> None:
    """The point of a card is in no bytes that are sent before the card is shown.

    If the card is never shown, its point is nowhere.
    """
    one = played(*table)
    shown = shown_at(one)
    never_shown = 0
    for deal in deals_of(one):
        for slot, number in faces_of(deal, one.table.players).items():
            height = shown.get((deal.number, slot))
            never_shown += height is None
            sent = one.record(upto=None if height is None else height - 1)
            point = deal.deck.point(number)
            assert point is not None
            assert not found({point.encode()}, sent)
    assert never_shown > 100  # the draw for seats alone has so many


@pytest.mark.parametrize("table", TABLES)
def test_every_face_in_an_entry_is_proven_by_that_entry_or_an_earlier_one(
    table: tuple[str, int],
) -> None:
    """The state after an entry knows each face that the entry names."""
    one = played(*table)
    states = [*(moment.state for moment in one.moments[1:]), one.table.state]
    for moment, after in zip(one.moments, states, strict=True):
        match content := moment.body.content:
            case MoveContent():
                named = shown_by(content.move)
            case OpenContent():
                named = content.cards
            case _:
                continue
        assert all(after.cards.face(shown.slot) == shown.card.number for shown in named)


def test_the_search_finds_leaked_secrets() -> None:
    """Without this, the tests above could pass because they find nothing."""
    one = played()
    sent = one.record()
    key = one.table.players[0]._locks[1]
    for form in scalar_forms(key.lock.encode()):
        assert found(scalar_forms(key.lock.encode()), sent + form + sent) >= {form}
    order = tuple(range(107, -1, -1))
    for leak in (bytes(order), encode(order), str(list(order)).encode()):
        assert found(order_forms(order), sent + leak)

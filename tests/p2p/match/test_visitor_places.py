"""The places for visitors at a node, and the rules by which newcomers take them (nodes.md, 3.3)."""

import random
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from attrs import define

from p2p.match import visitor_places as shared
from p2p.match.visitor_places import SAFE_SECONDS, Places

pytestmark = pytest.mark.usefixtures("autojump_clock")

MOST = 3


@define(eq=False, init=False)
class Visitor(shared.Visitor):
    """A visitor who takes a place until they are sent away."""

    def __init__(self, key: bytes, known: bool = False, address: str = "elsewhere") -> None:
        link: Any = SimpleNamespace(peer=key, address=address)
        not_used: Any = None
        self.__attrs_init__(link, known, not_used, not_used)

    @property
    def key(self) -> bytes:
        return self.link.peer

    @property
    def is_here(self) -> bool:
        return not self.scope.cancel_called


def filled(*known: bool) -> tuple[Places[Visitor], list[Visitor]]:
    """Return places, and the visitors in them: friends or strangers as given by `known`."""
    places = Places[Visitor](MOST, random.Random(1))
    visitors = [Visitor(bytes([number]), yes) for number, yes in enumerate(known)]
    for visitor in visitors:
        assert places.has_room(visitor)
        places.enter(visitor)
    return places, visitors


STRANGER = Visitor(b"stranger")


async def test_3_3_a_friend_takes_a_strangers_place_if_none_is_free() -> None:
    """Nobody has to go while a place is free, and nobody takes the place of a friend."""
    places, strangers = filled(False, False)
    friends = [Visitor(b"friend %d" % number, known=True) for number in range(4)]
    for gone, friend in enumerate(friends[:3]):
        assert places.has_room(STRANGER) == (gone == 0)
        assert places.has_room(friend)
        places.enter(friend)
        here = [visitor for visitor in strangers if visitor.is_here]
        assert len(here) == 2 - gone
        assert list(places) == [*here, *friends[: gone + 1]]
    assert not places.has_room(friends[3])
    assert not places.has_room(STRANGER)


async def test_3_3_strangers_at_one_address_leave_places_to_other_addresses() -> None:
    """A newcomer gets the place of a stranger from the fullest address; friends keep theirs."""
    places, visitors = filled(True, False, False)
    other = Visitor(b"other", address="another place")
    assert places.has_room(other)
    places.enter(other)
    assert [visitor.is_here for visitor in visitors].count(False) == 1
    assert visitors[0].is_here
    assert other in places
    assert not places.has_room(Visitor(b"third", address="another place"))


async def test_3_3_a_stranger_who_has_stayed_long_makes_room_for_another() -> None:
    places, visitors = filled(True)
    for number in range(2):
        places.enter(Visitor(bytes([9, number]), address=f"192.0.2.{number}"))
    other = Visitor(b"other", address="198.51.100.1")
    assert not places.has_room(other)
    await trio.sleep(SAFE_SECONDS)
    assert places.has_room(other)
    places.enter(other)
    assert next(iter(places)) is visitors[0]
    assert other in places
    places.enter(Visitor(b"third", address="198.51.100.2"))
    assert other in places, "a newcomer's place is not safe"
    assert not places.has_room(Visitor(b"fourth", address="198.51.100.3"))


@pytest.mark.parametrize("others", [(), (False, False)], ids=["alone", "two others"])
async def test_a_visitor_who_comes_again_keeps_their_place(others: tuple[bool, ...]) -> None:
    """The visitor's older link is closed, but its end must not free the place."""
    places, (older, *rest) = filled(False, *others)
    again = Visitor(older.key)
    assert places.has_room(again)
    places.enter(again)
    assert not older.is_here
    assert list(places) == [*rest, again]
    assert all(visitor.is_here for visitor in rest)
    places.leave(older)
    assert list(places) == [*rest, again]
    places.leave(again)
    assert list(places) == rest


@pytest.mark.parametrize("is_sent_away", [False, True])
async def test_a_visitor_has_a_place_while_somebody_accompanies_them(is_sent_away: bool) -> None:
    """The place is free only when the link is closed, which sends the last messages first.

    A visitor who is sent away loses the place at once.
    """
    places, visitor, done = Places[Visitor](MOST), Visitor(b"visitor"), list[object]()

    def note(what: str) -> None:
        done.append((trio.current_time(), what, len(places)))

    async def accompany(_visitor: Visitor) -> None:
        await trio.sleep(3)
        note("accompanied")

    async def beat(_visitor: Visitor) -> None:
        note("beats")
        await trio.sleep_forever()

    async def aclose() -> None:
        await trio.lowlevel.checkpoint()
        note("closed")

    visitor.link.aclose = aclose  # type: ignore[method-assign]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(places.serve, visitor, lambda: note("changed"), accompany, beat)
        await trio.sleep(1)
        if is_sent_away:
            places.close()
    came = [(0, "changed", 1), (0, "beats", 1)]
    gone = [(3, "accompanied", 1), (3, "closed", 1), (3, "changed", 0)]
    assert done == came + ([(1, "changed", 0)] if is_sent_away else gone)


async def test_closing_the_places_sends_all_visitors_away() -> None:
    places, visitors = filled(False, True, False)
    places.close()
    assert not any(visitor.is_here for visitor in visitors)

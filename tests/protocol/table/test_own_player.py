"""A node's own player: their view, their choices, and their entries."""

from types import SimpleNamespace
from typing import Any

import pytest

from engine.errors import IllegalMove
from engine.moves import Cut
from protocol.entries import MoveContent
from protocol.errors import Refused
from protocol.player import LOST_LOCK, Player
from protocol.table.own_player import OwnPlayer
from tests.protocol.played import Moment, discarding, played, unlocking


def player_at(moment: Moment, me: int, *, locks: bool = True, **record: bool) -> OwnPlayer:
    """Player `me` there, with their locks or without; `record` is what is special about it."""
    usual = {"over": False}
    live: Any = SimpleNamespace(state=moment.state, me=me, **{**usual, **record})
    player = OwnPlayer(live, moment.ring.signers[me])
    if locks:
        kept = moment.ring.players[me]._locks
        player._player = Player(me, moment.ring.signers[me], dict(kept))
    return player


def test_a_move_is_chosen_and_then_written() -> None:
    moment = discarding()
    player, move = player_at(moment, moment.writer), moment.the(MoveContent).move
    assert player.trouble is None
    assert player.view is not None
    assert (player.chooses, player.can_write) == (True, False)
    with pytest.raises(IllegalMove):
        player.choose(Cut(10_000))
    assert (player.chooses, player.can_write) == (True, False)
    player.choose(move)
    assert (player.chooses, player.can_write) == (False, True)
    with pytest.raises(Refused, match="not your turn"):
        player.choose(move)
    assert player.advanced(erases=False) == ()
    assert (player.chooses, player.can_write) == (True, False)


def test_what_takes_no_choice_can_be_written_by_whoever_owes_it() -> None:
    moment = unlocking()
    writer, other = player_at(moment, moment.writer), player_at(moment, moment.other)
    assert (writer.chooses, writer.can_write) == (False, True)
    assert (other.chooses, other.can_write) == (False, False)
    with pytest.raises(Refused, match="not your turn"):
        other.choose(Cut(1))


def test_nobody_writes_when_it_is_over() -> None:
    for moment in (unlocking(), discarding()):
        player = player_at(moment, moment.writer, over=True)
        assert (player.chooses, player.can_write) == (False, False)
        assert player.view is not None
        with pytest.raises(Refused, match="not your turn"):
            player.choose(Cut(1))
        lost = player_at(moment, moment.writer, locks=False, over=True)
        assert lost.trouble is None  # nothing of theirs is missing there


def test_who_has_lost_a_lock_looks_on() -> None:
    for moment in (unlocking(), discarding()):
        player = player_at(moment, moment.writer, locks=False)
        assert player.trouble == LOST_LOCK
        assert player.view is None
        assert (player.chooses, player.can_write) == (False, False)
        with pytest.raises(Refused) as raised:
            player.choose(Cut(1))
        assert raised.value.sentence == LOST_LOCK


def test_nobody_shuffles_next_when_it_is_over() -> None:
    moments = played().moments
    at = next(i for i, one in enumerate(moments) if one.body.content.kind == "shuffle")
    me = moments[at + 1].writer
    assert player_at(moments[at], me).shuffles_next
    assert not player_at(moments[at], me, over=True).shuffles_next


def test_the_locks_that_nothing_is_written_with_any_more_are_named() -> None:
    """None while entries may be missing."""
    last = played().moments[-1]
    me = last.writer
    left_behind = last.ring.players[me]._locks.keys() - {d.number for d in last.state.cards.deals}
    old = {f"lock/{number:06}" for number in left_behind}
    assert player_at(last, me).advanced(erases=False) == ()
    assert old
    assert {*player_at(last, me).advanced(erases=True)} == old

"""A player for whom the table waits, and what the others can agree on (R19)."""

from collections.abc import Collection
from typing import Protocol

import trio
from attrs import evolve, frozen

from client.session.display.node_interface import NodeAtSeat
from p2p.replacement.waiting_room import Candidate
from p2p.table.changes import Awaited
from p2p.table.resync import NOBODY_UNHEARD, Unheard
from protocol.entries import AbsentContent
from protocol.errors import Refused

TELL_SECONDS = 10
"""Seconds until the table says that it waits for a player whose machine cannot be reached."""

_THINK_SECONDS = 30
"""Seconds until the table says that it waits for a player who may just be thinking."""

_OWN_SECONDS = 60  # of grace left, from which on the awaited person is warned
_OWN_PATIENCE = 5  # seconds before nobody is warned, however short the grace


Players = tuple[int, ...]
"""Player numbers, ascending."""


class SubstituteSource(Protocol):
    """Bots of this machine that can take the seats of absent players."""

    @property
    def own(self) -> Players:
        """The players whose seats such bots have."""

    @property
    def alone(self) -> bool:
        """Whether nobody else but these bots is at the table: there is nobody to talk to."""

    async def invite(self, absent: Players) -> None:
        """Propose that new bots take the seats, and let them play there once all have agreed.

        Raises Refused.
        """


@frozen
class SeatBots:
    """The proposal that bots of this machine take the seats of `players`."""

    players: Players


@frozen
class SeatPerson:
    """The proposal that a candidate, who has asked for it, takes the seat of `player`."""

    player: int
    candidate: Candidate


Proposal = AbsentContent | SeatBots | SeatPerson
"""What a player can propose, or agree to, when another is absent."""


@frozen
class Absence:
    """`player` has been awaited for `silent` seconds; their absence can be agreed on in
    `grace_left` seconds.

    `left`: they have said goodbye. `linked`: this machine has a link to the player's. `unheard`:
    whose word this machine needs before it may write. `cut_off`: this machine reaches none of
    several others. Nor is anything offered to agree on where it does not reach the only one, for
    nobody can say which machine is away. `proposals`: those of all; `agreed`: our own
    vote is given. `groups`: sets of players whose absence the others are enough to agree on, the
    player alone or with all who cannot be reached. `candidates`: people who ask for the seat;
    `invited`: the one who is being asked to sign.
    """

    player: int
    silent: int
    grace_left: int
    left: bool = False
    linked: bool = True
    unheard: Unheard = NOBODY_UNHEARD
    proposals: tuple[AbsentContent, ...] = ()
    agreed: bool = False
    cut_off: bool = False
    groups: tuple[Players, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    invited: Candidate | None = None

    @property
    def may_agree(self) -> bool:
        """Whether the players present are enough to agree on anything."""
        return bool(self.groups)


def absence_at(
    seat: NodeAtSeat,
    *,
    agreed: bool,
    invited: Candidate | None = None,
    left: Collection[int] = (),
    own: Collection[int] = (),
) -> Absence | None:
    """Who is awaited at the table of `seat`; None while it is too early to say so. Those who `left`
    have said goodbye; a link to the `own` opponents, bots of this machine, says nothing of its
    network.
    """
    awaited = seat.awaited
    if awaited is None:
        return None
    expected = expected_elsewhere(len(seat.state.charter.members), {seat.me, *left, *own})
    lonely = is_lonely(seat.unreached, expected)
    absence = Absence(
        player=awaited.player,
        silent=int(trio.current_time() - awaited.since),
        grace_left=-int(-seat.grace_left // 1),
        left=awaited.player in left,
        linked=awaited.linked,
        unheard=awaited.unheard,
        proposals=tuple(evolve(content, counted=None) for content in seat.proposals),
        agreed=agreed,
        cut_off=lonely and len(expected) > 1,
        groups=() if lonely else _groups(seat, awaited),
        candidates=seat.candidates,
        invited=invited,
    )
    if awaited.player == seat.me:
        worth = (seat.chooses or bool(absence.unheard)) and _is_worth_own(absence)
    else:
        worth = _is_worth(absence)
    return absence if worth else None


def expected_elsewhere(members: int, others: Collection[int]) -> frozenset[int]:
    """The players whose machines are to be reached over the network: all but `others`, who are
    here, or have said goodbye.
    """
    return frozenset(range(members)).difference(others)


def is_lonely(unreached: Collection[int], expected: frozenset[int]) -> bool:
    """Whether this machine may itself be the one that is away: it reaches none of the expected."""
    return bool(expected) and expected.issubset(unreached)


def _is_worth(absence: Absence) -> bool:
    patience = _THINK_SECONDS if absence.linked else TELL_SECONDS
    return absence.left or absence.silent >= patience or not absence.grace_left


def _is_worth_own(absence: Absence) -> bool:
    """Whether to warn this person: the others could soon agree on their absence."""
    if absence.unheard:
        return absence.silent >= TELL_SECONDS
    late = absence.grace_left <= _OWN_SECONDS and absence.silent >= _OWN_PATIENCE
    return absence.may_agree and late


def _groups(seat: NodeAtSeat, awaited: Awaited) -> tuple[Players, ...]:
    alone = (awaited.player,)
    missing = alone if awaited.linked else tuple(sorted({awaited.player, *seat.unreached}))
    return tuple(group for group in dict.fromkeys((alone, missing)) if _may_agree(seat, group))


def _may_agree(seat: NodeAtSeat, absent: Players) -> bool:
    try:
        seat.absence(AbsentContent(absent))
    except Refused:
        return False
    return True

"""A player for whom the table waits: what is known, and what the others can agree on (R19)."""

from typing import Protocol

import trio
from attrs import evolve, field, frozen

from client.session.seat import OwnSeat
from p2p.replacement.applicants import Candidate
from p2p.table.node import Awaited
from protocol.entries import AbsentContent
from protocol.errors import Refused

TELL_SECONDS = 10
"""How long somebody is waited for before it is worth a word, if that machine cannot be reached."""

THINK_SECONDS = 30
"""How long somebody is waited for before it is worth a word, who may just be thinking."""

_OWN_SECONDS = 60  # of grace, when the person should know that they are running out
_OWN_PATIENCE = 5  # seconds in which nobody is told so, however short the grace


Players = tuple[int, ...]
"""Numbers of players, the lowest first."""


class House(Protocol):
    """Opponents that could take the seat of a player who stays away."""

    async def invite(self, absent: Players) -> None:
        """Propose that new opponents take the seats, and have them play on there once all have
        agreed. Raises Refused.
        """


@frozen
class Invitation:
    """The proposal that opponents of one's own house take the seats of players."""

    players: Players


@frozen
class Welcome:
    """The proposal that somebody who waits for it takes the seat of a player."""

    player: int
    candidate: Candidate


Proposal = AbsentContent | Invitation | Welcome
"""What one can agree to, or propose, when a player is absent."""


@frozen
class Absence:
    """`player` has been awaited for `silent` seconds, and can be given up in `grace_left` seconds.

    `linked`: whether this machine has a link to that player's. `unheard`: the players from whom
    it must hear before it writes. `proposals` are those of all, `agreed` tells that one's own
    vote is given. `groups` are those whose absence the others are enough to agree on: the player
    alone, and with all who cannot be reached either. `candidates` are people who would take the
    seat, `invited` the one who is being asked.
    """

    player: int
    silent: int
    grace_left: int
    linked: bool = True
    unheard: frozenset[int] = field(default=frozenset())
    proposals: tuple[AbsentContent, ...] = ()
    agreed: bool = False
    groups: tuple[Players, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    invited: Candidate | None = None

    @property
    def may_agree(self) -> bool:
        """Whether those who are there are enough to agree on anything."""
        return bool(self.groups)


def absence_at(seat: OwnSeat, *, agreed: bool, invited: Candidate | None = None) -> Absence | None:
    """Who is awaited at the table of `seat`; None while that is not worth a word."""
    awaited = seat.awaited
    if awaited is None:
        return None
    absence = Absence(
        player=awaited.player,
        silent=int(trio.current_time() - awaited.since),
        grace_left=-int(-seat.grace_left // 1),
        linked=awaited.linked,
        unheard=awaited.unheard,
        proposals=tuple(evolve(content, counted=None) for content in seat.proposals),
        agreed=agreed,
        groups=_groups(seat, awaited),
        candidates=seat.candidates,
        invited=invited,
    )
    if awaited.player == seat.me:
        worth = (seat.chooses or bool(absence.unheard)) and _is_worth_own(absence)
    else:
        worth = _is_worth(absence)
    return absence if worth else None


def _is_worth(absence: Absence) -> bool:
    patience = THINK_SECONDS if absence.linked else TELL_SECONDS
    return absence.silent >= patience or not absence.grace_left


def _is_worth_own(absence: Absence) -> bool:
    """Nobody hurries a person who thinks, unless the others may lose patience."""
    if absence.unheard:
        return absence.silent >= TELL_SECONDS
    late = absence.grace_left <= _OWN_SECONDS and absence.silent >= _OWN_PATIENCE
    return absence.may_agree and late


def _groups(seat: OwnSeat, awaited: Awaited) -> tuple[Players, ...]:
    alone = (awaited.player,)
    missing = alone if awaited.linked else tuple(sorted({awaited.player, *seat.unreached}))
    return tuple(group for group in dict.fromkeys((alone, missing)) if _may_agree(seat, group))


def _may_agree(seat: OwnSeat, absent: Players) -> bool:
    try:
        seat.absence(AbsentContent(absent))
    except Refused:
        return False
    return True

"""Players who are away from a table, and what the others wish for (spec/record.md, 6)."""

from collections.abc import Callable, Collection

import trio
from attrs import frozen

from p2p.match.table_status import Candidate, TableStatus
from protocol.charter import Member
from protocol.continuation import are_most_founders
from protocol.match.messages import NO_WISH, Wish, WishKind
from protocol.match.negotiation import Offered
from protocol.state import State
from protocol.table.resync import NOBODY_UNHEARD, Unheard

LOST_SECONDS = 0.3
"""Seconds until the person is told of a lost link; most links are back in less time."""

_THINK_SECONDS = 30
"""Seconds until the table says that it waits for a player who may just be thinking."""

_UNHEARD_SECONDS = 10  # seconds until this machine says which players it waits to hear from
_OWN_SECONDS = 60  # the awaited person is warned when no more grace than this is left
_OWN_PATIENCE = 5  # seconds of silence before that warning, however short the grace


Players = tuple[int, ...]
"""Player numbers, ascending."""


OwnBots = Callable[[], Players]
"""Function that returns the players who are bots of this machine at present."""


@frozen
class Proposed:
    """The current proposal on how to go on without the missing players."""

    by: int
    """The player who proposes."""
    wish: Wish
    missing: Players
    """The players without whom the match would go on."""
    new: tuple[Member, ...] = ()
    """The members who take the seats of `missing`, in the same order; empty if the match is to end.
    """
    signers: Players = ()
    """The players who must sign the proposal."""
    accepted: Players = ()
    """The players who have accepted the proposal."""

    @property
    def ends(self) -> bool:
        """Return True if the proposal ends the match."""
        return self.wish.kind is WishKind.END


@frozen
class Absence:
    """The absence of players, as the table of one player ("this player") shows it."""

    awaited: int | None
    """The player that the match waits for; None if the match has stopped."""
    silent: int = 0
    """The seconds for which the match has waited for the awaited player."""
    grace_left: int = 0
    """The seconds until the match can go on without the awaited player."""
    left: bool = False
    """True if the awaited player has said goodbye."""
    linked: bool = True
    """True if this machine has a link to the machine of the awaited player."""
    unheard: Unheard = NOBODY_UNHEARD
    """The players from whom this machine must hear before it may write."""
    cut_off: bool = False
    """True if this machine reaches none of several others."""
    enough: bool = False
    """True if more than half of the founders are present, not counting the players in `away`."""
    hurries: bool = False
    """True if this player is awaited, and the others could go on without this player."""
    missing: Players = ()
    """The players without whom the match can go on now."""
    away: Players = ()
    """The missing players, those who cannot be reached, and the exposed ones."""
    exposed: Players = ()
    """The players who have cheated."""
    stuck: bool = False
    """True if a member writes no more entries, because they signed a continuation that was never
    completed.
    """
    wishes: tuple[Wish, ...] = ()
    """The wish of each player."""
    proposed: Proposed | None = None
    candidates: tuple[Candidate, ...] = ()
    """The people who ask for a seat."""

    @property
    def may_decide(self) -> bool:
        """Return True if this player can wish for something now."""
        return bool(self.missing or self.stuck) and self.enough and not self.cut_off

    @property
    def rests(self) -> bool:
        """Return True if a player is away, and too few of the others are present to go on."""
        gone = self.left or not self.linked or bool(self.exposed)
        return gone and not self.enough and not self.cut_off

    def wish_of(self, player: int) -> Wish:
        """Return the wish of a player; NO_WISH if the player has told none."""
        return self.wishes[player] if player < len(self.wishes) else NO_WISH


def absence_at(
    status: TableStatus, me: int, *, left: Collection[int] = (), own: Collection[int] = ()
) -> Absence | None:
    """Return the absence to show to player `me`; None if nobody is absent, or only for a moment.

    The players in `left` have said goodbye. `own` are bots on this machine: links to bots here do
    not show that the network works.
    """
    awaited, missing, stuck = status.awaited, status.missing, status.stuck
    exposed = status.exposed_players
    if awaited is None and not exposed:
        return None
    members = status.state.charter.members
    expected = expected_elsewhere(len(members), {me, *left, *own})
    silent = 0.0 if awaited is None else trio.current_time() - awaited.since
    player = None if awaited is None else awaited.player
    linked = awaited is None or awaited.linked
    gone = {*missing, *exposed, *status.absent}
    if player is not None and (not linked or player in left):
        gone.add(player)
    gone.discard(me)
    enough = are_enough(status.state, gone)
    absence = Absence(
        awaited=player,
        silent=int(silent),
        # Rounded up: 0.4 s left are shown as 1, because at 0 the match can go on.
        grace_left=-int(-status.grace_left // 1) if player is not None else 0,
        left=player in left,
        linked=linked,
        unheard=NOBODY_UNHEARD if awaited is None else awaited.unheard,
        # If only one other machine is expected, nobody can tell which of the two has lost the
        # network.
        cut_off=len(expected) > 1 and expected.issubset(status.unreached) and not enough,
        enough=enough,
        hurries=player == me and are_enough(status.state, {*gone, me}),
        missing=tuple(sorted(missing)),
        away=tuple(sorted(gone)),
        exposed=tuple(sorted(exposed)),
        stuck=stuck,
        wishes=tuple(status.wishes.get(player, NO_WISH) for player in range(len(members))),
        proposed=_proposed(status),
        candidates=status.candidates,
    )
    return absence if _is_to_be_shown(absence, status, me, silent) else None


def expected_elsewhere(members: int, others: Collection[int]) -> frozenset[int]:
    """Return the players whose machines should be reachable over the network.

    These are all but `others`, who play on this machine or have said goodbye.
    """
    return frozenset(range(members)).difference(others)


def are_enough(state: State, gone: Collection[int]) -> bool:
    """Return True if more than half of the founders are present, not counting those in `gone`."""
    members = state.charter.members
    return are_most_founders(state, (m.key for p, m in enumerate(members) if p not in gone))


def _proposed(status: TableStatus) -> Proposed | None:
    offered = status.proposal
    by = None if offered is None else status.state.charter.player_of(offered.proposer)
    if offered is None or by is None:
        return None
    charter, continues = offered.charter, offered.charter.continues
    assert continues is not None, "only continuations are proposed"
    return Proposed(
        by,
        _wish_for(offered, status.wishes.get(by, NO_WISH)),
        continues.left,
        () if continues.ends else tuple(charter.members[player] for player in continues.left),
        charter.signers,
        tuple(player for player in charter.signers if player in status.accepted),
    )


def _wish_for(offered: Offered, wish: Wish) -> Wish:
    """Return the wish that the proposal fulfils; the proposer may have another wish by now."""
    continues = offered.charter.continues
    assert continues is not None, "only continuations are proposed"
    if continues.ends:
        return Wish(WishKind.END)
    if not continues.left:
        return Wish(WishKind.TOGETHER)
    keys = [offered.charter.members[player].key for player in continues.left]
    return wish if wish.person in keys else Wish(WishKind.OPPONENT)


def _is_to_be_shown(absence: Absence, status: TableStatus, me: int, silent: float) -> bool:
    if absence.missing or absence.stuck or absence.exposed:
        return True
    if absence.awaited == me:
        return (status.chooses or bool(absence.unheard)) and _is_to_be_warned(absence)
    patience = _THINK_SECONDS if absence.linked else LOST_SECONDS
    return absence.left or silent >= patience or not absence.grace_left


def _is_to_be_warned(absence: Absence) -> bool:
    """Return True if this player should be told that the match waits for them.

    Either this machine has waited long to hear from others, or the others could soon go on without
    this player.
    """
    if absence.unheard:
        return absence.silent >= _UNHEARD_SECONDS
    late = absence.grace_left <= _OWN_SECONDS and absence.silent >= _OWN_PATIENCE
    return absence.hurries and late

"""The rules by which an honest node signs continuations, as pure functions of what it knows.

Players may agree on a continuation several times: messages are late, machines die while signatures
are given, and two groups of players can each know only some of the signatures. So there can be
several continuations of one match, each with a number, its *attempt*. Of the tables that all their
signers have signed, the *newest* is the one with the highest attempt. These rules keep a node from
ever contradicting itself (`protocol.evidence`), although it knows only its own journal:

1. A node signs only at the end of its record of the newest table, and only a higher attempt than
   ever before (`check_may_sign`).
2. It writes only at the newest table, and only if it has signed no attempt above that of this table
   (`may_write`). So by signing an attempt a node leaves all tables with lower attempts.

If a player has signed two entries of one height, there is a fork: the others can have different
records. A node may then sign at the fork, before the end of its record, unless that loses a round
that it has closed. Its signature then names the end of its record, too. Or the node may take the
record of another member (`protocol.table.records_after_fork`).

So a player who has closed a round goes on from a record in which the round is counted, or from a
newer table. In the second case some players had not closed the round, and have gone on without it.

For example: players 0, 1 and 2 have opened their hands, and player 1 has closed round 4. Player 0
has received that closing, and player 2 has not. If player 0 dies, players 1 and 2 may sign attempt
1 at the end of player 1's record, in which round 4 is counted. They cannot go on from an earlier
place, for player 1 signs only at the end of their own record.
"""

from collections.abc import Iterable, Sequence

from attrs import frozen

from protocol.errors import Refused
from protocol.place import Place

MOST_SKIPPED = 64
"""The maximum number of attempts that a continuation may skip. Without this limit a cheat could
propose the highest possible attempt, have the others sign it, and keep back their own signature.
Then no number would be left for another continuation.
"""


@frozen
class Branch:
    """One table of a match, as far as a node's record of it goes."""

    attempt: int
    end: Place
    """The end of that record."""
    wrote: int = 0
    """The height of this node's own last entry there; 0 for none."""
    closed: int = 0
    """The height of the last entry by which this node has closed a round; 0 for none."""
    fork: Place | None = None
    """The place before two entries of one height that somebody has signed, if any. The match can go
    on from there, too.
    """

    @property
    def table_id(self) -> bytes:
        """The id of the table."""
        return self.end.table_id


@frozen
class Offer:
    """A continuation that somebody proposes: the place at which it starts, and its number."""

    place: Place
    attempt: int


def newest(branches: Iterable[Branch]) -> Branch:
    """Return the newest table: the one at which the match is played, and from whose end it goes on.

    Two tables have the same attempt only if somebody has cheated. Then the table id decides, so
    that all nodes take the same table.
    """
    return max(branches, key=lambda branch: (branch.attempt, branch.table_id))


def may_write(branches: Iterable[Branch], signed: int, table_id: bytes) -> bool:
    """Return True if a node may write at that table (rule 2).

    `signed` is the highest attempt that the node has signed.
    """
    played = newest(branches)
    return played.table_id == table_id and played.attempt >= signed


def check_may_sign(
    branches: Sequence[Branch], signed: int, offer: Offer, heard: Iterable[int] = ()
) -> tuple[Place, ...]:
    """Check that a node may sign `offer` (rule 1). Raises Refused if it may not.

    `signed` is the highest attempt that the node has signed, and `heard` are the attempts that it
    knows others to have signed. Return the places that its signature has to abandon besides the
    place of the offer: the end of its record, if the offer is at a fork and the node has written
    behind that fork; otherwise none.
    """
    parent = newest(branches)
    if offer.place not in (parent.end, parent.fork):
        raise Refused("This proposal does not go on from the end of this machine's record.")
    least = max(signed, parent.attempt)
    if offer.attempt <= least:
        raise Refused("This machine has signed a later try to go on.")
    if offer.attempt > highest_attempt(least, heard) + MOST_SKIPPED:
        raise Refused("The number of that try is much higher than the numbers before it.")
    # For example: this node has closed a round at height 43, and the offer starts at 40 (C2).
    if parent.closed > offer.place.height:
        raise Refused("This proposal would lose a round whose points you have signed.")
    # Without this place, an own entry above the start would contradict the signature (C1).
    return (parent.end,) if parent.wrote > offer.place.height else ()


def highest_attempt(signed: int, heard: Iterable[int]) -> int:
    """Return the highest attempt that counts as signed.

    `signed` counts. An attempt in `heard` counts if it is at most `MOST_SKIPPED` above another
    attempt that counts. For example: player 0 has signed attempts 60 and 120, and others have not.
    Player 1 has signed nothing, and hears of both attempts. 60 counts, so 120 counts, and both
    players may sign 121.
    """
    for attempt in sorted(heard):
        if attempt > signed + MOST_SKIPPED:
            break
        signed = max(signed, attempt)
    return signed

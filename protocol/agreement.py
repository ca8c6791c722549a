"""The rules by which an honest node signs continuations, as pure functions of what it knows.

Players who agree on a continuation may do so several times: messages are late, machines die while
the signatures are given, and two groups can each know a part of them. So there can be several
continuations of one match, each with a number of its own, its *attempt*. The *newest* table is the
one with the highest attempt, of those that all their signers have signed. These rules keep a node
from ever contradicting itself (`protocol.evidence`), although each looks only at its own journal:

1. A node signs only at the end of its record of the newest table, and only a higher attempt than
   ever before (`check_may_sign`).
2. It writes only in the newest table, and in none that is lower than an attempt that it has signed
   (`may_write`). To sign is to leave all lower tables.

Where a player has signed two entries of one height, the records of others come apart. A node may
go on from before its end then, if it loses no round that it has closed, and names the end of its
record (rule 1). And it may take the record of others instead (`protocol.table.other_records`).

So whoever has closed a round goes on from a record in which it is counted, or from a newer table:
then the others have gone on without it meanwhile, and it was not closed by all.

For example: players 0, 1 and 2 have opened their hands, and player 1 has closed round 4. Player 0
hears of that closing, and player 2 does not. If player 0 dies, players 1 and 2 may sign attempt 1
at the end of the record that player 1 has: round 4 is counted there. Player 2 cannot sign for an
earlier place together with player 1, for player 1 signs only at the end of their own record.
"""

from collections.abc import Iterable, Sequence

from attrs import frozen

from protocol.errors import Refused
from protocol.place import Place

MOST_SKIPPED = 64
"""Attempts that are skipped at most: whoever has the others sign the highest number that there is,
and does not sign it, would leave none for them.
"""


@frozen
class Branch:
    """One table of a match, as far as a node's record of it goes.

    `end` is the end of that record, `wrote` the height of this node's own last entry there, and
    `closed` that of its last signature for a round (0 for none). `fork` is a place before the end
    at which the match can go on, too: one player has signed two entries of one height behind it.
    """

    attempt: int
    end: Place
    wrote: int = 0
    closed: int = 0
    fork: Place | None = None

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
    """Return the table that is played at, and from the end of which the match goes on.

    Of two with the same, whose founders have cheated, all take the same one.
    """
    return max(branches, key=lambda branch: (branch.attempt, branch.table_id))


def may_write(branches: Iterable[Branch], signed: int, table_id: bytes) -> bool:
    """Return True if a node that has signed up to `signed` may write in that table (rule 2)."""
    played = newest(branches)
    return played.table_id == table_id and played.attempt >= signed


def check_may_sign(
    branches: Sequence[Branch], signed: int, offer: Offer, heard: Iterable[int] = ()
) -> tuple[Place, ...]:
    """Check that a node may sign `offer` (rule 1). Raises Refused if it may not.

    The node has signed attempts up to `signed`, and has `heard` of others that are signed. Return
    the places that its signature names besides: the end of its record, if it has written there
    behind the offer, which is at a fork then.
    """
    parent = newest(branches)
    if offer.place not in (parent.end, parent.fork):
        raise Refused("That does not go on from the end of this machine's record.")
    least = max(signed, parent.attempt)
    if offer.attempt <= least:
        raise Refused("This machine has signed a later try to go on.")
    if offer.attempt > highest_attempt(least, heard) + MOST_SKIPPED:
        raise Refused("The number of that try is much higher than those before it.")
    if parent.closed > offer.place.height:
        raise Refused("You have signed the points of a round that would be lost by it.")
    return (parent.end,) if parent.wrote > offer.place.height else ()


def highest_attempt(signed: int, heard: Iterable[int]) -> int:
    """Return the highest attempt that counts as signed.

    An attempt counts that a founder has signed, if it skips few from another one that counts. For
    example: player 0 has signed attempts 60 and 120 with somebody who never signed these. Player 1
    has signed none, and hears of both: 60 counts, then 120, and both may sign 121.
    """
    for attempt in sorted(heard):
        if attempt > signed + MOST_SKIPPED:
            break
        signed = max(signed, attempt)
    return signed

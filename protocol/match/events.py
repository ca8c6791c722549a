"""The events in a match that concern its continuations; the tasks that follow are in `tasks`."""

from collections.abc import Mapping
from typing import TypeAlias

from attrs import field, frozen

from protocol.charter import Member, SignedCharter
from protocol.match.messages import MatchTalk, Wish
from protocol.match.tasks import Persist
from protocol.signatures import Signer
from protocol.state import State
from protocol.table.record import TableRecord


@frozen
class Begun:
    """The journal was read. The numbers of this node's stances in this run are above `number`."""

    number: int


@frozen
class Said:
    """A message of the holder of that key has come."""

    key: bytes
    talk: MatchTalk


@frozen
class Grown:
    """The record of a table has another entry, which leads to the state `after`."""

    after: State
    entry: bytes


@frozen
class Came:
    """The candidates who wait at this node for a seat have changed: here are all of them."""

    members: tuple[Member, ...]


@frozen
class Wished:
    """The wish of this node's player has changed; None to join what the leader proposes."""

    wish: Wish | None


@frozen
class BotsMade:
    """Bots were made for the seats of the missing players, to be proposed."""

    successors: Mapping[int, Member]
    """Each bot, under the player whose seat it takes."""
    signers: Mapping[bytes, Signer] = field(repr=False)
    """The function that signs for each bot, under the bot's key."""


@frozen
class Ticked:
    """Time has gone by."""


@frozen
class Due:
    """This node may sign now what all have agreed on.

    It writes at no table until the signature is on the disk.
    """


@frozen
class Persisted:
    """All of `what` is on the disk."""

    what: Persist


@frozen
class Opened:
    """A new table was opened: its signed charter is on the disk, and its `record` begins."""

    record: TableRecord
    signed: SignedCharter


MatchEvent: TypeAlias = (
    Begun | Said | Grown | Came | Wished | BotsMade | Ticked | Due | Persisted | Opened
)

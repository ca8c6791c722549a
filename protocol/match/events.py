"""The events in a match that concern its continuations, and the tasks of its node after each."""

from collections.abc import Mapping
from typing import TypeAlias

from attrs import define, field, frozen

from protocol.charter import Member, SignedCharter
from protocol.errors import Exposed
from protocol.evidence import Statement
from protocol.match.messages import MatchTalk, Wish
from protocol.signing import Signer
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
    """Bots were made for the seats of the missing players, to be proposed.

    `successors` has each bot under the player whose seat it takes. `signers` has the function that
    signs for each bot, under the bot's key.
    """

    successors: Mapping[int, Member]
    signers: Mapping[bytes, Signer] = field(repr=False)


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

    what: "Persist"


@frozen
class Opened:
    """A new table was opened: its signed charter is on the disk, and its `record` begins."""

    record: TableRecord
    signed: SignedCharter


MatchEvent: TypeAlias = (
    Begun | Said | Grown | Came | Wished | BotsMade | Ticked | Due | Persisted | Opened
)


# -- what is to be done


@frozen
class Sign:
    """This node's signature for a continuation is to be written to disk."""

    statement: Statement


@frozen
class Expose:
    """Two signatures that contradict each other are to be written to disk.

    They concern the table `table_id`. `stops` is True if this node plays there and
    the signer has a seat: then that table stops.
    """

    error: Exposed
    table_id: bytes
    stops: bool


@frozen
class Open:
    """A continuation is to be written to disk; its table begins in the state `start`."""

    signed: SignedCharter
    start: State


Persist: TypeAlias = Sign | Expose | Open


@define
class Ready:
    """The tasks of a node after an event."""

    persist: list[Persist] = field(factory=list)
    """Tasks for the disk. After each task comes `Persisted`, or `Opened` for an `Open`.

    Others are not told of the task before that.
    """
    is_due: bool = False
    """True if something is to be signed. Then `Due` comes once no table is writing an entry."""
    before: State | None = None
    """The last state of the old table, if the match has just gone on at another one."""
    is_news: bool = False
    """True if the message was news. Messages that are not news are limited, because a member can
    make up any number of them."""
    has_spoken: bool = False
    """True if the messages of this node to all members (`MatchMachine.talk`) have changed."""

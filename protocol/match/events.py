"""The events in a match that concern its continuations, and what its node is to do after each."""

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
    """All that was kept is here; stances begin with that number."""

    number: int


@frozen
class Said:
    """The holder of that key has said something."""

    key: bytes
    talk: MatchTalk


@frozen
class Grown:
    """The record of a table has another entry, which leads to the state `after`."""

    after: State
    entry: bytes


@frozen
class Came:
    """These are the candidates who wait at this node for a seat now."""

    members: tuple[Member, ...]


@frozen
class Wished:
    """This node's player wishes for that, or with None for what the one who leads proposes."""

    wish: Wish | None


@frozen
class BotsMade:
    """These bots are to be proposed for the seats of those who are missing, with their signers."""

    successors: Mapping[int, Member]
    signers: Mapping[bytes, Signer] = field(repr=False)


@frozen
class Ticked:
    """Time has gone by."""


@frozen
class Due:
    """This node may sign what all have agreed on, and writes nowhere until that is kept."""


@frozen
class Persisted:
    """All of that is on the disk."""

    what: "Persist"


@frozen
class Opened:
    """A new table is on the disk, with the record that begins there."""

    record: TableRecord
    signed: SignedCharter


MatchEvent: TypeAlias = (
    Begun | Said | Grown | Came | Wished | BotsMade | Ticked | Due | Persisted | Opened
)


# -- what is to be done


@frozen
class Sign:
    """This node's signature for a continuation is to be kept."""

    statement: Statement


@frozen
class Expose:
    """Two signatures that contradict each other are to be kept.

    `stops` is the table that is stopped by it, if whoever has given them has a seat there.
    """

    error: Exposed
    table_id: bytes
    stops: bool


@frozen
class Open:
    """A continuation is to be kept; its table begins in the state `start`."""

    signed: SignedCharter
    start: State


Persist: TypeAlias = Sign | Expose | Open


@define
class Ready:
    """The tasks of a node after an event."""

    persist: list[Persist] = field(factory=list)
    """To be kept, followed by `Persisted`, or `Opened`. Only what comes of that is said."""
    is_due: bool = False
    """True if something is to be signed: `Due`, once nothing is being written at any table."""
    before: State | None = None
    """The newest state before the match has gone on at another table."""
    is_news: bool = False
    """True if the message was none that a member can make up again and again."""
    has_spoken: bool = False
    """True if there is something else to say than before."""

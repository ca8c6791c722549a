"""The tasks of a node after an event that concerns the continuations of its match."""

from typing import TypeAlias

from attrs import define, field, frozen

from protocol.charter import SignedCharter
from protocol.errors import Exposed
from protocol.evidence import Statement
from protocol.state import State


@frozen
class Sign:
    """This node's signature for a continuation is to be written to disk."""

    statement: Statement


@frozen
class Expose:
    """Two signatures that contradict each other are to be written to disk."""

    error: Exposed
    table_id: bytes
    """The table that the signatures concern."""
    stops: bool
    """True if this node plays at that table and the signer has a seat there: then the table stops.
    """


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
    """True if the message was news. From any other message nothing follows."""
    has_spoken: bool = False
    """True if the messages of this node to all members (`MatchMachine.talk`) have changed."""

"""Errors that are no faults of the program: their text is a sentence for people."""

from client.records import RecordError
from engine.errors import EngineError
from p2p.beacon import NoBeacon
from p2p.folders import FolderError
from p2p.frames import LinkError
from p2p.journal import JournalError
from protocol.errors import ProtocolError


class BadRequest(Exception):
    """A person asks for what cannot be done."""


PLAIN_ERRORS = (
    BadRequest,
    EngineError,
    ProtocolError,
    FolderError,
    JournalError,
    LinkError,
    NoBeacon,
    RecordError,
)

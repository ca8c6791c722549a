"""Errors that are no faults of the program: their text is a sentence for people."""

from client.record_files import RecordError
from engine.errors import EngineError
from p2p.discovery.beacon import NoBeacon
from p2p.storage.folders import FolderError
from p2p.storage.journal import JournalError
from p2p.transport.frames import LinkError
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

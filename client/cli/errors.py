"""Errors that are no faults of the program: their text is a sentence for people."""

from client.record_files import RecordError
from engine.sentences import SentenceError
from p2p.discovery.beacon import NoBeacon
from p2p.storage.folders import FolderError
from p2p.storage.journal import JournalError
from p2p.transport.frames import LinkError


class BadRequest(Exception):
    """A person asks for what cannot be done."""


PLAIN_ERRORS = (
    BadRequest,
    SentenceError,
    FolderError,
    JournalError,
    LinkError,
    NoBeacon,
    RecordError,
)

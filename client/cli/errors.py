"""Errors that are no faults of the program: their text is a sentence for people."""

from client.errors import BadRequest
from client.i18n.rulebook.text import NoSuchClause
from client.record_files import RecordError
from engine.sentences import SentenceError
from p2p.discovery.beacon import NoBeacon
from p2p.storage.folders import FolderError
from p2p.storage.journal_file import JournalError
from p2p.transport.frames import LinkError

PLAIN_ERRORS = (
    BadRequest,
    SentenceError,
    FolderError,
    JournalError,
    LinkError,
    NoBeacon,
    NoSuchClause,
    RecordError,
)

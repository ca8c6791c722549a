"""The identity of a node: an Ed25519 key (RFC 8032), and nothing else, such as a name."""

import sqlite3
from pathlib import Path

import attrs
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from p2p.storage.data_path import HOME_VARIABLE, JOURNAL_FILE
from p2p.storage.journal_file import JournalDamaged, is_owned, owner_of
from p2p.storage.private_files import (
    FolderError,
    check_private,
    locked,
    make_private,
    read_own,
    replace_private,
)
from p2p.storage.rollback_guard import GUARD_FILE
from protocol.signatures import labelled

KEY_FILE = "identity.pem"
_MOST_BYTES = 64 * 1024
"""The maximum number of bytes that are read from the key file, which has about 120 bytes."""


@attrs.frozen(eq=False)
class Identity:
    """The secret key of this node, and its public key."""

    secret_key: Ed25519PrivateKey = attrs.field(repr=False)
    public: bytes = attrs.field(init=False, repr=bytes.hex)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "public", self.secret_key.public_key().public_bytes_raw())

    @classmethod
    def generate(cls) -> "Identity":
        """Return a new identity, from the system's randomness."""
        return cls(Ed25519PrivateKey.generate())

    @classmethod
    def load_or_create(cls, folder: Path) -> "Identity":
        """Return the identity kept in `folder`; make one at the first start.

        Raises FolderError if others have access to the key file, if the file is damaged, or if it
        is gone although a journal was written with the key. Raises IdentityInUse if another process
        is making the identity at the same moment.
        """
        path = make_private(folder) / KEY_FILE
        if not path.exists():
            # If two programs start for the first time at the same moment, only one may make a key.
            with locked(folder):
                if not path.exists():
                    _refuse_if_played_before(path)
                    replace_private(path, cls.generate()._to_pem())
        return cls._read(path)

    @classmethod
    def load(cls, folder: Path) -> "Identity | None":
        """Return the identity kept in `folder`, or None. Raises FolderError if it is unusable."""
        path = folder / KEY_FILE
        return cls._read(path) if path.exists() else None

    @classmethod
    def _read(cls, path: Path) -> "Identity":
        if not path.is_file():
            raise _damaged(path)
        check_private(path)
        try:
            key = serialization.load_pem_private_key(read_own(path, _MOST_BYTES), password=None)
        except (ValueError, TypeError) as error:
            raise _damaged(path) from error
        if not isinstance(key, Ed25519PrivateKey):
            raise _damaged(path)
        return cls(key)

    def sign(self, label: bytes, message: bytes) -> bytes:
        """Return the signature, 64 bytes, of `message` for the one use that `label` names.

        This method is a `protocol.signatures.Signer`; `protocol.signatures.is_signed` verifies the
        signature.
        """
        return self.secret_key.sign(labelled(label, message))

    def _to_pem(self) -> bytes:
        return self.secret_key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )


def check_owner(database: sqlite3.Connection, path: Path) -> None:
    """Check that the key in the folder of a journal is the key of the journal's owner.

    If the journal has no owner yet, the key becomes the owner's. Raises FolderError if the owner's
    key is gone, and JournalDamaged if the folder has another key.
    """
    identity, owner = Identity.load(path.parent), owner_of(database)
    if identity is None:
        if owner is not None:
            raise _gone(path.with_name(KEY_FILE))
    elif owner is None:
        database.execute("INSERT INTO owner VALUES (1, ?)", (identity.public,))
    elif owner != identity.public:
        raise JournalDamaged(
            "The journal {path} was written with another key than {key}. Put back the key or the "
            "journal that belongs to it, or set {variable} to another folder to begin anew.",
            path=str(path),
            key=str(path.with_name(KEY_FILE)),
            variable=HOME_VARIABLE,
        )


def _refuse_if_played_before(path: Path) -> None:
    """Raise FolderError if this folder has been used with a key, which is gone now."""
    journal = path.with_name(JOURNAL_FILE)
    traces = (path.with_name(GUARD_FILE), journal.with_name(f"{JOURNAL_FILE}-wal"))
    if any(trace.exists() for trace in traces) or is_owned(journal):
        raise _gone(path)


def _gone(path: Path) -> FolderError:
    return FolderError(
        "The key {path} is gone, and the tables beside it are signed with it: put back a copy. "
        "To begin anew as somebody else, name another folder by {variable}.",
        path=str(path),
        variable=HOME_VARIABLE,
    )


def _damaged(path: Path) -> FolderError:
    return FolderError(
        "The file {path} holds no Ed25519 key. It was left as it is: put back a copy, or "
        "move it away to start with a new identity.",
        path=str(path),
    )

"""An identity's key in its file, and the signatures made with it."""

import os
import shutil
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import x25519

from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.identity import KEY_FILE, Identity
from p2p.storage.journal import Journal
from p2p.storage.journal_file import JournalDamaged
from p2p.storage.private_files import FolderError, IdentityInUse, create_private, locked
from p2p.storage.salvage import open_or_mend
from tests.p2p.storage.journal_files import spoil_pages


def test_an_identity_is_made_once_and_then_loaded(tmp_path: Path) -> None:
    folder = tmp_path / "home"
    first = Identity.load_or_create(folder)
    again = Identity.load_or_create(folder)
    assert first.public == again.public
    assert again.sign(b"entry", b"x") == first.sign(b"entry", b"x")
    assert Identity.load_or_create(tmp_path / "other").public != first.public
    if os.name == "posix":
        assert (folder / KEY_FILE).stat().st_mode & 0o777 == 0o600
        assert folder.stat().st_mode & 0o777 == 0o700


def test_the_secret_is_not_shown() -> None:
    identity = Identity.generate()
    secret = identity.secret_key.private_bytes_raw()
    shown = f"{identity!r} {identity} {[identity]}"
    assert identity.public.hex() in shown
    assert secret.hex() not in shown
    assert repr(secret) not in shown


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
def test_a_key_that_others_can_read_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    Identity.load_or_create(tmp_path)
    (tmp_path / KEY_FILE).chmod(0o644)
    with pytest.raises(FolderError, match="chmod 600"):
        Identity.load_or_create(tmp_path)
    (tmp_path / KEY_FILE).chmod(0o600)
    tmp_path.chmod(0o755)
    with pytest.raises(FolderError, match="chmod 700"):
        Identity.load_or_create(tmp_path)


def pem(encryption: serialization.KeySerializationEncryption) -> bytes:
    """Return a key of a kind that signs nothing."""
    key, pkcs8 = x25519.X25519PrivateKey.generate(), serialization.PrivateFormat.PKCS8
    return key.private_bytes(serialization.Encoding.PEM, pkcs8, encryption)


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"\x00" * 500, id="zeros after a power cut"),
        pytest.param(pem(serialization.NoEncryption()), id="another kind of key"),
        pytest.param(pem(serialization.BestAvailableEncryption(b"x")), id="under a password"),
        pytest.param(None, id="a folder"),
    ],
)
def test_a_damaged_key_is_refused_and_left_alone(tmp_path: Path, content: bytes | None) -> None:
    tmp_path.chmod(0o700)
    path = tmp_path / KEY_FILE
    if content is None:
        path.mkdir(0o700)
    else:
        create_private(path, content)
    with pytest.raises(FolderError, match="left as it is"):
        Identity.load_or_create(tmp_path)
    assert path.is_dir() if content is None else path.read_bytes() == content


def test_a_first_start_is_refused_while_another_one_makes_the_key(tmp_path: Path) -> None:
    tmp_path.chmod(0o700)
    with locked(tmp_path), pytest.raises(IdentityInUse):
        Identity.load_or_create(tmp_path)
    first = Identity.load_or_create(tmp_path)
    with locked(tmp_path):  # by the running node, which has a key
        assert Identity.load_or_create(tmp_path).public == first.public


def home_with_a_journal(folder: Path) -> Path:
    """Return the home of somebody with an identity, and with matches in the journal."""
    Identity.load_or_create(folder)
    with Journal.open(folder / JOURNAL_FILE) as journal:
        journal.create_table(bytes(32), b"charter", 0)
    return folder


@pytest.mark.parametrize("fault", ["whole", "cut", "empty", "spoilt"])
def test_no_new_key_is_made_beside_the_journal_of_an_older_key(tmp_path: Path, fault: str) -> None:
    """For example, only the journal was copied, without its key and guard."""
    home = home_with_a_journal(tmp_path / "home")
    copy = tmp_path / "copy"
    copy.mkdir(0o700)
    journal = copy / JOURNAL_FILE
    data = (home / JOURNAL_FILE).read_bytes()
    left = {"whole": data, "cut": data[: len(data) // 2], "empty": b"", "spoilt": bytes(len(data))}
    create_private(journal, left[fault])
    for _ in range(2):
        with pytest.raises(FolderError, match=r"The key .* is gone"):
            Identity.load_or_create(copy)
        assert not (copy / KEY_FILE).exists()
        with pytest.raises((FolderError, JournalDamaged), match=r"[Pp]ut back"):
            Journal.open(journal).close()
    shutil.copy2(home / KEY_FILE, copy / KEY_FILE)
    if fault == "whole":
        with Journal.open(journal) as again:
            assert again.is_doubtful(bytes(32)), "the lost guard was not noticed"


@pytest.mark.parametrize("is_mended", [False, True])
def test_a_journal_belongs_to_the_first_key_in_its_folder(tmp_path: Path, is_mended: bool) -> None:
    home, other = home_with_a_journal(tmp_path / "home"), tmp_path / "other"
    if is_mended:
        with Journal.open(home / JOURNAL_FILE) as journal:
            for height in range(1, 20):
                journal.append(bytes(32), height, bytes(900))
        spoil_pages(home / JOURNAL_FILE, "entries")
    key = (home / KEY_FILE).read_bytes()
    Identity.load_or_create(other)
    shutil.copy2(other / KEY_FILE, home / KEY_FILE)
    for _ in range(2):
        with pytest.raises(JournalDamaged, match="another key"):
            open_or_mend(home / JOURNAL_FILE)
    (home / KEY_FILE).write_bytes(key)
    open_or_mend(home / JOURNAL_FILE)[0].close()


def test_a_journal_opened_before_any_key_exists_belongs_to_the_first_key_made(path: Path) -> None:
    """The first command may be `sobremesa resume --list`, which makes no key."""
    Journal.open(path).close()
    Identity.load_or_create(path.parent)
    Journal.open(path).close()

"""The library is loaded once more beside the one that is there, and leaves nothing behind."""

import sys
import tempfile
from pathlib import Path

import pytest

from protocol import libsodium
from protocol.errors import Refused
from protocol.group import BASE


@pytest.mark.skipif(sys.platform == "win32", reason="Windows keeps files of loaded libraries")
def test_no_file_is_left_of_what_carried_the_library(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each start would leave half a megabyte in the temporary folder."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    library = libsodium._load()
    assert Path(library._name).parent == tmp_path
    assert list(tmp_path.iterdir()) == []
    assert library.crypto_core_ristretto255_is_valid_point(BASE.encode()) == 1


def test_a_library_that_cannot_be_loaded_is_a_clear_refusal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "none"))
    with pytest.raises(Refused, match=r"could not be loaded from the temporary folder.*TMPDIR"):
        libsodium._load()


def test_a_package_that_is_not_there_is_named() -> None:
    with pytest.raises(ModuleNotFoundError, match="no_such_package"):
        libsodium._found("no_such_package")

"""Small disks of their own for the homes of hosts: an ext4 file system in a file beside the home,
so that it can be full, and be put back as a whole.
"""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.lan.hosts import Host, NoLan

_BLOCK = 4096


def give_disk(host: Host, size: int) -> None:
    """A disk of `size` bytes as the home of a host, which is not there yet. Raises NoLan."""
    with _image(host).open("wb") as image:
        image.truncate(size)
    host.home.mkdir(mode=0o700)
    _run("mkfs.ext4", "-q", "-m", "0", "-O", "^has_journal", f"{_image(host)}")
    _mount(host)


@contextmanager
def disks_in(folder: Path) -> Iterator[None]:
    """At the end of the block, when no host runs any more, all disks in that folder are let go.

    The folder is shared with the mount namespaces of the hosts' programs: otherwise a disk that is
    let go would stay with those of other hosts, and be written to beneath the one put back.
    """
    _run("mount", "--bind", f"{folder}", f"{folder}")
    try:
        _run("mount", "--make-shared", f"{folder}")
        yield
    finally:
        for home in folder.iterdir():
            if home.is_mount():
                _run("umount", "-l", f"{home}")
        _run("umount", "-l", f"{folder}")


def fill(home: Path) -> Path:
    """Somebody else's file that takes all the room which is left on the disk of a home."""
    filling = home / "filling"
    with suppress(OSError), filling.open("ab", buffering=0) as file:
        while file.write(bytes(_BLOCK)):
            pass
    return filling


def copy_disk(host: Host) -> Path:
    """The image of a host's disk as it is at this moment, instead of an earlier copy."""
    copy = _image(host).with_suffix(".copy")
    _run("fsfreeze", "--freeze", f"{host.home}")
    try:
        _run("cp", "--sparse=always", f"{_image(host)}", f"{copy}")
    finally:
        _run("fsfreeze", "--unfreeze", f"{host.home}")
    return copy


def put_disk_back(host: Host) -> None:
    """The disk as it was when it was copied; no program of the host runs."""
    _run("umount", f"{host.home}")
    _run("cp", "--sparse=always", f"{_image(host).with_suffix('.copy')}", f"{_image(host)}")
    _mount(host)


def _image(host: Host) -> Path:
    return host.home.with_name(f"{host.home.name}.disk")


def _mount(host: Host) -> None:
    _run("mount", "-o", "loop", f"{_image(host)}", f"{host.home}")
    host.home.chmod(0o700)


def _run(*words: str) -> None:
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    except FileNotFoundError as error:
        raise NoLan(f"there is no {words[0]} here") from error
    if done.returncode:
        raise NoLan(f"{' '.join(words[:2])}: {done.stderr.strip()}")

"""Small disks for the homes of hosts, which can be filled, and restored as they were.

Each disk is an ext4 file system in a file beside the home.
"""

import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.lan.hosts import Host, NoLan

_BLOCK = 4096
_WITH_JOURNAL = "commit=300"
"""A mount option: unsynced data reach the disk after 300 seconds, and not after the usual 5."""


def give_disk(host: Host, size: int, *, journal: bool = False) -> None:
    """Make the home of a host as a disk of `size` bytes. Raises NoLan.

    `cut_power` needs a disk whose file system has a `journal`.
    """
    with _image(host).open("wb") as image:
        image.truncate(size)
    host.home.mkdir(mode=0o700)
    has_journal = "has_journal" if journal else "^has_journal"
    _run("mkfs.ext4", "-q", "-m", "0", "-O", has_journal, f"{_image(host)}")
    _mount(host, *((_WITH_JOURNAL,) if journal else ()))


@contextmanager
def disks_in(folder: Path) -> Iterator[None]:
    """Unmount all disks in `folder` at the end of the block, when no host runs any more.

    The folder is shared with the mount namespaces of the hosts' programs. Otherwise a disk that is
    unmounted here would stay mounted there, and could overwrite a restored image.
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
    """Write a file that takes all the room left on the disk of a home, and return its path."""
    filling = home / "filling"
    with suppress(OSError), filling.open("ab", buffering=0) as file:
        while file.write(bytes(_BLOCK)):
            pass
    return filling


def copy_disk(host: Host) -> None:
    """Copy the image of a host's disk as it is now; the copy replaces an earlier one."""
    copy = _image(host).with_suffix(".copy")
    _run("fsfreeze", "--freeze", f"{host.home}")
    try:
        _run("cp", "--sparse=always", f"{_image(host)}", f"{copy}")
    finally:
        _run("fsfreeze", "--unfreeze", f"{host.home}")


def put_disk_back(host: Host) -> None:
    """Restore the disk as it was when it was copied. No program of the host may run meanwhile."""
    _run("umount", f"{host.home}")
    _run("cp", "--sparse=always", f"{_image(host).with_suffix('.copy')}", f"{_image(host)}")
    _mount(host)


def cut_power(host: Host) -> None:
    """Take from a home everything that is not on its disk yet, as a power cut does.

    The programs of the host must be killed before. Data that they did not sync is only in the
    memory of the file system, and not in the image of the disk.
    """
    cut = _image(host).with_suffix(".cut")
    _run("cp", "--sparse=always", f"{_image(host)}", f"{cut}")
    _run("umount", f"{host.home}")
    cut.replace(_image(host))
    _mount(host, _WITH_JOURNAL)


def _image(host: Host) -> Path:
    return host.home.with_name(f"{host.home.name}.disk")


def _mount(host: Host, *options: str) -> None:
    _run("mount", "-o", ",".join(("loop", *options)), f"{_image(host)}", f"{host.home}")
    host.home.chmod(0o700)


def _run(*words: str) -> None:
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
    except FileNotFoundError as error:
        raise NoLan(f"there is no {words[0]} here") from error
    if done.returncode:
        raise NoLan(f"{' '.join(words[:2])}: {done.stderr.strip()}")

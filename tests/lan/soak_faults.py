"""The faults of machines in the soak, all of which the program promises to survive.

Functions of `tests.lost_files` lose, damage and restore files.
"""

import random
import shutil
import signal
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.rollback_guard import GUARD_FILE
from tests.lan.at_table import WORDS, come_back, has_played_on
from tests.lan.disks import copy_disk, fill, put_disk_back
from tests.lan.hosts import Host, Lan, number_in, until
from tests.lan.other_clock import set_clock
from tests.lost_files import LOG, cut, lost, put_back, put_back_in_place

SHARED = f"{JOURNAL_FILE}-shm"
FILES = (JOURNAL_FILE, LOG, GUARD_FILE)
HOUR, DAY = 3600, 86_400
LONG_SECONDS = 60.0
SHORT_SHARE = 0.9
"""The share of sleeps and partitions that last only some seconds, not `LONG_SECONDS`."""

_NEWEST_LOCK = "SELECT max(CAST(substr(name, 6) AS INTEGER)) FROM secrets WHERE name LIKE 'lock/%'"

Fault = Callable[[Lan, Host, random.Random], object]
"""A function that makes a fault on a machine of the table; it returns False if it made none."""


def death(_network: Lan, victim: Host, rng: random.Random) -> None:
    victim.kill()
    time.sleep(rng.uniform(0, 2))
    come_back(victim)


def death_without_the_log(network: Lan, victim: Host, _rng: random.Random) -> bool:
    def lose() -> None:
        for name in (LOG, SHARED):
            lost(victim.home / name, victim.home)

    return _die_and_lose(network, victim, lose)


def sleep(_network: Lan, victim: Host, rng: random.Random) -> None:
    with stopped(victim):
        _wait(rng)


def cable(_network: Lan, victim: Host, rng: random.Random) -> None:
    victim.set_link(up=False)
    _wait(rng)
    victim.set_link(up=True)


def partition(network: Lan, victim: Host, rng: random.Random) -> None:
    ports = range(len(network.switch.ports))
    others = [port for port in ports if port != victim.number - 1]
    side = frozenset(rng.sample(others, rng.randrange(len(others) // 2 + 1)))
    network.switch.apart = (frozenset(others) - side, side | {victim.number - 1})
    _wait(rng)
    network.switch.apart = ()


def another_address(_network: Lan, victim: Host, rng: random.Random) -> None:
    # The last digit is the machine's number, so no two machines have the same address.
    victim.take_address(f"10.77.0.{rng.randrange(10, 250) // 10 * 10 + victim.number}")


def full_disk(_network: Lan, victim: Host, rng: random.Random) -> None:
    """Fill the disk of the home for some seconds."""
    filling = fill(victim.home)
    time.sleep(rng.uniform(1, 8))
    filling.unlink()


def damaged_file(network: Lan, victim: Host, rng: random.Random) -> bool:
    """Flip a bit of the journal or its log, or truncate it; sometimes remove the -shm file too."""

    def damage() -> None:
        file = victim.home / rng.choice((JOURNAL_FILE, LOG))
        if rng.random() < 0.5:
            _flip_bit(file, rng)
        else:
            cut(file, victim.home)
        if rng.random() < 0.5:
            lost(victim.home / SHARED, victim.home)

    return _die_and_lose(network, victim, damage)


def files_put_back(network: Lan, victim: Host, rng: random.Random) -> bool:
    """Restore one or more of journal, log and guard as they were at the last `take_moment`."""

    def put() -> None:
        for name in rng.sample(FILES, rng.randint(1, len(FILES))):
            rng.choice((put_back, put_back_in_place))(victim.home / name, _beside(victim, "moment"))
        if rng.random() < 0.5:
            lost(victim.home / SHARED, victim.home)

    return _die_and_lose(network, victim, put)


def machine_put_back(network: Lan, victim: Host, _rng: random.Random) -> bool:
    """Restore the whole disk of the machine, as it was at the last `take_moment`.

    Even the guard's times are as before, so the machine cannot notice the restoring. That is safe
    because the others have all entries that the machine has signed since, and send them. So the
    fault is over only when the machine has all its entries again.
    """
    had = victim.entries
    is_back = _die_and_lose(network, victim, lambda: put_disk_back(victim))
    until(lambda: has_played_on(victim, had) or not victim.running, 120, [victim])
    return is_back


def another_time(_network: Lan, victim: Host, rng: random.Random) -> None:
    """Set the machine's clock forward or back."""
    set_clock(victim, rng.choice((-1, 1)) * rng.choice((HOUR, DAY, 400 * DAY)))


def take_moment(host: Host) -> None:
    """Keep the machine's files as they are now, for `files_put_back` and `machine_put_back`."""
    with stopped(host):
        _copy(host, _beside(host, "moment"))
        copy_disk(host)


def keep_spare(host: Host) -> None:
    """Keep a copy of the journal for `put_spare_back`.

    Nothing changes if the last copy has a newer lock than the journal: the journal has lost it.
    """
    spare, now = _beside(host, "spare"), _beside(host, "now")
    _copy(host, now)
    if number_in(now, _NEWEST_LOCK) >= number_in(spare, _NEWEST_LOCK):
        shutil.rmtree(spare, ignore_errors=True)
        now.rename(spare)


def put_spare_back(host: Host) -> None:
    """Replace a journal that is damaged or too old by the copy of `keep_spare`."""
    for name in (JOURNAL_FILE, LOG):
        put_back(host.home / name, _beside(host, "spare"))
    lost(host.home / SHARED, host.home)


def has_spare(host: Host) -> bool:
    return _beside(host, "spare").exists()


def _wait(rng: random.Random) -> None:
    """Wait for some seconds, and sometimes for a minute."""
    time.sleep(rng.uniform(1, 8) if rng.random() < SHORT_SHARE else LONG_SECONDS)


@contextmanager
def stopped(host: Host) -> Iterator[None]:
    assert host.process is not None
    host.process.send_signal(signal.SIGSTOP)
    try:
        yield
    finally:
        host.process.send_signal(signal.SIGCONT)


def _die_and_lose(network: Lan, victim: Host, lose: Callable[[], None]) -> bool:
    """Kill the program and lose files, if all others have everything that this machine has.

    Otherwise the others could not send the machine an entry that it has lost. If the machine then
    signs another entry of the same height, any copy of the lost entry exposes the player
    (spec/threats.md, "Not promised").
    """
    victim.kill()
    keep_spare(victim)
    had, end = victim.entries, time.monotonic() + 3
    others = [host for host in network.hosts if host is not victim]
    while not (all_have := all(_has(host, had) for host in others)):
        if time.monotonic() > end:
            break
        time.sleep(0.1)
    if all_have:
        lose()
    come_back(victim)
    return all_have


def _has(host: Host, enough: int) -> bool:
    """Return True if a machine sits at the table with at least `enough` entries.

    A machine that does not sit yet does not count: some of its entries may prove unreadable.
    """
    return host.running and WORDS in host.said_last and host.entries >= enough


def _copy(host: Host, to: Path) -> None:
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir()
    for name in FILES:
        if (host.home / name).exists():
            shutil.copy2(host.home / name, to)


def _beside(host: Host, what: str) -> Path:
    return host.home.with_name(f"{host.home.name}.{what}")


def _flip_bit(file: Path, rng: random.Random) -> None:
    data = bytearray(file.read_bytes()) if file.exists() else bytearray()
    if data:
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        file.write_bytes(data)


FAULTS: Mapping[str, Fault] = {
    "deaths": death,
    "deaths without the log": death_without_the_log,
    "sleeps": sleep,
    "cables out": cable,
    "partitions": partition,
    "other addresses": another_address,
    "full disks": full_disk,
    "damaged files": damaged_file,
    "files put back": files_put_back,
    "machines put back": machine_put_back,
    "other times": another_time,
}

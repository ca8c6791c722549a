"""`sobremesa doctor`: its checks, and all that it prints."""

import errno
import os
import sqlite3
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock, Mock

import pytest
from attrs import define, field

from client.cli.commands import doctor
from p2p.discovery import interfaces as real
from p2p.discovery.interfaces import Interface
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.identity import Identity
from p2p.storage.private_files import locked
from p2p.transport.frames import LinkClosed
from p2p.transport.link import connect
from protocol.words_for_keys import words
from tests.client.cli.run_command import run
from tests.p2p.table.vector_records import open_journal, record_of

WIRE = Interface("eth0", ("192.0.2.1",), ("2001:db8::1",))
WIFI = Interface("wlan0", ("192.0.2.9",), ())
LOOP = Interface("lo", ("127.0.0.1",), ("::1",))

NO_NETWORK = (
    "No network is connected. Only programs on this machine can reach you: plug in a cable or "
    "join a Wi-Fi network."
)
FINE = (
    "Nothing is wrong here. If others still cannot find you, it is the network:",
    "some Wi-Fi keeps its guests apart. Join by address, or use a cable.",
)


@define
class Machine:
    """A machine on which `doctor` runs; `port` is the port at which `doctor` has listened."""

    home: Path
    monkeypatch: pytest.MonkeyPatch
    capsys: pytest.CaptureFixture[str]
    interfaces: tuple[Interface, ...] = (WIRE, LOOP)
    port: int = 0
    asked: list[int | None] = field(factory=list)

    def has(self, name: str, value: object) -> None:
        """Replace a function by which `doctor` examines the machine."""
        self.monkeypatch.setattr(doctor, name, value)

    async def listen(self, port: int | None) -> Any:
        self.asked.append(port)
        listeners, self.port = await real.listen(0)
        return listeners, self.port

    def examined(self, *arguments: str) -> tuple[int, dict[str, str], tuple[str, ...]]:
        """Return the exit code, the results by check, and the lines after the last check."""
        code = run(doctor, *arguments)
        lines = self.capsys.readouterr().out.splitlines()
        end = lines.index("Clock: not needed; nothing depends on it.")
        return code, dict(line.split(": ", 1) for line in lines[:end]), tuple(lines[end + 1 :])

    def open_tables(self, *files: str) -> None:
        """Begin a table for each file of vectors."""
        Identity.load_or_create(self.home)
        with open_journal(self.home) as journal:
            for file in files:
                record_of(journal, file, 5)

    def change_table(self, statement: str) -> None:
        """Begin a table, and change its row in the journal."""
        self.open_tables("records.json")
        with closing(sqlite3.connect(self.home / JOURNAL_FILE)) as database, database:
            assert database.execute(f"UPDATE tables SET {statement}").rowcount == 1


@pytest.fixture
def machine(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Machine:
    here = Machine(home, monkeypatch, capsys)
    here.has("interfaces", lambda: here.interfaces)
    here.has("lan_addresses", lambda: ("127.0.0.1",))
    here.has("listen", here.listen)
    here.has("_beacon_comes_back", lambda _interface: True)
    return here


def test_a_person_is_told_that_the_machine_has_no_faults(machine: Machine) -> None:
    code, found, end = machine.examined("--port", "4711")
    identity = Identity.load(machine.home)
    assert identity is not None
    assert found == {
        "Data folder": f"{machine.home} is yours alone; "
        f"your words are {' '.join(words(identity.public))}.",
        "Journal": f"there is none yet; the log is {machine.home / 'log'}.",
        "Interfaces": "eth0 has 192.0.2.1, 2001:db8::1.",
        "Port": f"{machine.port} answers at all addresses of this machine.",
        "Beacons on eth0": "a beacon went out and came back.",
        "Beacons on lo": "a beacon went out and came back.",
    }
    assert (code, end, machine.asked) == (0, FINE, [4711])


def test_two_networks_and_a_journal_are_described(machine: Machine) -> None:
    machine.interfaces = (WIRE, WIFI)
    machine.open_tables("records.json", "canastra.json")
    code, found, _end = machine.examined()
    assert found["Interfaces"] == "eth0 has 192.0.2.1, 2001:db8::1; wlan0 has 192.0.2.9."
    assert found["Journal"] == f"undamaged; tables in it: 2; the log is {machine.home / 'log'}."
    assert code == 0


def test_a_second_running_program_of_the_same_person_is_no_fault(machine: Machine) -> None:
    machine.open_tables("records.json")
    with locked(machine.home):
        code, found, _end = machine.examined()
    assert found["Data folder"] == "in use by another Sobremesa of yours, which is fine."
    assert found["Journal"] == (
        f"in use by another Sobremesa of yours, which is fine; the log is {machine.home / 'log'}."
    )
    assert code == 0


def failing(number: int) -> Mock:
    return Mock(side_effect=OSError(number, os.strerror(number)))


@pytest.mark.parametrize(
    ("harm", "check", "fault"),
    [
        (lambda at: setattr(at, "interfaces", (LOOP,)), "Interfaces", NO_NETWORK),
        (
            lambda at: at.has("_beacon_comes_back", lambda _interface: False),
            "Beacons on eth0",
            (
                "A beacon was sent and did not come back. A firewall may block it: allow UDP port "
                "5353 to 224.0.0.251, in and out. Until then, join by address: HOST:PORT."
            ),
        ),
        (
            lambda at: at.has("_beacon_comes_back", failing(errno.ENETUNREACH)),
            "Beacons on eth0",
            f"mDNS cannot be used ({os.strerror(errno.ENETUNREACH)}). Join by address: HOST:PORT.",
        ),
        (
            lambda at: at.has("listen", failing(errno.EADDRINUSE)),
            "Port",
            (
                f"This program cannot listen at port 4711 ({os.strerror(errno.EADDRINUSE)}). "
                "Choose another port with --port, or leave out --port."
            ),
        ),
        (
            lambda at: at.change_table("charter = zeroblob(300)"),
            "Journal",
            "Tables whose charter is damaged: 1. sobremesa resume fetches it from the others.",
        ),
        (
            lambda at: at.change_table("doubtful = 1"),
            "Journal",
            (
                "Tables at which the journal may be older than what you have signed: 1. Resume "
                "them with the others, whose records show what you signed."
            ),
        ),
        pytest.param(
            lambda at: at.home.chmod(0o755),
            "Data folder",
            "",  # the sentence of another module, which says `chmod 700`
            marks=pytest.mark.skipif(os.name != "posix", reason="Windows has no such file modes"),
        ),
    ],
)
def test_each_fault_is_told_with_its_remedy(
    harm: Callable[[Machine], None], check: str, fault: str, machine: Machine
) -> None:
    harm(machine)
    code, found, _end = machine.examined("--port", "4711")
    told = found[check]
    assert told == f"FAULT. {fault}" if fault else "chmod 700" in told
    assert code == 1


def test_faults_are_counted(machine: Machine) -> None:
    machine.interfaces = (LOOP,)
    assert machine.examined()[2] == ("1 check of 5 has found a fault.",)
    machine.has("_beacon_comes_back", lambda _interface: False)
    assert machine.examined()[2] == ("2 checks of 5 have found a fault.",)


@pytest.mark.skipif(sys.platform != "linux", reason="only on Linux is 127.0.0.2 this machine")
def test_addresses_at_which_the_port_does_not_answer_are_named(machine: Machine) -> None:
    """Another key answers at one of them, and at the other the link ends at once."""

    @asynccontextmanager
    async def connected(
        host: str, port: int, visitor: Identity, expect: bytes
    ) -> AsyncIterator[object]:
        key = bytes(32) if host == blocked[0] else expect
        async with connect(host, port, visitor, expect=key) as link:
            broken = SimpleNamespace(receive=AsyncMock(side_effect=LinkClosed("It broke.")))
            yield broken if host == blocked[1] else link

    blocked = ("127.0.0.2", "127.0.0.3")
    machine.has("connect", connected)
    machine.has("lan_addresses", lambda: (blocked[0], "127.0.0.1", blocked[1]))
    _code, found, _end = machine.examined()
    assert found["Port"] == (
        f"FAULT. Port {machine.port} does not answer at 127.0.0.2, 127.0.0.3. A firewall on this "
        f"machine may block it: allow incoming connections to TCP port {machine.port}."
    )


@pytest.mark.parametrize("heard", [True, False])
def test_a_beacon_is_sent_and_heard_on_the_same_interface(
    heard: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another node's beacon does not count. At the end the sender and the hearer are closed."""
    done: list[object] = []
    came: set[bool] = set()
    event = SimpleNamespace(
        set=partial(came.add, True), wait=done.append, is_set=lambda: bool(came)
    )

    class Air:
        """A stand-in for zeroconf, which brings a beacon to the browser at once."""

        browser: Callable[..., None]

        def register_service(self, service: Any) -> None:
            assert service.parsed_addresses() == ["192.0.2.1", "2001:db8::1"]
            assert service.port == 9
            for name in ("another", *[service.name] * heard):
                Air.browser(name=name, zeroconf=self)

        close = partial(done.append, "closed")

    def browsing(_hearer: object, _kind: str, handlers: list[Any]) -> Any:
        Air.browser = staticmethod(handlers[0])
        return SimpleNamespace(cancel=partial(done.append, "stopped"))

    def opened(chosen: list[Interface]) -> Air:
        done.append(chosen)
        return Air()

    monkeypatch.setattr(doctor, "zeroconf_on", opened)
    monkeypatch.setattr(doctor, "ServiceBrowser", browsing)
    monkeypatch.setattr(doctor, "threading", SimpleNamespace(Event=lambda: event))
    assert doctor._beacon_comes_back(WIRE) is heard
    assert done == [[WIRE], [WIRE], doctor._MULTICAST_SECONDS, "stopped", "closed", "closed"]

"""The interfaces, addresses and networks of this machine."""

import errno
import socket
import sys
from ipaddress import ip_network
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock, Mock, call

import ifaddr
import pytest
import trio

from p2p.discovery import interfaces
from p2p.discovery.interfaces import Interface, Neighbourhood, OwnAddresses, lan_addresses

HARDWARE = {"eth9"}
UP = (
    Interface("docker0", ("172.17.0.1",), ()),
    Interface("eth9", ("10.9.9.9",), ("2001:db8::9",)),
    Interface("wg7", ("10.8.0.7",), ()),
    Interface("lo", ("127.0.0.1",), ()),
)


@pytest.mark.parametrize(
    ("way_out", "addresses"),
    [
        ("10.8.0.7", ("10.8.0.7", "10.9.9.9", "172.17.0.1", "2001:db8::9")),
        ("10.9.9.9", ("10.9.9.9", "172.17.0.1", "10.8.0.7", "2001:db8::9")),
        (None, ("10.9.9.9", "172.17.0.1", "10.8.0.7", "2001:db8::9")),
    ],
)
def test_the_likeliest_address_comes_first(
    monkeypatch: pytest.MonkeyPatch, way_out: str | None, addresses: tuple[str, ...]
) -> None:
    """First comes the address of the default route, then hardware, then bridges."""
    monkeypatch.setattr(interfaces, "interfaces", lambda: UP)
    monkeypatch.setattr(Interface, "is_made", property(lambda up: up.name not in HARDWARE))
    routes = {socket.AF_INET: way_out}
    monkeypatch.setattr(interfaces, "_source_of", lambda far: routes.get(far[0]))
    assert lan_addresses() == addresses


def test_an_adapter_that_is_up_and_has_an_address_is_an_interface(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The loopback is listed last. Link-local IPv6 addresses get the name of their interface."""
    found: dict[str, list[tuple[Any, int]]] = {
        "lo": [("127.0.0.1", 8)],
        "eth4": [("10.9.9.9", 16)],
        "eth6": [(("2001:db8::9", 0, 0), 128), (("fe80::9", 0, 4), 64)],
        "eth0": [],
        "down0": [("10.1.1.1", 16)],
    }
    adapters = [
        ifaddr.Adapter(name, name, [ifaddr.IP(*ip, name) for ip in ips])
        for name, ips in found.items()
    ]
    monkeypatch.setattr(ifaddr, "get_adapters", lambda: adapters)
    monkeypatch.setattr(interfaces, "_is_up", lambda name: name != "down0")
    monkeypatch.setattr(sys, "platform", "linux")
    ipv4_networks = (ip_network("10.9.0.0/16"),)
    ipv6_networks = (ip_network("2001:db8::/64"), ip_network("fe80::/64"))
    assert interfaces.interfaces() == (
        Interface("eth4", ("10.9.9.9",), (), ipv4_networks),
        Interface("eth6", (), ("2001:db8::9", "fe80::9%eth6"), ipv6_networks),
        Interface("lo", ("127.0.0.1",), (), (ip_network("127.0.0.0/8"),)),
    )


@pytest.mark.parametrize(("error", "taken"), [(errno.EADDRINUSE, True), (errno.ENODEV, False)])
async def test_a_port_that_another_program_has_for_ipv6_is_taken(
    monkeypatch: pytest.MonkeyPatch, error: int, taken: bool
) -> None:
    """Callers by IPv6 would reach the other program.

    A machine without IPv6 can listen by IPv4 alone.
    """
    ipv4 = Mock(aclose=AsyncMock())
    ipv4.socket.getsockname.return_value = ("0.0.0.0", 7)
    open_listeners = AsyncMock(side_effect=[[ipv4], OSError(error, "not to be had")])
    monkeypatch.setattr(trio, "open_tcp_listeners", open_listeners)
    if taken:
        with pytest.raises(OSError, match="not to be had"):
            await interfaces.listen(7)
    else:
        assert await interfaces.listen(7) == ((ipv4,), 7)
    assert ipv4.aclose.called == taken
    assert open_listeners.call_args_list == [call(7, host="0.0.0.0"), call(7, host="::")]


def test_a_machine_without_a_network_has_its_loopback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interfaces, "interfaces", lambda: UP[-1:])
    assert lan_addresses() == ("127.0.0.1",)


def test_networks_stay_known_while_the_system_cannot_list_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A node asks each second, and an error would end the game, so the last list is kept."""
    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    up = Interface("eth9", ("10.9.9.9",), (), (ip_network("10.9.0.0/16"),))
    monkeypatch.setattr(interfaces, "interfaces", lambda: (up,))
    addresses, neighbourhood = OwnAddresses(), Neighbourhood()
    assert addresses.now() == ("10.9.9.9",)
    assert neighbourhood.has("10.9.0.1")
    now = 60.0
    exhausted = OSError(errno.EMFILE, "Too many open files")
    monkeypatch.setattr(interfaces, "interfaces", Mock(side_effect=exhausted))
    assert addresses.now() == ("10.9.9.9",)
    assert neighbourhood.has("10.9.0.1")


def test_an_interface_without_a_device_is_virtual(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Linux shows which interfaces have a device: the others are virtual, whatever their name."""
    monkeypatch.setattr(interfaces, "_STATES", tmp_path)
    (tmp_path / "docker0" / "device").mkdir(parents=True)
    (tmp_path / "eth7").mkdir()
    assert not Interface("docker0", ("10.0.0.1",), ()).is_made
    assert Interface("eth7", ("10.0.0.1",), ()).is_made


def test_an_interface_is_up_unless_the_system_says_that_it_is_down(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Tunnels have an unknown state on Linux, and other systems tell no state."""
    monkeypatch.setattr(interfaces, "_STATES", tmp_path)
    for state, up in (("up", True), ("unknown", True), ("down", False)):
        (tmp_path / state).mkdir()
        (tmp_path / state / "operstate").write_text(f"{state}\n", encoding="utf-8")
        assert interfaces._is_up(state) is up
    assert interfaces._is_up("not there")


def test_a_loopback_interface_with_other_addresses_stays_a_loopback() -> None:
    """One loopback address is enough: some systems give the loopback other addresses, too."""
    assert Interface("lo", ("10.0.0.1", "127.0.0.1"), ()).is_loopback
    assert not Interface("eth9", ("10.0.0.1",), ("2001:db8::1",)).is_loopback


def test_the_outgoing_address_is_found_without_sending_a_packet() -> None:
    assert interfaces._source_of((socket.AF_INET, "127.0.0.1")) == "127.0.0.1"
    assert interfaces._source_of((socket.AF_INET, "255.255.255.255")) is None


def test_virtual_interfaces_are_known_by_name_if_the_system_does_not_tell() -> None:
    found = [Interface(name, ("10.0.0.1",), ()) for name in ("utun3", "docker9", "en77", "Wi-Fi")]
    assert [one.name for one in found if one.is_made] == ["utun3", "docker9"]


def test_an_address_on_a_network_of_this_machine_is_near(monkeypatch: pytest.MonkeyPatch) -> None:
    networks = (ip_network("10.9.0.0/16"), ip_network("2001:db8::/64"))
    up = Interface("eth9", ("10.9.9.9",), ("2001:db8::9",), networks)
    monkeypatch.setattr(interfaces, "interfaces", lambda: (up,))
    near = ["10.9.200.1", "::ffff:10.9.200.1", "127.0.0.1", "::1", "fe80::9%eth9", "2001:db8::77"]
    far = ["10.10.0.1", "203.0.113.9", "2001:db8:0:1::77", "169.254.9.9", "elsewhere"]
    assert [host for host in near + far if Neighbourhood().has(host)] == near


def test_the_addresses_of_this_machine_are_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    up = Interface("eth9", ("10.9.9.9",), ("2001:db8::9", "fe80::9%eth9"))
    monkeypatch.setattr(interfaces, "interfaces", lambda: (up,))
    own = ["10.9.9.9", "::ffff:10.9.9.9", "2001:db8::9", "fe80::9", "fe80::9%eth9", "127.0.0.7"]
    others = ["10.9.9.8", "2001:db8::8", "a name"]
    for host in own + others:
        here = Neighbourhood()
        assert [here.is_own(host) for _ in range(2)] == 2 * [host in own], host


def test_networks_are_checked_every_few_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a stranger calls a thousand times, the networks are listed once."""
    now = 0.0
    looks: list[float] = []
    monkeypatch.setattr("time.monotonic", lambda: now)

    def look() -> tuple[Interface, ...]:
        looks.append(now)
        return ()

    monkeypatch.setattr(interfaces, "interfaces", look)
    neighbourhood = Neighbourhood()
    for when in (1000.0, 1001.9, 1002.0, 1003.0, 1004.5):
        now = when
        assert not neighbourhood.has("10.9.0.1")
    assert looks == [1000.0, 1002.0, 1004.5]


def test_the_networks_of_this_machine_contain_its_own_addresses() -> None:
    neighbourhood = Neighbourhood()
    assert all(neighbourhood.has(address) for address in lan_addresses())
    assert not neighbourhood.has("203.0.113.9")

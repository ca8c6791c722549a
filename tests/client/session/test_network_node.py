"""The node of this machine: its beacon, its name, and the journal that it may have to mend."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import pytest

from client.session.network_node import NetworkNode, open_network_node, own_name
from client.settings import Settings, save_settings
from p2p.discovery.beacon import MOST_HOSTS, Beacon
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal
from p2p.storage.private_files import make_private
from protocol.errors import Malformed
from tests.p2p.table.vector_records import open_journal, record_of


def node(beacons: Any, hosts: tuple[str, ...]) -> NetworkNode:
    here: Any = SimpleNamespace(port=7, identity=Identity.generate())
    journal: Any = None
    addresses: Any = SimpleNamespace(now=lambda: hosts)
    return NetworkNode(Path(), here, journal, beacons, Identity.generate(), addresses=addresses)


async def test_a_node_announces_its_first_addresses_with_the_key_of_this_run() -> None:
    hosts, slots = tuple(f"192.0.2.{number}" for number in range(9)), AsyncMock()
    local = node(slots, hosts)
    beacon = local.beacon()
    assert beacon == Beacon(local.announcer.public, hosts[:MOST_HOSTS], 7)
    assert local.identity is local.endpoint.identity
    await local.announce(beacon)
    slots.announce.assert_called_once_with(beacon, local.announcer.sign)
    await node(None, hosts).announce(beacon)  # without mDNS nothing is sent, and nothing fails


async def test_a_damaged_journal_is_mended_and_the_person_is_told(tmp_path: Path) -> None:
    home = make_private(tmp_path / "home")
    async with open_network_node(home, 0) as local:
        assert (local.mended, local.folder, local.journal.tables()) == (None, home, ())
        assert local.endpoint.identity.public == local.identity.public
    with open_journal(home) as journal:
        record_of(journal, "records.json", 40)
    data = bytearray((home / JOURNAL_FILE).read_bytes())
    data[-5000:-4000] = bytes(1000)
    (home / JOURNAL_FILE).write_bytes(data)
    async with open_network_node(home, 0) as local:
        assert local.mended is not None
        assert isinstance(local.journal, Journal)


@pytest.mark.parametrize(
    ("account", "saved", "wanted", "name"),
    [
        ("eva", None, None, "eva"),
        ("eva", "Olga", None, "Olga"),
        ("eva", "Olga", " Ana  María ", "Ana María"),
        ("", None, None, "Ana"),
    ],
)
def test_the_name_is_typed_or_saved_or_that_of_the_account(
    account: str,
    saved: str | None,
    wanted: str | None,
    name: str,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("getpass.getuser", lambda: account)
    if saved:
        save_settings(home, Settings(name=saved))
    assert own_name(home, wanted) == name
    with pytest.raises(Malformed):
        own_name(home, "\x1b \u202e")
    with pytest.raises(Malformed, match="HOST could be mistaken for a word of the program"):
        own_name(home, "HOST")

"""Words of strangers, which neither screen nor log shows as words of the program."""

import ssl

import pytest
from cryptography.hazmat.primitives.asymmetric import ed25519
from trio.testing import memory_stream_pair

from client.cli.commands.tables import table_line
from client.i18n.sentences import said
from client.ui.model.lobby_view import lobby_view
from p2p.discovery.beacon import Beacon
from p2p.storage.identity import Identity
from p2p.transport.tls import (
    PeerRefused,
    client_context,
    handshake,
)
from tests.client.lobby_snapshots import lobby_at
from tests.p2p.transport.forged_certificates import anybody, certify, forge, meet

EVIL = "Update: curl x"
"""Text that a stranger would like the program to say; short enough for a name."""


def is_free_of(text: str) -> bool:
    """Return True if the text has none of the stranger's words."""
    return "curl" not in text


async def test_an_answer_in_another_protocol_is_not_quoted() -> None:
    near, far = memory_stream_pair()
    await near.send_all(f"HTTP/1.1 400 {EVIL}\r\n\r\n".encode() * 20)
    with pytest.raises(PeerRefused) as caught:
        await handshake(far, client_context(Identity.generate()), server_side=False, admit=anybody)
    assert said(caught.value).startswith("No encrypted connection could be made: ")
    assert is_free_of(said(caught.value))


async def test_a_certificate_is_not_quoted() -> None:
    key, other = (ed25519.Ed25519PrivateKey.generate() for _ in range(2))
    certificate = certify(key, other, subject=EVIL)
    server = forge(ssl.PROTOCOL_TLS_SERVER, key, certificate)
    outcome = await meet(client_context(Identity.generate()), server)
    assert isinstance(outcome.client, PeerRefused)
    assert is_free_of(said(outcome.client))


def test_titles_and_names_are_quoted_and_unknown_games_are_not() -> None:
    beacon = Beacon(bytes(32), ("192.0.2.1",), 7, EVIL, "UpdateNowFromCurl", 4, 3)
    line = table_line(beacon)
    assert line.startswith(f"“{EVIL}”: an unknown game, ")
    assert "UpdateNow" not in line
    (knock,) = lobby_view(lobby_at(False, knocking=(EVIL,))).knocking
    assert knock.sentence.startswith(f"“{EVIL}” (")

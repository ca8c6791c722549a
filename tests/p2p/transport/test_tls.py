"""TLS certificates, by which each side of a link learns the other's key."""

import ssl
import tempfile
from inspect import signature
from pathlib import Path

import pytest
import trio
from attrs import frozen
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, rsa
from trio.testing import memory_stream_pair

from p2p.storage.identity import Identity
from p2p.transport.tls import (
    HungUp,
    PeerRefused,
    _is_broken,
    _reason,
    authority_certificate,
    authority_key,
    client_context,
    handshake,
    leaf_certificate,
    peer_identity,
    server_context,
)
from tests.p2p.transport.forged_certificates import Key, Outcome, anybody, certify, forge, meet

ANA = Identity.generate()
BOB = Identity.generate()


async def test_each_side_learns_the_others_key() -> None:
    outcome = await meet(client_context(ANA), server_context(BOB))
    assert outcome == Outcome(client=BOB.public, server=ANA.public)


@pytest.mark.parametrize("years", [(1990, 2090), (1951, 1952), (9990, 9991)])
async def test_certificates_are_accepted_whatever_their_dates(years: tuple[int, int]) -> None:
    """The clock of a machine may be wrong by centuries.

    So the refusals below are due to the forged part of each certificate, not to its dates.
    """
    key = ed25519.Ed25519PrivateKey.generate()
    certificate = certify(key, years=years)
    outcome = await meet(forge(ssl.PROTOCOL_TLS_CLIENT, key, certificate), server_context(BOB))
    assert outcome.server == key.public_key().public_bytes_raw()
    outcome = await meet(client_context(ANA), forge(ssl.PROTOCOL_TLS_SERVER, key, certificate))
    assert outcome.client == key.public_key().public_bytes_raw()


async def test_a_client_who_expects_bob_refuses_mallory() -> None:
    mallory = Identity.generate()
    outcome = await meet(
        client_context(ANA), server_context(mallory), client_admits=lambda peer: peer == BOB.public
    )
    assert isinstance(outcome.client, PeerRefused)
    assert f" {mallory.public.hex()[:16]}… " in str(outcome.client)
    assert isinstance(outcome.server, PeerRefused)


AnyKey = Key | rsa.RSAPrivateKey

AUTHORITY, P256 = authority_key(), ec.generate_private_key(ec.SECP256R1())
RSA, ED448 = rsa.generate_private_key(65537, 2048), ed448.Ed448PrivateKey.generate()
KEY, OTHER = (ed25519.Ed25519PrivateKey.generate() for _ in range(2))
MIDDLE = certify(OTHER, subject="Middle", ca=True)
UNDER_MIDDLE = certify(KEY, OTHER, issuer_name=MIDDLE.subject)
NO_KEY, NO_CONNECTION = "no Ed25519 key", "No encrypted connection"

FORGED: dict[str, tuple[AnyKey, list[x509.Certificate], str]] = {
    "P-256": (P256, [certify(P256)], NO_KEY),
    "RSA": (RSA, [certify(RSA)], NO_KEY),
    "Ed448": (ED448, [certify(ED448)], NO_KEY),
    "the well-known key as a player": (AUTHORITY, [certify(AUTHORITY)], "anybody can sign"),
    "that key as an authority": (AUTHORITY, [certify(AUTHORITY, ca=True)], "anybody can sign"),
    "the authority itself": (AUTHORITY, [authority_certificate()], NO_CONNECTION),
    "signed with its own key": (KEY, [certify(KEY, KEY)], NO_CONNECTION),
    "of another authority": (KEY, [certify(KEY, OTHER)], NO_CONNECTION),
    "of an authority under the well-known one": (KEY, [UNDER_MIDDLE, MIDDLE], NO_CONNECTION),
}
"""For each forged certificate: its key, the chain that is shown, and the reason of the refusal."""


@pytest.mark.parametrize(("key", "chain", "why"), FORGED.values(), ids=FORGED)
async def test_a_forged_certificate_is_refused(
    key: AnyKey, chain: list[x509.Certificate], why: str
) -> None:
    """Both a server and a client refuse it."""
    as_client = await meet(forge(ssl.PROTOCOL_TLS_CLIENT, key, *chain), server_context(BOB))
    as_server = await meet(client_context(ANA), forge(ssl.PROTOCOL_TLS_SERVER, key, *chain))
    for refused in (as_client.server, as_server.client):
        assert isinstance(refused, PeerRefused)
        assert why in str(refused)


async def test_a_client_without_a_certificate_is_refused() -> None:
    stranger = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    stranger.check_hostname = False
    stranger.verify_mode = ssl.CERT_NONE
    outcome = await meet(stranger, server_context(BOB))
    assert isinstance(outcome.server, PeerRefused)
    assert "No encrypted connection" in str(outcome.server)


async def test_older_tls_is_refused() -> None:
    old = client_context(ANA)
    with pytest.warns(DeprecationWarning, match="TLSv1"):
        old.minimum_version = ssl.TLSVersion.TLSv1
    old.maximum_version = ssl.TLSVersion.TLSv1_2
    outcome = await meet(old, server_context(BOB))
    assert isinstance(outcome.server, PeerRefused)
    assert isinstance(outcome.client, PeerRefused)


@pytest.mark.parametrize("authority", [True, False], ids=["the authority's", "a player's"])
def test_a_certificate_says_only_its_purpose(authority: bool) -> None:
    """It has the extensions that RFC 5280, 4.2, requires, and no others.

    It is valid at any time, and has the same bytes everywhere.
    """
    key = authority_key().public_key() if authority else ANA.secret_key.public_key()
    certificate = authority_certificate() if authority else leaf_certificate(key)
    own = x509.SubjectKeyIdentifier.from_public_key(key)
    issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(authority_key().public_key())
    usage = dict.fromkeys(signature(x509.KeyUsage).parameters, False)
    usage["key_cert_sign" if authority else "digital_signature"] = True
    constraints = x509.BasicConstraints(ca=authority, path_length=0 if authority else None)
    assert [(one.value, one.critical) for one in certificate.extensions] == [
        (constraints, True),
        (x509.KeyUsage(**usage), True),
        (own, False),
        (issuer, False),
    ]
    assert certificate.serial_number == (1 if authority else 2)
    assert certificate.not_valid_before_utc.year == 1950
    assert certificate.not_valid_after_utc.year == 9999
    assert certificate == (authority_certificate() if authority else leaf_certificate(key))
    certificate.verify_directly_issued_by(authority_certificate())


def test_tls_resumes_no_sessions_and_sends_no_host_names() -> None:
    """A resumed session would show no certificate, and so no key."""
    assert server_context(BOB).num_tickets == 0
    assert not client_context(ANA).check_hostname


async def test_bytes_that_come_together_with_the_welcome_are_not_lost() -> None:
    near, far = memory_stream_pair()

    async def eager(stream: trio.abc.Stream) -> None:
        secure = trio.SSLStream(stream, server_context(BOB), server_side=True)
        await secure.do_handshake()
        await secure.send_all(b"\x06hello")

    async with trio.open_nursery() as nursery:
        nursery.start_soon(eager, far)
        secure, peer = await handshake(near, client_context(ANA), server_side=False, admit=anybody)
        assert peer == BOB.public
        assert await secure.receive_some() == b"hello"


@pytest.mark.parametrize("refusing", ["client", "server"])
async def test_a_peer_refused_after_the_handshake_sees_the_refusal(refusing: str) -> None:
    outcome = await meet(
        client_context(ANA), server_context(BOB), **{f"{refusing}_admits": lambda _peer: False}
    )
    told = {"client": outcome.client, "server": outcome.server}
    assert "not expected" in str(told.pop(refusing))
    (other,) = told.values()
    assert isinstance(other, PeerRefused)
    assert "refused us" in str(other)


@pytest.mark.parametrize("answer", [b"", b"x"])
async def test_anything_but_a_welcome_is_a_refusal(answer: bytes) -> None:
    async def unfriendly(stream: trio.abc.Stream) -> None:
        secure = trio.SSLStream(stream, server_context(BOB), server_side=True)
        await secure.do_handshake()
        if answer:
            await secure.send_all(answer)
        await secure.aclose()

    near, far = memory_stream_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(unfriendly, far)
        with pytest.raises(PeerRefused, match="refused us"):
            await handshake(near, client_context(ANA), server_side=False, admit=anybody)


async def test_plain_bytes_are_no_handshake() -> None:
    near, far = memory_stream_pair()
    await near.send_all(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20)
    with pytest.raises(PeerRefused, match="is not Sobremesa") as failure:
        await handshake(far, server_context(BOB), server_side=True, admit=anybody)
    assert not isinstance(failure.value, HungUp)


@pytest.mark.parametrize("first", [b"", b"\x16\x03"], ids=["at once", "amid a record"])
async def test_a_peer_who_hangs_up_is_not_taken_for_another_program(first: bytes) -> None:
    """A node without a free place hangs up like this, so too many may be calling it."""
    near, far = memory_stream_pair()
    if first:
        await near.send_all(first)
    await near.aclose()
    with pytest.raises(HungUp, match="too many programs"):
        await handshake(far, client_context(ANA), server_side=False, admit=anybody)


def broken_by(cause: BaseException | None) -> trio.BrokenResourceError:
    error = trio.BrokenResourceError()
    error.__cause__ = cause
    return error


def test_an_end_is_recognized_by_its_class_or_its_reason() -> None:
    """Not every Python has raised SSLEOFError when the other side hangs up."""
    told, garbled, bare = ssl.SSLError(1), ssl.SSLError(1), ssl.SSLError(1)
    told.reason, garbled.reason = "UNEXPECTED_EOF_WHILE_READING", "HTTP_REQUEST"
    bare.reason = None  # type: ignore[assignment]
    for cause, is_broken in (
        (ssl.SSLEOFError(8), True),
        (told, True),
        (ConnectionResetError(), True),
        (None, True),
        (garbled, False),
        (bare, False),
    ):
        assert _is_broken(broken_by(cause)) is is_broken


def test_the_log_quotes_openssls_reason_for_a_failed_connection() -> None:
    forged, garbled, cut = ssl.SSLCertVerificationError(1, ""), ssl.SSLError(1), ssl.SSLError(1)
    forged.verify_message = "invalid CA certificate"
    garbled.reason, cut.reason = "HTTP_REQUEST", None  # type: ignore[assignment]
    for cause, words in (
        (forged, "invalid CA certificate"),
        (garbled, "http request"),
        (cut, "the connection broke"),
        (None, "the connection broke"),
    ):
        assert _reason(broken_by(cause)) == words


@pytest.mark.parametrize("garbage", [None, b"", b"\x30\x03\x02\x01\x01", bytes(200)])
def test_a_certificate_that_cannot_be_read_is_refused(garbage: bytes | None) -> None:
    with pytest.raises(PeerRefused):
        peer_identity(Shows(garbage))  # type: ignore[arg-type]


@pytest.mark.parametrize("point", [bytes(32), b"\x01" + bytes(31), b"\x01" + bytes(30) + b"\x80"])
def test_a_key_of_small_order_is_refused(point: bytes) -> None:
    certificate = leaf_certificate(ed25519.Ed25519PublicKey.from_public_bytes(point))
    with pytest.raises(PeerRefused, match="anybody can sign"):
        peer_identity(Shows(certificate.public_bytes(serialization.Encoding.DER)))  # type: ignore[arg-type]


@frozen
class Shows:
    """A fake stream whose peer has shown this certificate."""

    certificate: bytes | None

    def getpeercert(self, binary_form: bool) -> bytes | None:
        assert binary_form
        return self.certificate


def test_the_key_on_the_disk_is_encrypted_and_soon_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[bytes] = []
    load = ssl.SSLContext.load_cert_chain

    def look(context: ssl.SSLContext, path: Path, password: bytes) -> None:
        assert path.parent.parent == tmp_path
        assert path.parent.stat().st_mode & 0o077 == 0
        seen.append(path.read_bytes())
        load(context, path, password=password)

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(ssl.SSLContext, "load_cert_chain", look)
    client_context(ANA)
    assert len(seen) == 1
    assert b"ENCRYPTED PRIVATE KEY" in seen[0]
    assert not list(tmp_path.iterdir())

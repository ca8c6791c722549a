"""Forged certificates, and the result of a handshake with them on both sides."""

import datetime
import ssl
import tempfile
from collections.abc import Callable
from pathlib import Path

import trio
from attrs import frozen
from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed448, ed25519, rsa
from cryptography.x509.oid import NameOID
from trio.testing import memory_stream_pair

from p2p.transport.tls import PeerRefused, authority_certificate, authority_key, handshake
from tests.patience import PATIENCE

Key = ed25519.Ed25519PrivateKey | ed448.Ed448PrivateKey | ec.EllipticCurvePrivateKey
Admit = Callable[[bytes], bool]


def anybody(_peer: bytes) -> bool:
    return True


@frozen
class Outcome:
    """The results of a handshake: on each side the other's key, or the error."""

    client: bytes | PeerRefused
    server: bytes | PeerRefused


async def meet(
    client: ssl.SSLContext,
    server: ssl.SSLContext,
    *,
    client_admits: Admit = anybody,
    server_admits: Admit = anybody,
) -> Outcome:
    """Let two sides with these contexts shake hands."""
    results: dict[bool, bytes | PeerRefused] = {}

    async def side(
        stream: trio.abc.Stream, context: ssl.SSLContext, server_side: bool, admit: Admit
    ) -> None:
        try:
            _, results[server_side] = await handshake(
                stream, context, server_side=server_side, admit=admit
            )
        except PeerRefused as error:
            results[server_side] = error
            await trio.aclose_forcefully(stream)

    near, far = memory_stream_pair()
    with trio.fail_after(PATIENCE):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(side, near, client, False, client_admits)
            nursery.start_soon(side, far, server, True, server_admits)
    return Outcome(client=results[False], server=results[True])


def forge(side: int, key: Key | rsa.RSAPrivateKey, *chain: x509.Certificate) -> ssl.SSLContext:
    """Return the TLS context of an attacker with that key and chain of certificates."""
    pem, unencrypted = serialization.Encoding.PEM, serialization.NoEncryption()
    context = ssl.SSLContext(side)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_REQUIRED  # so that a server asks for the client's certificate
    context.load_verify_locations(
        cadata=authority_certificate().public_bytes(serialization.Encoding.DER)
    )
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "chain.pem"
        secret = key.private_bytes(pem, serialization.PrivateFormat.PKCS8, unencrypted)
        path.write_bytes(b"".join(one.public_bytes(pem) for one in chain) + secret)
        context.load_cert_chain(path)
    return context


def certify(
    key: Key | rsa.RSAPrivateKey,
    issuer: ed25519.Ed25519PrivateKey | None = None,
    *,
    issuer_name: x509.Name | None = None,
    subject: str = "Mallory",
    ca: bool = False,
    years: tuple[int, int] = (1990, 2090),
) -> x509.Certificate:
    """Return a certificate for `key`, by default issued by the well-known authority."""
    builder = x509.CertificateBuilder(
        subject_name=x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, subject)]),
        issuer_name=issuer_name or authority_certificate().subject,
        public_key=key.public_key(),
        serial_number=7,
        not_valid_before=datetime.datetime(years[0], 1, 1, tzinfo=datetime.UTC),
        not_valid_after=datetime.datetime(years[1], 1, 1, tzinfo=datetime.UTC),
    ).add_extension(x509.BasicConstraints(ca=ca, path_length=None), critical=True)
    return builder.sign(issuer or authority_key(), None)

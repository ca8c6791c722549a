"""TLS between players: nobody issues certificates, the key in a certificate is the identity.

Links use TLS 1.3 (RFC 8446) with a certificate on both sides. Python's `ssl` returns a peer's
certificate only if it can verify the certificate, and strangers have no common authority. So every
node signs its own certificate with the key of a *well-known* authority, which is derived from a
fixed string. That key is no secret, so a signature by it proves nothing. TLS still proves that the
peer holds the secret key of its own certificate, and `peer_identity` returns the public key.

No clock is needed: certificates are valid from 1950 to 9999, and dates are not checked.
"""

import datetime
import functools
import logging
import secrets
import ssl
import tempfile
from collections.abc import Callable
from pathlib import Path

import trio
from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.x509.oid import NameOID

from p2p.storage.identity import Identity
from p2p.transport.frames import LinkError
from protocol.hashing import digest
from protocol.signatures import is_sound_key

_log = logging.getLogger(__name__)

_FROM = datetime.datetime(1950, 1, 1, tzinfo=datetime.UTC)
_UNTIL = datetime.datetime(9999, 12, 31, 23, 59, 59, tzinfo=datetime.UTC)  # RFC 5280 4.1.2.5
_NO_CHECK_TIME = 0x200000  # X509_V_FLAG_NO_CHECK_TIME, OpenSSL 1.1.0 and later
_AUTHORITY = "Sobremesa well-known authority"
_WELCOME = b"\x06"  # ASCII's "acknowledge"


class PeerRefused(LinkError):
    """An error: one side does not accept the identity of the other."""


class HungUp(PeerRefused):
    """An error: the other side has closed the connection without a reason. Perhaps it is busy."""


def client_context(identity: Identity) -> ssl.SSLContext:
    """Return the context for the side that connects."""
    return _context(identity, ssl.PROTOCOL_TLS_CLIENT)


def server_context(identity: Identity) -> ssl.SSLContext:
    """Return the context for the side that listens."""
    context = _context(identity, ssl.PROTOCOL_TLS_SERVER)
    context.num_tickets = 0  # a resumed session would show no certificate
    return context


def peer_identity(stream: trio.SSLStream[trio.abc.Stream]) -> bytes:
    """Return the peer's public key, 32 bytes. The peer has proved that it holds the secret key.

    Raises PeerRefused if the key cannot be an identity. That is so if it is not an Ed25519 key, or
    if anybody can sign for it: the well-known authority's key, and keys of small order.
    """
    encoded = stream.getpeercert(binary_form=True)
    try:
        key = x509.load_der_x509_certificate(encoded).public_key()
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise PeerRefused("The peer's certificate cannot be read.") from error
    if not isinstance(key, Ed25519PublicKey):
        raise PeerRefused("The peer's certificate holds no Ed25519 key.")
    public = key.public_bytes_raw()
    if public == authority_key().public_key().public_bytes_raw() or not is_sound_key(public):
        raise PeerRefused("The peer shows a key that anybody can sign for.")
    return public


async def handshake(
    stream: trio.abc.Stream,
    context: ssl.SSLContext,
    *,
    server_side: bool,
    admit: Callable[[bytes], bool],
) -> tuple[trio.SSLStream[trio.abc.Stream], bytes]:
    """Return `stream` as an encrypted stream, and the peer's public key, if both sides agree.

    In TLS 1.3 the client's handshake is over before the server has checked the client's
    certificate. So after the handshake each side sends one byte of welcome, if `admit` returns True
    for the peer's public key. Raises PeerRefused if either side refuses. This has no timeout.
    """
    secure = trio.SSLStream(stream, context, server_side=server_side)
    try:
        await secure.do_handshake()
    except trio.BrokenResourceError as error:
        _log.info("no encrypted connection could be made: %s", _reason(error))
        if _is_broken(error):
            raise HungUp(
                "The program there has closed the connection at once. Perhaps too many programs "
                "are connecting to it at the moment."
            ) from error
        raise PeerRefused(
            "No encrypted connection could be made: a program that is not Sobremesa answers there."
        ) from error
    peer = peer_identity(secure)
    # Without our byte of welcome, the peer knows that we refuse it.
    if not admit(peer):
        raise PeerRefused("The peer with the key {key}… is not expected here.", key=peer.hex()[:16])
    try:
        await secure.send_all(_WELCOME)
        answer = await secure.receive_some(1)
    except trio.BrokenResourceError as error:
        _log.info("the peer refused us: %s", _reason(error))
        refused = HungUp if _is_broken(error) else PeerRefused
        raise refused("The peer refused us.") from error
    if answer != _WELCOME:
        raise PeerRefused("The peer refused us.")
    return secure, peer


@functools.cache
def authority_key() -> Ed25519PrivateKey:
    """Return the well-known authority's key. Anybody can derive it, so it vouches for nobody."""
    return Ed25519PrivateKey.from_private_bytes(digest("well-known certificate authority"))


@functools.cache
def authority_certificate() -> x509.Certificate:
    """Return the authority's certificate, the same bytes on every node.

    The bytes are the same because all fields are constant, and an Ed25519 signature of constant
    fields is constant, too.
    """
    return _certificate(_AUTHORITY, authority_key().public_key(), ca=True)


def leaf_certificate(key: Ed25519PublicKey) -> x509.Certificate:
    """Return the certificate of a node with the public key `key`."""
    return _certificate("Sobremesa player", key, ca=False)


def _certificate(subject: str, key: Ed25519PublicKey, *, ca: bool) -> x509.Certificate:
    issuer = authority_key().public_key()
    usage = x509.KeyUsage(
        digital_signature=not ca,
        content_commitment=False,
        key_encipherment=False,
        data_encipherment=False,
        key_agreement=False,
        key_cert_sign=ca,
        crl_sign=False,
        encipher_only=False,
        decipher_only=False,
    )
    constraints = x509.BasicConstraints(ca=ca, path_length=0 if ca else None)
    return (
        x509.CertificateBuilder(
            subject_name=_name(subject),
            issuer_name=_name(_AUTHORITY),
            public_key=key,
            serial_number=1 if ca else 2,
            not_valid_before=_FROM,
            not_valid_after=_UNTIL,
        )
        .add_extension(constraints, critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key), critical=False)
        .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer), critical=False)
        .sign(authority_key(), None)
    )


def _name(common_name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, common_name)])


def _context(identity: Identity, side: int) -> ssl.SSLContext:
    context = ssl.SSLContext(side)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False  # a player is their key, wherever they are
    context.verify_mode = ssl.CERT_REQUIRED
    context.verify_flags |= _NO_CHECK_TIME
    authority = authority_certificate().public_bytes(serialization.Encoding.DER)
    context.load_verify_locations(cadata=authority)
    _load_chain(context, leaf_certificate(identity.secret_key.public_key()), identity.secret_key)
    return context


def _load_chain(
    context: ssl.SSLContext, certificate: x509.Certificate, key: Ed25519PrivateKey
) -> None:
    """Give `context` a certificate and its key.

    `ssl` reads certificate and key only from files. So they are written into a private folder,
    which is removed at once. The key in the file is encrypted with a password that is not written
    to disk.
    """
    password = secrets.token_hex(32).encode()
    pem = certificate.public_bytes(serialization.Encoding.PEM) + key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(password),
    )
    with tempfile.TemporaryDirectory(prefix="sobremesa-") as folder:
        path = Path(folder) / "chain.pem"
        path.write_bytes(pem)
        context.load_cert_chain(path, password=password)


def _is_broken(error: BaseException) -> bool:
    """Return True if the connection ended without a TLS error or alert."""
    cause = error.__cause__
    # Python has not always raised SSLEOFError for this end: Trio looks at the text, too.
    is_end = isinstance(cause, ssl.SSLEOFError) or "EOF" in (getattr(cause, "reason", "") or "")
    return is_end or not isinstance(cause, ssl.SSLError)


def _reason(error: BaseException) -> str:
    """Return OpenSSL's description of an error, for the log. It contains nothing from the peer."""
    cause = error.__cause__
    if isinstance(cause, ssl.SSLCertVerificationError):
        return cause.verify_message
    if isinstance(cause, ssl.SSLError) and cause.reason:
        return cause.reason.lower().replace("_", " ")
    return "the connection broke"

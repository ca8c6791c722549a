"""Decoders to fuzz, each with the errors that it may raise, and with good inputs."""

import random
from collections.abc import Callable, Sequence
from functools import cache, partial
from itertools import takewhile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import trio
from attrs import frozen
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from trio.testing import memory_stream_pair
from zeroconf import ServiceInfo

from client.settings import BadSetting, Settings, _parsed, load_settings, save_settings
from engine.errors import NotationError
from engine.games import GAMES
from engine.notation.game_text import parse_game
from engine.notation.position_reader import parse_position
from p2p.discovery.beacon import SERVICE, Beacon
from p2p.storage.rollback_guard import RollbackGuard
from p2p.transport.frames import Frames, LinkError, Pace
from p2p.transport.messages import Agreed, pack, unpack
from protocol.audit import Auditor
from protocol.charter import Charter, SignedCharter
from protocol.entries import Body, Entry
from protocol.errors import Malformed
from protocol.evidence import Evidence, Statement, statements_of
from protocol.match.messages import NO_WISH, Continued, Proposal, ShownEvidence, Signed, Stance
from protocol.match.statements import decode_statement, encode_statement
from protocol.record_file import MAGIC, PartKind, RecordReader, kind_of, record_parts
from protocol.signatures import labelled
from protocol.table.messages import Acknowledgement, Carry, Status
from tests.fuzz_referee import cases_of_the_spec, hostile, judged

ROOT = Path(__file__).parents[1]
_T = TypeVar("_T")
_KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
_PUBLIC = _KEY.public_key().public_bytes_raw()


@frozen
class Target:
    """A decoder of bytes with its documented errors."""

    name: str
    decode: Callable[[bytes], object]
    examples: Callable[[], Sequence[bytes]]
    """Good inputs to begin with."""
    errors: tuple[type[Exception], ...] = (Malformed,)
    change: Callable[[random.Random], bytes] | None = None
    """Function that makes a hostile input of its own kind, if there is one."""


def _sign(label: bytes, message: bytes) -> bytes:
    return _KEY.sign(labelled(label, message))


@cache
def _record_parts() -> tuple[bytes, ...]:
    """Return the parts of a kept record, one of them a continuation."""
    reader = RecordReader()
    file = ROOT / "tests" / "records" / "format-1-canasta-substitute.sobremesa"
    return tuple(reader.feed(file.read_bytes()))


def _entries() -> list[bytes]:
    """Return the smallest entry of each kind in the kept record."""
    found: dict[str, bytes] = {}
    entries = (part for part in _record_parts() if kind_of(part) is PartKind.ENTRY)
    for part in sorted(entries, key=len):
        body = Body.decode(Entry.decode(part).body, GAMES["canasta"].deck)
        found.setdefault(body.content.kind, part)
    return list(found.values())


def _charters() -> list[SignedCharter]:
    """Return the first charter, and a continuation."""
    parts = (part for part in _record_parts() if kind_of(part) is PartKind.CHARTER)
    return list(map(SignedCharter.decode, parts))


def _statements() -> tuple[Statement, ...]:
    return statements_of(_charters()[-1])


def _evidence_parts() -> list[bytes]:
    """Return evidence by two statements, and evidence by a statement and an entry."""
    one, other = _statements()[:2]
    table, entry = _charters()[0].charter, Entry.decode(_entries()[0])
    return [Evidence(one, other).encode(), Evidence(one, entry, table).encode()]


def _canonical(
    decode: Callable[[bytes], _T], encode: Callable[[_T], bytes]
) -> Callable[[bytes], None]:
    """Return a decoder which also asserts that the value encodes to the same bytes."""

    def decoded(data: bytes) -> None:
        assert encode(decode(data)) == data, "the decoded value encodes to other bytes"

    return decoded


def _entry(data: bytes) -> None:
    _canonical(Entry.decode, Entry.encode)(data)
    for game in GAMES.values():
        body = partial(Body.decode, deck=game.deck)
        _canonical(body, Body.encode)(Entry.decode(data).body)


def _messages() -> list[bytes]:
    told = Acknowledgement.make(bytes(32), 3, bytes(32), _sign)
    first, continuation = _charters()
    messages = (
        Status(told, ((1, told),)),
        Carry(4, b"entry"),
        Agreed(first.encode()),
        Stance(_PUBLIC, 3, NO_WISH, bytes(32)).signed(bytes(32), _sign),
        Proposal(_PUBLIC, 3, continuation.charter.encode()).signed(_sign),
        Signed(encode_statement(_statements()[0])),
        Continued(continuation.encode()),
        ShownEvidence(_evidence_parts()[0]),
    )
    return [pack(message) for message in messages]


def _record(data: bytes) -> None:
    """Audit a record. No shuffle is verified in the examples, because that would take too long."""
    auditor = Auditor()
    for _ in auditor.feed(data):
        pass
    auditor.finish()


def _frames(data: bytes) -> None:
    async def receive() -> None:
        near, far = memory_stream_pair()
        await near.send_all(data)
        await near.aclose()
        frames = Frames(far, Pace(frame_bytes=300))
        while True:
            assert len(await frames.receive()) <= 300

    trio.run(receive)


def _beacon(data: bytes) -> None:
    name = f"{_PUBLIC.hex()[:32]}.{SERVICE}"
    info = ServiceInfo(SERVICE, name, port=7, properties=data, parsed_addresses=["192.0.2.1"])
    Beacon.from_service(info)


def _beacons() -> list[bytes]:
    beacon = Beacon(_PUBLIC, ("192.0.2.1",), 7, "Kitchen", "canasta", 4, 3, moment=9)
    return [beacon.to_service(_sign).text]


def _text(decode: Callable[[str], object]) -> Callable[[bytes], None]:
    """Return a decoder of bytes that become text first."""

    def decoded(data: bytes) -> None:
        decode(data.decode("utf-8", "surrogateescape"))

    return decoded


def _settings_file() -> list[bytes]:
    with TemporaryDirectory() as folder:
        save_settings(Path(folder), Settings())
        assert load_settings(Path(folder)).settings == Settings()
        return [path.read_bytes() for path in Path(folder).iterdir()]


def _guard(data: bytes) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "guard"
        path.write_bytes(data)
        assert len(RollbackGuard(path).seen()) == 48


def _cases() -> list[bytes]:
    return ["\n".join(lines).encode() for lines in cases_of_the_spec()[::9]]


def _another_case_file(rng: random.Random) -> bytes:
    return hostile(rng, cases_of_the_spec()).encode()


def _positions() -> list[bytes]:
    """Return the positions with which the referee's cases begin."""

    def is_of_position(line: str) -> bool:
        return not line.startswith(("try", "expect", "play"))

    cases = (lines for _, *lines in cases_of_the_spec()[::9])
    return ["\n".join(takewhile(is_of_position, lines)).encode() for lines in cases]


TARGETS = (
    Target("frames", _frames, lambda: [b"\0\0\0\2hi\0\0\0\1x"], (LinkError,)),
    Target("messages", _canonical(unpack, pack), _messages),
    Target("entries", _entry, _entries),
    Target(
        "charters",
        _canonical(Charter.decode, Charter.encode),
        lambda: [signed.charter.encode() for signed in _charters()],
    ),
    Target(
        "signed charters",
        _canonical(SignedCharter.decode, SignedCharter.encode),
        lambda: [one.encode() for one in _charters()],
    ),
    Target(
        "statements",
        _canonical(decode_statement, encode_statement),
        lambda: list(map(encode_statement, _statements())),
    ),
    Target("evidence", _canonical(Evidence.decode, Evidence.encode), _evidence_parts),
    Target(
        "records",
        _record,
        lambda: [
            MAGIC,
            b"".join(record_parts([(_charters()[0], [*_evidence_parts(), _entries()[-1]])])),
        ],
    ),
    Target("beacons", _beacon, _beacons),
    Target("settings", _parsed, _settings_file, (BadSetting, ValueError)),
    Target("rollback guard", _guard, lambda: [bytes(16)], ()),
    Target(
        "case files", _text(lambda text: list(judged(text))), _cases, (), change=_another_case_file
    ),
    Target("positions", _text(parse_position), _positions, (NotationError,)),
    Target("games", _text(parse_game), _cases, (NotationError,)),
)

"""A second verifier of records, for whoever trusts neither the players nor their program.

It shares no code with the program: fields, group, signatures, decoder and proofs are its own, in
plain Python upon `hashlib`. Who wrote it also wrote the documents beside it; what they said to
somebody who had only them is in findings.md. It checks everything
of a record except the rules of play (whose move it is, whether it is legal, what a round counts).
Where a comment says R7 it means that clause of record.md; numbers of steps are those of
protocol.md.

    python verifier.py RECORD...        one line for each file; exit code 1 unless all are sound
"""

import copy
import hashlib
import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# ---------------------------------------------------------------------------------------------
# Verdicts


class NoRecord(Exception):
    """The file is no record."""


class Broken(Exception):
    """The record does not go on like this, and nobody can be blamed."""

    def __init__(self, cause: str) -> None:
        super().__init__(cause)
        self.cause = cause


class Newer(Exception):
    """The record is of a version that this verifier does not know (record.md, 7)."""

    def __init__(self, cause: str) -> None:
        super().__init__(cause)
        self.cause = cause


class Misfit(Exception):
    """What is signed cannot stand here; whoever signed it is exposed."""

    def __init__(self, cause: str) -> None:
        super().__init__(cause)
        self.cause = cause


class Exposed(Exception):
    """A player has signed what cannot stand there."""

    def __init__(self, player: int, cause: str) -> None:
        super().__init__(player, cause)
        self.player = player
        self.cause = cause


@dataclass(frozen=True)
class Finding:
    """What a record comes to: "sound", "ended" (by an absence), "unfinished", "broken", "exposed",
    "illegal" (a clause of the rules is the cause) or "newer", at which entry, for which cause, and
    who has signed it.
    """

    verdict: str
    entry: int
    cause: str = ""
    player: int | None = None
    unsigned: tuple[int, ...] = ()


def demand(holds: bool, cause: str) -> None:
    if not holds:
        raise Misfit(cause)


# ---------------------------------------------------------------------------------------------
# The field of 2^255 - 19, and the Edwards curve -x^2 + y^2 = 1 + d x^2 y^2 over it

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
D2 = 2 * D % P
SQRT_M1 = pow(2, (P - 1) // 4, P)

Point = tuple[int, int, int, int]
"""X, Y, Z, T with x = X/Z, y = Y/Z, x y = T/Z."""

ZERO: Point = (0, 1, 1, 0)


def is_negative(x: int) -> bool:
    return x % P % 2 == 1


def absolute(x: int) -> int:
    return -x % P if is_negative(x) else x % P


def sqrt_ratio(u: int, v: int) -> tuple[bool, int]:
    """RFC 9496, 4.2: whether u/v is a square, and the root of u/v or of sqrt(-1) u/v."""
    r = u * pow(v, 3, P) * pow(u * pow(v, 7, P), (P - 5) // 8, P) % P
    check = v * r * r % P
    correct = check == u % P
    flipped = check == -u % P
    if flipped or check == -u * SQRT_M1 % P:
        r = r * SQRT_M1 % P
    return correct or flipped, absolute(r)


INVSQRT_A_MINUS_D = sqrt_ratio(1, (-1 - D) % P)[1]
SQRT_AD_MINUS_ONE = P - sqrt_ratio((-D - 1) % P, 1)[1]  # RFC 9496 takes the negative root


def add(p: Point, q: Point) -> Point:
    x1, y1, z1, t1 = p
    x2, y2, z2, t2 = q
    a = (y1 - x1) * (y2 - x2) % P
    b = (y1 + x1) * (y2 + x2) % P
    c = D2 * t1 * t2 % P
    d = 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def double(p: Point) -> Point:
    x, y, z, _ = p
    a, b = x * x % P, y * y % P
    h = a + b
    e = h - (x + y) * (x + y)
    g = a - b
    f = 2 * z * z + g
    return e * f % P, g * h % P, f * g % P, e * h % P


def negated(p: Point) -> Point:
    return -p[0] % P, p[1], p[2], -p[3] % P


def total(terms: Iterable[tuple[int, Point]]) -> Point:
    """The sum of scalar * point, by Pippenger's buckets."""
    pairs = [(scalar % ORDER, point) for scalar, point in terms]
    width = next(w for w, most in ((1, 3), (3, 30), (5, 150), (6, 1 << 30)) if len(pairs) <= most)
    result: Point | None = None
    for shift in range(252 // width * width, -1, -width):
        for _ in range(width if result else 0):
            result = double(result or ZERO)
        buckets: list[Point | None] = [None] * (1 << width)
        for scalar, point in pairs:
            digit = scalar >> shift & (1 << width) - 1
            buckets[digit] = joined(buckets[digit], point)
        running = column = None
        for bucket in reversed(buckets[1:]):
            running = joined(running, bucket)
            column = joined(column, running)
        result = joined(result, column)
    return result or ZERO


def joined(p: Point | None, q: Point | None) -> Point | None:
    """The sum, of which either may be missing."""
    return add(p, q) if p and q else p or q


# ---------------------------------------------------------------------------------------------
# ristretto255 (RFC 9496)


def decode_point(data: bytes) -> Point:
    """RFC 9496, 4.3.1; what is no canonical encoding, and the identity, is a misfit (R9)."""
    s = int.from_bytes(data, "little")
    demand(len(data) == 32 and 0 < s < P and not is_negative(s), "R9")
    u1, u2 = (1 - s * s) % P, (1 + s * s) % P
    v = (-D * u1 * u1 - u2 * u2) % P
    square, inverse = sqrt_ratio(1, v * u2 * u2)
    den_x = inverse * u2 % P
    x = absolute(2 * s * den_x)
    y = u1 * inverse * den_x * v % P
    demand(square and not is_negative(x * y) and y != 0, "R9")
    return x, y, 1, x * y % P


def encode_point(p: Point) -> bytes:
    """RFC 9496, 4.3.2."""
    x, y, z, t = p
    u1, u2 = (z + y) * (z - y) % P, x * y % P
    inverse = sqrt_ratio(1, u1 * u2 * u2)[1]
    den1, den2 = inverse * u1 % P, inverse * u2 % P
    z_inverse = den1 * den2 * t % P
    if is_negative(t * z_inverse):
        x, y, den = y * SQRT_M1 % P, x * SQRT_M1 % P, den1 * INVSQRT_A_MINUS_D % P
    else:
        den = den2
    if is_negative(x * z_inverse):
        y = -y % P
    return absolute(den * (z - y)).to_bytes(32, "little")


def same(p: Point, q: Point) -> bool:
    """RFC 9496, 4.3.3: the same element of the group."""
    return (p[0] * q[1] - p[1] * q[0]) % P == 0 or (p[1] * q[1] - p[0] * q[0]) % P == 0


def elligator(data: bytes) -> Point:
    """RFC 9496, 4.3.4, MAP."""
    t = int.from_bytes(data, "little") % 2**255 % P
    r = SQRT_M1 * t * t % P
    u = (r + 1) * (1 - D * D) % P
    v = (-1 - r * D) * (r + D) % P
    square, s = sqrt_ratio(u, v)
    if not square:
        s = -absolute(s * t) % P
    c = -1 if square else r
    n = (c * (r - 1) * (D - 1) * (D - 1) - v) % P
    w0, w1 = 2 * s * v % P, n * SQRT_AD_MINUS_ONE % P
    w2, w3 = (1 - s * s) % P, (1 + s * s) % P
    return w0 * w3 % P, w2 * w1 % P, w1 * w3 % P, w0 * w2 % P


def point_from_hash(data: bytes) -> Point:
    """RFC 9496, 4.3.4: from 64 bytes."""
    return add(elligator(data[:32]), elligator(data[32:]))


BASE = decode_point(
    bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76")
)


def decode_scalar(data: bytes) -> int:
    scalar = int.from_bytes(data, "little")
    demand(len(data) == 32 and scalar < ORDER, "R9")
    return scalar


# ---------------------------------------------------------------------------------------------
# Ed25519 (RFC 8032), without cofactor

ED_BASE: Point = (
    15112221349535400772501151409588531511454012693041857206046113283949847762202,
    46316835694926478169428394003475163141307993866256225615783033603165251855960,
    1,
    46827403850823179245072216630277197565144205554125654976674165829533817101731,
)
# The y of the eight points of small order; and y is below P.
SMALL_ORDER_Y = {
    0,
    1,
    P - 1,
    0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD83D3D706A17C7,
    0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826,
}


def is_key(data: bytes) -> bool:
    """Whether it can be an identity (protocol.md, 8); it may still be no point of the curve."""
    y = int.from_bytes(data, "little") % 2**255
    return y < P and y not in SMALL_ORDER_Y


def decode_key(data: bytes) -> Point | None:
    """The public key as a point of the curve."""
    y = int.from_bytes(data, "little") % 2**255
    if not is_key(data):
        return None
    square, x = sqrt_ratio((y * y - 1) % P, (D * y * y + 1) % P)
    if not square:
        return None
    if is_negative(x) != bool(data[31] >> 7):
        x = -x % P
    return x, y, 1, x * y % P


def is_signed(key: bytes, label: str, message: bytes, signature: bytes) -> bool:
    point, s = decode_key(key), int.from_bytes(signature[32:], "little")
    if point is None or s >= ORDER:
        return False
    signed = bytes([len(label)]) + label.encode() + message
    challenge = hashlib.sha512(signature[:32] + key + signed).digest()
    r = total([(s, ED_BASE), (int.from_bytes(challenge, "little"), negated(point))])
    inverse = pow(r[2], -1, P)
    x, y = r[0] * inverse % P, r[1] * inverse % P
    return (y | (x % 2) << 255).to_bytes(32, "little") == signature[:32]


# ---------------------------------------------------------------------------------------------
# Labelled hashes


def number(value: int) -> bytes:
    return value.to_bytes(8, "big")


def framed(label: str, parts: tuple[bytes, ...]) -> bytes:
    named = (b"sobremesa/1/" + label.encode(), *parts)
    return b"".join(number(len(part)) + part for part in named)


def labelled_hash(label: str, *parts: bytes) -> bytes:
    return hashlib.sha512(framed(label, parts)).digest()


def digest(label: str, *parts: bytes) -> bytes:
    return hashlib.sha256(framed(label, parts)).digest()


def hash_to_scalar(label: str, *parts: bytes) -> int:
    return int.from_bytes(labelled_hash(label, *parts), "little") % ORDER


def hash_to_point(label: str, *parts: bytes) -> Point:
    return point_from_hash(labelled_hash(label, *parts))


# ---------------------------------------------------------------------------------------------
# The encoding: format.md, values


class NotEncoded(Exception):
    """These bytes are not the one encoding of a value."""


def expect(holds: bool) -> None:
    if not holds:
        raise NotEncoded


# By first byte: how many bytes of number or length follow, and the least that needs so many.
UNSIGNED = {0xCC: (1, 1 << 7), 0xCD: (2, 1 << 8), 0xCE: (4, 1 << 16), 0xCF: (8, 1 << 32)}
SIGNED = {0xD0: (1, 1 << 5), 0xD1: (2, 1 << 7), 0xD2: (4, 1 << 15), 0xD3: (8, 1 << 31)}
BYTES = {0xC4: (1, 0), 0xC5: (2, 1 << 8), 0xC6: (4, 1 << 16)}
TEXT = {0xD9: (1, 1 << 5), 0xDA: (2, 1 << 8), 0xDB: (4, 1 << 16)}
LIST = {0xDC: (2, 1 << 4), 0xDD: (4, 1 << 16)}
CONSTANTS = {0xC0: None, 0xC2: False, 0xC3: True}


def decode(data: bytes) -> Any:
    """The value that `data` is the one encoding of; lists may be nested twelve deep."""
    reader = Reader(data)
    value = reader.value(12)
    expect(reader.at == len(data))
    return value


def front_of(data: bytes) -> tuple[int, Any]:
    """How many items a list has, and the first of them: what follows may have any form."""
    reader = Reader(data)
    length = reader.list_length(*reader.take(1))
    expect(length > 0)
    return length, reader.value(11)


@dataclass
class Reader:
    data: bytes
    at: int = 0

    def take(self, size: int) -> bytes:
        expect(self.at + size <= len(self.data))
        self.at += size
        return self.data[self.at - size : self.at]

    def number(self, size: int, least: int) -> int:
        value = int.from_bytes(self.take(size), "big")
        expect(value >= least)
        return value

    def value(self, depth: int) -> Any:
        (head,) = self.take(1)
        if head in CONSTANTS:
            return CONSTANTS[head]
        if head < 0x80 or head >= 0xE0:
            return head if head < 0x80 else head - 256
        if head in UNSIGNED:
            return self.number(*UNSIGNED[head])
        if head in SIGNED:
            size, least = SIGNED[head]
            value = int.from_bytes(self.take(size), "big", signed=True)
            expect(value < -least)
            return value
        if head in BYTES:
            return self.take(self.number(*BYTES[head]))
        if head in TEXT or 0xA0 <= head < 0xC0:
            try:
                return self.take(self.number(*TEXT[head]) if head in TEXT else head - 0xA0).decode()
            except UnicodeDecodeError as error:
                raise NotEncoded from error
        length = self.list_length(head)
        expect(depth > 0)
        return [self.value(depth - 1) for _ in range(length)]

    def list_length(self, head: int) -> int:
        expect(head in LIST or 0x90 <= head < 0xA0)
        length = self.number(*LIST[head]) if head in LIST else head - 0x90
        expect(length <= 4096)
        return length


# Fields: each function checks that one value has its type and is within its bounds.


def an_int(value: Any, low: int, high: int) -> int:
    expect(type(value) is int and low <= value <= high)
    return int(value)


def some_bytes(value: Any, exact: int | None = None, most: int = 1 << 16) -> bytes:
    expect(isinstance(value, bytes) and len(value) <= most)
    expect(exact is None or len(value) == exact)
    return bytes(value)


def a_list(value: Any, exact: int | None = None, most: int = 4096) -> list[Any]:
    expect(isinstance(value, list) and len(value) <= most)
    expect(exact is None or len(value) == exact)
    return list(value)


def all_bytes(value: Any, exact: int, most: int) -> list[bytes]:
    return [some_bytes(item, exact) for item in a_list(value, most=most)]


MOST_SLOTS, MOST_PLAYER, MOST_HEIGHT = (1 << 32) - 1, 255, 1 << 48
MOST_RELEASES, MOST_ACT = 8, 2048 + 128


def a_card(value: Any, deck: int) -> tuple[int, int]:
    slot, card = a_list(value, 2)
    return an_int(slot, 0, MOST_SLOTS), an_int(card, 0, deck - 1)


def cards(value: Any, deck: int) -> list[tuple[int, int]]:
    return [a_card(item, deck) for item in a_list(value, most=deck)]


def cards_of_move(value: Any, deck: int) -> list[tuple[int, int]]:
    """The cards that a move names, in its order; the rest of it is checked for its form."""
    kind, *rest = value if isinstance(value, list) and value else [None]
    match kind, rest:
        case "draw" | "ask" | "pass", []:
            return []
        case "answer", [yes]:
            expect(isinstance(yes, bool))
            return []
        case "cut", [where]:
            an_int(where, 0, MOST_SLOTS)
            return []
        case "discard", [card]:
            return [a_card(card, deck)]
        case "bonus", [some]:
            return cards(some, deck)
        case "take" | "top" | "meld", [plays]:
            named = []
            for play in a_list(plays, most=deck):
                some, onto, low = a_list(play, 3)
                named += cards(some, deck)
                expect(onto is None or an_int(onto, 0, deck) >= 0)
                expect(isinstance(low, bool))
            return named
        case _:
            raise NotEncoded


def a_closing(value: Any) -> list[Any]:
    """What is signed of a counted round: its number, the points, whether it was the last."""
    round_, points, last = a_list(value, 3)
    an_int(round_, 1, MOST_HEIGHT)
    for side in a_list(points, most=MOST_PLAYER):
        an_int(side, -(1 << 30), 1 << 30)
    expect(isinstance(last, bool))
    return [round_, points, last]


def a_member(value: Any) -> bytes:
    """The key of a member of the table."""
    key, name, nonce = a_list(value, 3)
    expect(is_key(some_bytes(key, 32)))
    expect(isinstance(name, str) and len(name) <= 80)
    some_bytes(nonce, 32)
    return bytes(key)


# ---------------------------------------------------------------------------------------------
# The two proofs


def verify_shuffle(
    ctx: bytes, key: bytes, inputs: Sequence[Point], outputs: bytes, proof: bytes
) -> list[Point]:
    """The points of the outputs, if the proof holds (protocol.md, VerifyShuffle)."""
    size = len(inputs)
    demand(len(outputs) == 32 * size, "shuffle:length")
    encoded = [outputs[i : i + 32] for i in range(0, len(outputs), 32)]
    y = [decode_point(point) for point in encoded]
    unlock_key = decode_point(key)
    demand(len(proof) == 32 * (3 * size + 11), "R9")
    parts = [proof[i : i + 32] for i in range(0, len(proof), 32)]
    c, d = parts[:size], parts[size : 2 * size]
    t, answers = parts[2 * size : 2 * size + 6], parts[2 * size + 6 :]
    c_points, d_points, t_points = ([decode_point(point) for point in part] for part in (c, d, t))
    s1, s2, s3, s4, s_hat, *s_prime = map(decode_scalar, answers)
    demand(len(set(encoded)) == size, "shuffle:distinct")

    x_bytes = b"".join(map(encode_point, inputs))
    seed = labelled_hash("shuffle seed", ctx, key, x_bytes, outputs, b"".join(c))
    e = [hash_to_scalar("shuffle e", seed, number(j)) for j in range(1, size + 1)]
    f1 = hash_to_scalar("shuffle f", seed, b"".join(d))
    f = [pow(f1, i, ORDER) for i in range(1, size + 1)]
    challenge = hash_to_scalar("shuffle c", seed, b"".join(d), b"".join(t))
    h = generators(size)
    product = 1
    for e_j in e:
        product = product * e_j % ORDER
    sum_c, sum_h = total_of(c_points), total_of(h[1:])
    before = [h[0], *d_points[:-1]]
    equations: dict[str, list[tuple[int, Point]]] = {
        "sum": [(s1, BASE), (-challenge, sum_c), (challenge, sum_h)],
        "prod": [(s2, BASE), (-challenge, d_points[-1]), (challenge * product, h[0])],
        "commit": [
            (s3, BASE),
            *zip(s_prime, h[1:], strict=True),
            *((-challenge * e_j, c_j) for e_j, c_j in zip(e, c_points, strict=True)),
        ],
        "map": [
            *zip(s_prime, y, strict=True),
            *((-s4 * e_j, x_j) for e_j, x_j in zip(e, inputs, strict=True)),
        ],
        "key": [(s4, unlock_key), (-challenge, BASE)],
        "chain": [
            (s_hat, BASE),
            *((f_i * s_i, d_i) for f_i, s_i, d_i in zip(f, s_prime, before, strict=True)),
            *((-challenge * f_i, d_i) for f_i, d_i in zip(f, d_points, strict=True)),
        ],
    }
    for (name, terms), blinding in zip(equations.items(), t_points, strict=True):
        demand(same(total(terms), blinding), f"shuffle:{name}")
    return y


def total_of(points: Sequence[Point]) -> Point:
    result = ZERO
    for point in points:
        result = add(result, point)
    return result


GENERATORS: list[Point] = []


def generators(size: int) -> list[Point]:
    while len(GENERATORS) <= size:
        GENERATORS.append(hash_to_point("generator", number(len(GENERATORS))))
    return GENERATORS[: size + 1]


def verify_unlock(
    ctx: bytes, key: Point, locked: Sequence[Point], unlocked: Sequence[Point], proof: bytes
) -> None:
    """protocol.md, VerifyUnlock; RFC 9497, 2.2.2 with another context string."""
    c, s = decode_scalar(proof[:32]), decode_scalar(proof[32:])
    key_bytes = encode_point(key)
    w_bytes, z_bytes = (b"".join(map(encode_point, points)) for points in (locked, unlocked))
    statement = digest("unlock", ctx, key_bytes, w_bytes, z_bytes)
    context = b"sobremesa/1/unlock-ristretto255-SHA512-" + statement
    seed = hashlib.sha512(_short(key_bytes, b"Seed-" + context)).digest()
    weights = [
        _to_scalar(
            context,
            _short(seed)
            + i.to_bytes(2, "big")
            + _short(encode_point(w), encode_point(z))
            + b"Composite",
        )
        for i, (w, z) in enumerate(zip(locked, unlocked, strict=True))
    ]
    m = total(zip(weights, locked, strict=True))
    m_unlocked = total(zip(weights, unlocked, strict=True))
    points = (key, m, m_unlocked, total([(s, BASE), (c, key)]), total([(s, m), (c, m_unlocked)]))
    demand(not any(same(point, ZERO) for point in points), "unlock:identity")
    transcript = _short(*map(encode_point, points)) + b"Challenge"
    demand(c == _to_scalar(context, transcript), "unlock:dleq")


def _short(*parts: bytes) -> bytes:
    return b"".join(len(part).to_bytes(2, "big") + part for part in parts)


def _to_scalar(context: bytes, message: bytes) -> int:
    """RFC 9497's HashToScalar: expand_message_xmd (RFC 9380) with SHA-512, 64 bytes."""
    dst = b"HashToScalar-" + context
    dst += bytes([len(dst)])
    b0 = hashlib.sha512(bytes(128) + message + b"\0\x40" + b"\0" + dst).digest()
    return int.from_bytes(hashlib.sha512(b0 + b"\1" + dst).digest(), "little") % ORDER


# ---------------------------------------------------------------------------------------------
# The games, as far as the order of writers depends on them (record.md, the draw)

Option = bool | tuple[int, int, int]  # as in the rules; of a number its bounds besides


@dataclass(frozen=True)
class Game:
    """A deck is so many packs of four suits with so many ranks, and then cards without a suit. In
    `couples` are the numbers of players at which partners play together.
    """

    rules: int  # the version of the rules of play
    players: tuple[int, ...]
    couples: tuple[int, ...]
    draws_seats: bool
    highest_deals: bool
    packs: int
    ranks: int
    deck: int
    options: dict[str, Option]


# format.md, 2; the same tool writes both tables.
GAMES: dict[str, Game] = {
    "canasta": Game(
        rules=1,
        players=(2, 3, 4, 5, 6),
        couples=(4, 6),
        draws_seats=True,
        highest_deals=False,
        packs=2,
        ranks=13,
        deck=108,
        options={
            "rounds": (0, 0, 1000),
            "void_interrupted": False,
            "target": (5000, 500, 100000),
            "two_canastas": False,
            "penalties": False,
            "red_start": False,
            "ask_again": False,
            "must_take": True,
        },
    ),
    "kanastic": Game(
        rules=1,
        players=(2, 3, 4),
        couples=(4,),
        draws_seats=False,
        highest_deals=True,
        packs=2,
        ranks=11,
        deck=108,
        options={
            "rounds": (0, 0, 1000),
            "void_interrupted": False,
            "target": (10000, 500, 100000),
            "distinct_suits": True,
            "going_out_bonus": (100, 0, 1000),
            "barren_passes": (2, 1, 100),
            "short_suits": False,
            "leave_pile": False,
            "double_totals": False,
        },
    ),
    "canastra": Game(
        rules=1,
        players=(2,),
        couples=(),
        draws_seats=False,
        highest_deals=False,
        packs=2,
        ranks=13,
        deck=104,
        options={
            "void_interrupted": False,
            "rounds": (1, 1, 1000),
            "require_canastra": False,
            "idle_turns": (100, 10, 1000),
        },
    ),
}


def check_options(game: Game, options: Any) -> None:
    """Options that are not as in the rules, in the order of their names (format.md, 2)."""
    before = ""
    values = []
    for option in a_list(options, most=64):
        name, value = a_list(option, 2)
        expect(isinstance(value, int) and a_word(name) > before)
        known(name in game.options)
        values.append((game.options[name], value))
        before = name
    for usual, value in values:
        if isinstance(usual, bool):
            expect(isinstance(value, bool) and value != usual)
        else:
            expect(an_int(value, *usual[1:]) != usual[0])


def check_extensions(extensions: Any) -> None:
    """Extensions in the order of their names (format.md, 2): none is known."""
    before = ""
    for extension in a_list(extensions, most=16):
        name, critical, value = a_list(extension, 3)
        expect(isinstance(critical, bool))
        some_bytes(value, most=1024)
        expect(a_word(name) > before)
        known(not critical)
        before = name


def a_word(value: Any) -> str:
    """A name that a game, an option or an extension can have."""
    expect(isinstance(value, str) and re.fullmatch("[a-z][a-z0-9_]{0,31}", value) is not None)
    return str(value)


def known(is_known: bool) -> None:
    """Of what is not, a newer version can say more."""
    if not is_known:
        raise Newer("R2")


def height_of(game: Game, card: int) -> tuple[int, int, int] | None:
    """What a card is worth in the draw; None for one without a suit."""
    if card >= game.packs * 4 * game.ranks:
        return None
    suit = card // game.ranks % 4  # spades, hearts, diamonds, clubs: the first is the highest
    return card % game.ranks, -suit, -card


def seating_of(game: Game, drawn: Sequence[int]) -> tuple[list[int], int]:
    """The player at each seat and the first dealer's seat, from the card that each drew."""
    n = len(drawn)
    ranking = sorted(range(n), key=lambda p: height_of(game, drawn[p]) or (), reverse=True)
    seats = list(range(n))
    if game.draws_seats:
        sides = n // 2 if n in game.couples else n
        order = [seat for side in range(sides) for seat in range(side, n, sides)]
        for seat, player in zip(order, ranking, strict=True):
            seats[seat] = player
    highest = seats.index(ranking[0])
    return seats, highest if game.highest_deals else (highest - 1) % n


# ---------------------------------------------------------------------------------------------
# The record


@dataclass
class Deal:
    """Cards under locks: `points` by slot from `first` on, the unlock keys by player."""

    number: int
    first: int
    cards: list[int]
    points: list[Point]
    faces: dict[bytes, int]
    keys: dict[int, Point] = field(default_factory=dict)


@dataclass(frozen=True)
class Act:
    """A vote or a refusal (record.md, 6.8)."""

    body: bytes
    key: bytes
    signature: bytes


@dataclass(frozen=True)
class Step:
    """An entry of one player, as far as an absence in its place or before may contradict it."""

    place: tuple[bytes, int, bytes]
    key: bytes
    releases: list[bytes]


@dataclass
class Table:
    """What the entries so far have made of the table."""

    game: Game
    keys: list[bytes]
    table_id: bytes
    head: bytes
    height: int = 0
    last: tuple[int, bytes] | None = None  # writer of the last entry, and what it continued
    last_was_due: bool = False  # whether that writer was known to be due, without the rules
    seats: list[int] = field(default_factory=list)
    dealer: int = 0
    round: int = 0
    deals: list[Deal] = field(default_factory=list)
    deal_count: int = 0
    used_keys: set[bytes] = field(default_factory=set)
    owner: dict[int, int | None] = field(default_factory=dict)  # by slot given: to whom
    shown: dict[int, int] = field(default_factory=dict)  # by slot that lies open: the card
    reshuffled: set[int] = field(default_factory=set)  # slots whose cards are in a newer deal
    drawn: dict[int, int] = field(default_factory=dict)  # by player, the card of the draw
    kind: str = "shuffle"  # of the entries that `owing` still write; if there is none, anybody may
    owing: list[int] = field(default_factory=list)
    gives: list[tuple[int, int | None]] = field(default_factory=list)
    closing: list[Any] = field(default_factory=list)  # what the first one to close has signed
    recent: list[Step] = field(default_factory=list)  # see R20
    over: bool = False
    ended: bool = False  # by the last entry, an absence

    def clone(self) -> "Table":
        """A copy to go on from; points and charters are shared, for they never change."""
        other = copy.copy(self)
        for name in ("keys", "used_keys", "owner", "shown", "reshuffled", "drawn", "owing"):
            setattr(other, name, copy.copy(getattr(self, name)))
        other.deals = [copy.copy(deal) for deal in self.deals]
        for deal in other.deals:
            deal.points, deal.keys = list(deal.points), dict(deal.keys)
        return other

    # -- who writes

    def clockwise(self, seat: int) -> list[int]:
        n = len(self.keys)
        seats = self.seats or list(range(n))
        return [seats[(seat + i) % n] for i in range(n)]

    def seat_of(self, player: int) -> int:
        return self.seats.index(player) if self.seats else player

    def context(self, writer: int, deal: Deal) -> bytes:
        place = (self.table_id, number(self.height + 1), self.head)
        return digest("context", *place, self.keys[writer], number(deal.number))

    def unsigned(self) -> tuple[int, ...]:
        """Who has not signed the end of the round in which the record stops."""
        if self.over:
            return ()
        return tuple(sorted(self.owing if self.kind == "close" else range(len(self.keys))))

    # -- absences (record.md, 6) that contradict something

    def _remember(self, body: bytes) -> None:
        """One more entry, and those before it back to where every player has written one."""
        place, (writer, _, _, releases) = place_of(body)
        last = {step.key: i for i, step in enumerate(self.recent)}
        begin = min(last.values()) + 1 if set(self.keys) <= set(last) else 0
        self.recent = [*self.recent[begin:], Step(place, self.keys[writer], releases)]

    def _check_contradiction(self, data: bytes) -> None:
        """R20 for two acts of one member in one place."""
        try:
            one, other = a_list(decode(data), 2)
            acts = an_act(one), an_act(other)
        except NotEncoded:
            return
        try:
            for act in acts:
                expect(self._check_act(act))
        except NotEncoded as error:
            raise Broken("R20") from error
        key = acts[0].key
        same = acts[1].key == key and place_of(acts[0].body)[0] == place_of(acts[1].body)[0]
        here = place_of(acts[0].body)[0][0] == self.table_id
        if same and here and acts[0].body != acts[1].body and key in self.keys:
            raise Exposed(self.keys.index(key), "R20")
        raise Broken("R20")

    def _check_act(self, act: Act) -> bool:
        """Whether it binds who has signed it, and not as a substitute. Raises NotEncoded for what
        is not well formed and signed.
        """
        _, rest = place_of(act.body)
        newcomers: list[bytes] = []
        if len(rest) == 2:
            player, kind = rest
            expect(kind == "refuse" and an_int(player, 0, 5) < len(self.keys))
            expect(self.keys[player] == act.key)
            label = "sobremesa/1/refusal"
        else:
            _, _, newcomers, _, _ = an_absence(rest)
            label = "sobremesa/1/absence"
        expect(is_signed(act.key, label, act.body, act.signature))
        return act.key not in newcomers

    def _check_late(self, body: bytes, signatures: list[bytes]) -> None:
        """R20 for a joint entry in a place in which one of its signers has written, or past it."""
        try:
            place, rest = place_of(body)
            writer, players, newcomers, _, _ = an_absence(rest)
            past = [i for i, step in enumerate(self.recent) if step.place == place]
            others = self._agreed(writer, players, newcomers, body, signatures) if past else []
        except (NotEncoded, Misfit):
            return
        for step in self.recent[past[0] :] if past else ():
            if step.key in others:
                for release in step.releases:
                    key = self._releases(release, place, body, others, step.key)
                    if key is not None:
                        raise Exposed(self.keys.index(key), "R20")
                raise Exposed(self.keys.index(step.key), "R20")

    def _releases(
        self,
        data: bytes,
        place: tuple[bytes, int, bytes],
        body: bytes,
        others: list[bytes],
        voter: bytes,
    ) -> bytes | None:
        """Whose act it is that releases the voter from a vote for that body; None if none does."""
        try:
            act = an_act(decode(data))
            binds = self._check_act(act)
        except NotEncoded:
            return None
        fits = binds and act.key in others and act.key != voter and act.body != body
        return act.key if fits and place_of(act.body)[0] == place else None

    # -- entries

    def advance(self, data: bytes) -> "Table":
        """The table after an entry. Raises Broken and Exposed."""
        self._check_contradiction(data)
        try:
            body, signature = a_list(decode(data), 2)
            some_bytes(body, most=65408)
            some_bytes(signature, most=6 * 64)
            expect(len(signature) > 0 and len(signature) % 64 == 0)
        except NotEncoded as error:
            raise Broken("R3") from error
        if len(signature) > 64:
            return self._jointly(body, signature)
        signer = self._signer(body, signature)
        try:
            after = self.clone()
            after._fold(body, signer)
        except NotEncoded as error:
            raise Exposed(signer, "R9") from error
        except Misfit as error:
            raise Exposed(signer, error.cause) from error
        after.last, after.last_was_due = (signer, self.head), self._is_due(signer)
        after._remember(body)
        after.height, after.head = self.height + 1, digest("entry", body)
        return after

    def _jointly(self, body: bytes, signature: bytes) -> "Table":
        """The table after a joint entry, for which nobody is exposed (record.md, 6)."""
        after = self.clone()
        signatures = [signature[i : i + 64] for i in range(0, len(signature), 64)]
        self._check_late(body, signatures)
        try:
            after._absent(body, signatures)
        except NotEncoded as error:
            raise Broken("R9") from error
        except Misfit as error:
            raise Broken(error.cause) from error
        after.last, after.recent, after.ended = None, [], after.over
        after.height, after.head = self.height + 1, digest("entry", body)
        return after

    def _signer(self, body: bytes, signature: bytes) -> int:
        likely_first: list[int] = [*self.owing[:1], *range(len(self.keys))]
        for player in likely_first:
            if is_signed(self.keys[player], "sobremesa/1/entry", body, signature):
                return player
        raise Broken("R4")

    def _fold(self, body: bytes, signer: int) -> None:
        (table_id, height, previous), rest = place_of(body)
        if table_id != self.table_id:
            raise Broken("R5")
        if height != self.height + 1:
            if self.last and height == self.height and digest("entry", body) != self.head:
                demand(self.last[0] != signer, "R8")
                demand(not self.last_was_due or self.last[1] != previous, "R11")
            raise Broken("R6")
        if previous != self.head:
            raise Broken("R7")
        writer, kind, content, releases = a_list(rest, 4)
        an_int(writer, 0, MOST_PLAYER)
        expect(kind in ("shuffle", "unlock", "move", "open", "close"))
        entry = self._parsed(kind, content)
        for release in a_list(releases, most=MOST_RELEASES):
            act = an_act(decode(some_bytes(release, most=MOST_ACT)))
            self._check_act(act)
            expect(act.key in self.keys and place_of(act.body)[0][0] == self.table_id)
        demand(writer == signer, "R10")
        demand(not self.over, "R11")
        if kind in ("open", "close") and (not self.owing or self.kind == "open"):
            self._pass_over(signer, kind)
        if self.owing:
            demand(signer == self.owing[0] and kind == self.kind, "R11")
        getattr(self, f"_{kind}")(signer, *entry)

    def _parsed(self, kind: str, content: Any) -> list[Any]:
        """The fields of the content, each of its type and in its bounds."""
        deck = self.game.deck
        match kind:
            case "shuffle":
                first, numbers, outputs, key, proof = a_list(content, 5)
                an_int(first, 0, MOST_SLOTS)
                for card in a_list(numbers, most=deck):
                    an_int(card, 0, deck - 1)
                some_bytes(outputs, most=32 * deck)
                some_bytes(proof)
                return [first, numbers, outputs, some_bytes(key, 32), proof]
            case "unlock":
                gives, shares, proofs = a_list(content, 3)
                pairs = []
                for give in a_list(gives, most=deck):
                    slot, player = a_list(give, 2)
                    an_int(slot, 0, MOST_SLOTS)
                    expect(player is None or an_int(player, 0, MOST_PLAYER) >= 0)
                    pairs.append((slot, player))
                return [pairs, all_bytes(shares, 32, deck), all_bytes(proofs, 64, deck)]
            case "move":
                move, proofs = a_list(content, 2)
                return [cards_of_move(move, deck), all_bytes(proofs, 64, deck)]
            case "open":
                shown, proofs = a_list(content, 2)
                return [cards(shown, deck), all_bytes(proofs, 64, deck)]
            case _:
                return a_closing(content)

    def _shuffle(
        self, writer: int, first: int, numbers: list[int], outputs: bytes, key: bytes, proof: bytes
    ) -> None:
        if not self.owing:  # a reshuffle in mid-round
            demand(writer == self.clockwise(self.dealer)[0], "R11")
            self._lay_out(numbers)
        deal = self.deals[-1]
        demand((first, numbers) == (deal.first, deal.cards), "R12")
        demand(key not in self.used_keys, "R13")
        deal.points = verify_shuffle(self.context(writer, deal), key, deal.points, outputs, proof)
        self.deal_count += not deal.keys
        deal.keys[writer] = decode_point(key)
        self.used_keys.add(key)
        self.owing.pop(0)
        if not self.owing and not self.seats:
            self._turn_up()

    def _lay_out(self, numbers: list[int]) -> None:
        """A new deal of these cards, fresh: all of them, or what lay open in this round."""
        if self.deals:
            for card in numbers:
                slots = [s for s, c in self.shown.items() if c == card and s not in self.reshuffled]
                demand(bool(slots), "R12")
                self.reshuffled.add(slots[0])
            demand(bool(numbers), "R12")
        place = (self.table_id, number(self.round), number(self.deal_count))
        points = [hash_to_point("card", *place, number(card)) for card in numbers]
        faces = {encode_point(p): card for p, card in zip(points, numbers, strict=True)}
        first = sum(len(deal.cards) for deal in self.deals)
        self.deals.append(Deal(self.deal_count, first, numbers, points, faces))
        self.kind, self.owing = "shuffle", self.clockwise(self.dealer)

    def _deal_of(self, slot: int) -> Deal:
        for deal in self.deals:
            if deal.first <= slot < deal.first + len(deal.cards):
                return deal
        raise Misfit("R14")

    def _unlock(
        self,
        writer: int,
        gives: list[tuple[int, int | None]],
        shares: list[bytes],
        proofs: list[bytes],
    ) -> None:
        if not self.owing:
            self._order(gives, writer)
        demand(gives == self.gives, "R14")
        slots = [slot for slot, player in gives if player != writer]
        demand(len(shares) == len(slots), "unlock:length")
        self._take_off(writer, slots, [decode_point(share) for share in shares], proofs)
        self.owing.pop(0)
        if not self.owing:
            self.owner.update(gives)
            for slot, player in gives:
                if player is None:
                    self._face_up(slot)
            if not self.seats:
                self._draw()

    def _order(self, gives: list[tuple[int, int | None]], writer: int | None = None) -> None:
        """What is given in one go, and who unlocks it, a writer before all others: that the rules
        order it is not checked.
        """
        slots, players = [slot for slot, _ in gives], {player for _, player in gives}
        demand(bool(gives), "R14")
        first = gives[0][1]
        demand(first is None or first < len(self.keys), "R14")
        receiver, *others = self.clockwise(self.dealer if first is None else self.seat_of(first))
        demand(writer in (None, others[0]), "R11")
        demand(len(set(slots)) == len(slots), "R14")
        for slot, player in gives:
            self._deal_of(slot)
            demand(slot not in self.owner, "R14")
            demand(player is None or player < len(self.keys), "R14")
        self.kind, self.gives = "unlock", gives
        self.owing = [player for player in (*others, receiver) if players != {player}]

    def _turn_up(self) -> None:
        """In the draw, a card for each player who has none yet that counts."""
        pending, start = len(self.keys) - len(self.drawn), len(self.owner)
        self._order([(start + i, None) for i in range(pending)])

    def _face_up(self, slot: int) -> None:
        deal = self._deal_of(slot)
        self.shown[slot] = deal.faces[encode_point(deal.points[slot - deal.first])]

    def _draw(self) -> None:
        """The players without a card take those turned up; with a card each they sit down."""
        pending = [p for p in range(len(self.keys)) if p not in self.drawn]
        for player, (slot, _) in zip(pending, self.gives, strict=True):
            if height_of(self.game, self.shown[slot]) is not None:
                self.drawn[player] = self.shown[slot]
        n = len(self.keys)
        if len(self.drawn) == n:
            self.seats, self.dealer = seating_of(self.game, [self.drawn[p] for p in range(n)])
            self._begin_round()
        else:
            self._turn_up()

    def _begin_round(self) -> None:
        self.round += 1
        self._deal_anew()

    def _deal_anew(self) -> None:
        """The draw, or the round with the number that there is now, from its first shuffle on."""
        self.drawn = {}
        self.deals, self.owner, self.shown, self.reshuffled = [], {}, {}, set()
        self._lay_out(list(range(self.game.deck)))

    def _take_off(
        self, writer: int, slots: list[int], unlocked: list[Point], proofs: list[bytes]
    ) -> None:
        """The writer's lock off these slots, one proof for each deal they are of."""
        after = dict(zip(slots, unlocked, strict=True))
        groups = [(deal, [s for s in slots if self._deal_of(s) is deal]) for deal in self.deals]
        groups = [(deal, group) for deal, group in groups if group]
        demand(len(proofs) == len(groups), "unlock:length")
        for (deal, group), proof in zip(groups, proofs, strict=True):
            locked = [deal.points[slot - deal.first] for slot in group]
            ctx = self.context(writer, deal)
            verify_unlock(ctx, deal.keys[writer], locked, [after[s] for s in group], proof)
            for slot in group:
                deal.points[slot - deal.first] = after[slot]

    def _show(self, writer: int, named: list[tuple[int, int]], proofs: list[bytes]) -> None:
        """Cards with their faces: those that lie open are what they were, the rest is proven."""
        hidden, points = [], []
        for slot, card in named:
            if slot in self.shown:
                demand(self.shown[slot] == card, "R15")
                continue
            deal = self._deal_of(slot)
            place = (self.table_id, number(self.round), number(deal.number), number(card))
            demand(card in deal.cards, "R15")
            hidden.append(slot)
            points.append(hash_to_point("card", *place))
        self._take_off(writer, hidden, points, proofs)
        self.shown.update(named)

    def _move(self, writer: int, named: list[tuple[int, int]], proofs: list[bytes]) -> None:
        for slot, card in named:
            demand(self._can_be_shown(writer, slot) and self.shown.get(slot, card) == card, "X11")
        slots, numbers = {slot for slot, _ in named}, {card for _, card in named}
        demand(len(slots) == len(numbers) == len(named), "X11")
        self._show(writer, named, proofs)

    def _can_be_shown(self, writer: int, slot: int) -> bool:
        """Whether its card can be the writer's to show, as far as one knows without the rules."""
        if slot in self.shown:
            return slot not in self.reshuffled
        return self.owner.get(slot) == writer

    def _hidden(self, player: int) -> list[int]:
        """Slots in a player's hand that nobody else has seen, as they were given."""
        return [s for s, owner in self.owner.items() if owner == player and s not in self.shown]

    def _is_due(self, player: int) -> bool:
        """Whether it is known without the rules that this player is to write. Whoever has no card
        that nobody has seen may have an empty hand, which is not opened.
        """
        here = self.owing[:1] == [player]
        return here and (self.kind != "open" or bool(self._hidden(player)))

    def _pass_over(self, writer: int, kind: str) -> None:
        """Hands are opened, or the closing begins: who owes an opening before the writer has no
        cards, as far as one can know without the rules; or nobody has any more.
        """
        if not self.owing:
            self._begin_opening()
        while self.owing and (kind == "close" or self.owing[0] != writer):
            demand(not self._hidden(self.owing.pop(0)), "R11")
        if kind == "close":
            self._begin_closing()
        demand(bool(self.owing), "R11")

    def _begin_opening(self) -> None:
        self.kind, self.owing = "open", self.clockwise(self.dealer + 1)

    def _begin_closing(self) -> None:
        self.kind, self.owing, self.closing = "close", self.clockwise(self.dealer), []

    def _open(self, writer: int, named: list[tuple[int, int]], proofs: list[bytes]) -> None:
        slots = [slot for slot, _ in named]
        hidden = [slot for slot in slots if slot not in self.shown]
        demand(bool(named or self._hidden(writer)), "R11")
        demand(len(set(slots)) == len(slots) and self.reshuffled.isdisjoint(slots), "R16")
        demand(hidden == self._hidden(writer), "R16")
        self._show(writer, named, proofs)
        self.owing.pop(0)
        if not self.owing:
            self._begin_closing()

    def _close(self, _: int, *content: Any) -> None:
        demand(self.kind == "close" and bool(self.owing), "R11")
        demand(self._can_close(list(content)), "R17")
        self.closing = list(content)
        self.owing.pop(0)
        if not self.owing:
            self._end_round(last=content[2])

    def _end_round(self, *, last: bool) -> None:
        """The round is closed, and the next one begins if there is one."""
        self.over = last
        self.dealer = (self.dealer + 1) % len(self.keys)
        if not self.over:
            self._begin_round()

    def _absent(self, body: bytes, signatures: list[bytes]) -> None:
        (table_id, height, previous), rest = place_of(body)
        demand(table_id == self.table_id, "R5")
        demand(height == self.height + 1, "R6")
        demand(previous == self.head, "R7")
        writer, players, newcomers, opening, counted = an_absence(rest)

        demand(not self.over, "R19")
        self._agreed(writer, players, newcomers, body, signatures)
        self._check_standing(players, opening, counted)

        for player, key in zip(players, newcomers, strict=bool(newcomers)):
            self.keys[player] = key
        if opening:
            self.owing = [player for player in self.owing if player not in players]
            if not self.owing:
                self._begin_closing()
            return  # those without a substitute stay
        self.owing = []
        if not newcomers:
            self.over = True
        elif counted is None:
            self._deal_anew()
        else:
            self._end_round(last=counted[2])

    def _agreed(
        self,
        writer: int,
        players: list[int],
        newcomers: list[bytes],
        body: bytes,
        signatures: list[bytes],
    ) -> list[bytes]:
        """The keys of the others, if record.md, 6.1 to 6.3 hold, whoever is due (R19)."""
        everybody = range(len(self.keys))
        others = [player for player in everybody if player not in players]
        demand(players == sorted(set(players)) and set(players) <= set(everybody), "R19")
        demand(0 < 2 * len(players) < len(self.keys) and writer == others[0], "R19")
        demand(len(newcomers) in (0, len(players)), "R19")
        demand(len({*self.keys, *newcomers}) == len(self.keys) + len(newcomers), "R19")
        keys = [self.keys[player] for player in others]
        demand(len(signatures) == len(keys) + len(newcomers), "R19")
        for key, signature in zip([*keys, *newcomers], signatures, strict=True):
            demand(is_signed(key, "sobremesa/1/absence", body, signature), "R19")
        return keys

    def _check_standing(self, players: list[int], opening: bool, counted: list[Any] | None) -> None:
        """R19 for who is due, and for what is said of the round, as far as both are known without
        the rules: when hands begin to be opened is not, nor who has none to open.
        """
        demand(not opening or counted is None, "R19")
        if not self.owing and (opening or counted is not None):
            self._begin_opening()
        if opening:
            demand(self.kind == "open", "R19")
            while self.owing and self.owing[0] not in players:
                demand(not self._hidden(self.owing.pop(0)), "R19")
            demand(bool(self.owing), "R19")
            return
        if self.owing and self.kind == "open":
            demand(not any(map(self._hidden, self.owing)), "R19")
            self._begin_closing()
        # Whether the table waits for a move of theirs takes the rules.
        demand(not self.owing or self.owing[0] in players, "R19")
        closing = bool(self.owing) and self.kind == "close"
        demand(closing == (counted is not None), "R19")
        demand(counted is None or self._can_close(counted), "R19")

    def _can_close(self, content: list[Any]) -> bool:
        """Whether it can be what all sign of the round: what points it has counted, and whether it
        was the last, takes the rules as long as nobody has signed it.
        """
        if self.closing:
            return content == self.closing
        players = len(self.keys)
        sides = players // 2 if players in self.game.couples else players
        return content[0] == self.round and len(content[1]) == sides


def place_of(body: bytes) -> tuple[tuple[bytes, int, bytes], list[Any]]:
    """Table, height and head that a body names, each in its form, and its other fields."""
    fields = a_list(decode(body))
    expect(len(fields) >= 3)
    table_id, height, previous, *rest = fields
    place = some_bytes(table_id, 32), an_int(height, 1, MOST_HEIGHT), some_bytes(previous, 32)
    return place, rest


def an_absence(rest: list[Any]) -> tuple[int, list[int], list[bytes], bool, list[Any] | None]:
    """Writer, absent players, keys of substitutes, whether hands are being opened, and what is
    counted, in their form.
    """
    writer, kind, content, releases = a_list(rest, 4)
    an_int(writer, 0, MOST_PLAYER)
    expect(kind == "absent")
    players, substitutes, opening, counted = a_list(content, 4)
    for player in a_list(players, most=6):
        an_int(player, 0, 5)
    newcomers = [a_member(member) for member in a_list(substitutes, most=6)]
    expect(isinstance(opening, bool))
    if counted is not None:
        a_closing(counted)
    a_list(releases, 0)
    return writer, players, newcomers, opening, counted


def an_act(value: Any) -> Act:
    body, key, signature = a_list(value, 3)
    return Act(some_bytes(body, most=2048), some_bytes(key, 32), some_bytes(signature, 64))


def charter_of(data: bytes) -> bytes:
    """The bytes of a signed charter without its signatures. Raises Newer by its version, behind
    which nothing is looked at.
    """
    expect(len(data) <= 17408)
    items, charter = front_of(data)
    expect(items == 2)
    _, version = front_of(some_bytes(charter, most=16384))
    known(an_int(version, 1, 1 << 32) == 1)
    return bytes(charter)


def open_table(data: bytes) -> Table:
    """The table of a signed charter. Raises Broken (R2) and Newer."""
    try:
        charter = charter_of(data)
        _, signatures = a_list(decode(data), 2)
        fields = a_list(decode(charter), 9)
        _, name, rules, options, grace, spectators, members, extensions, continues = fields
        an_int(rules, 1, 1 << 32)
        known(a_word(name) in GAMES)
        game = GAMES[name]
        known(rules <= game.rules)
        check_options(game, options)
        an_int(grace, 10, 86400)
        expect(isinstance(spectators, bool))
        keys = [a_member(member) for member in a_list(members)]
        expect(len(keys) in game.players and len(set(keys)) == len(keys))
        check_extensions(extensions)
        expect(continues is None)
        for key, signature in zip(keys, all_bytes(signatures, 64, 4096), strict=True):
            expect(is_signed(key, "sobremesa/1/charter", charter, signature))
    except (NotEncoded, ValueError) as error:
        raise Broken("R2") from error
    table_id = digest("charter", charter)
    table = Table(game, keys, table_id, table_id)
    table._deal_anew()
    return table


MAGIC = b"sobremesa record 1\n"
ANY_VERSION = re.compile(rb"sobremesa record [1-9][0-9]{0,8}")


def verify_record(chunks: Iterable[bytes], table: Table | None = None) -> Finding:
    """What a record file shows; with a table, what the rest of its record does. Raises NoRecord."""
    try:
        for part in parts_of(chunks, begun=table is not None):
            table = open_table(part) if table is None else table.advance(part)
    except Newer as error:
        return Finding("newer", 0, error.cause)
    except Broken as error:
        entry = 0 if table is None else table.height + 1
        return Finding("broken", entry, error.cause, None, table.unsigned() if table else ())
    except Exposed as error:
        assert table is not None
        verdict = verdict_on(error.cause)
        return Finding(verdict, table.height + 1, error.cause, error.player, table.unsigned())
    if table is None:
        return Finding("broken", 0, "R1")
    if not table.over:
        return Finding("unfinished", table.height, "R18", None, table.unsigned())
    return Finding("ended" if table.ended else "sound", table.height)


def verdict_on(cause: str) -> str:
    """On an entry that its signer answers for: a clause of the rules of play is told apart."""
    return "exposed" if cause[0] == "R" or ":" in cause else "illegal"


def parts_of(chunks: Iterable[bytes], *, begun: bool = False) -> Iterator[bytes]:
    """The charter and the entries. Raises NoRecord, Newer, and Broken (R1)."""
    rest = b""
    for chunk in chunks:
        rest += chunk
        if not begun:
            line, end, _ = rest.partition(b"\n")
            if not end and (MAGIC.startswith(line) or ANY_VERSION.fullmatch(line)):
                continue
            if line + end != MAGIC:
                raise Newer("R1") if ANY_VERSION.fullmatch(line) else NoRecord
            rest, begun = rest[len(MAGIC) :], True
        while len(rest) >= 4:
            length = int.from_bytes(rest[:4], "big")
            if not 1 <= length <= 65536:
                raise Broken("R1")
            if len(rest) < 4 + length:
                break
            part, rest = rest[4 : 4 + length], rest[4 + length :]
            yield part
    if not begun:
        raise NoRecord
    if rest:
        raise Broken("R1")


def main(paths: Sequence[str]) -> int:
    worst = 0
    for path in paths:
        try:
            finding = verify_record([Path(path).read_bytes()])
        except (NoRecord, OSError) as error:
            print(f"{path}: no record. {error}")
            worst = 1
            continue
        words = [finding.verdict, f"entry {finding.entry}", finding.cause]
        words += [f"player {finding.player}"] if finding.player is not None else []
        print(f"{path}: {', '.join(filter(None, words))} (the rules of play are not checked)")
        worst = max(worst, finding.verdict != "sound")
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

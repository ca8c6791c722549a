"""A second verifier of records, for whoever trusts neither the players nor their program.

It shares no code with the program: fields, group, signatures, decoder and proofs are its own, in
plain Python on top of `hashlib`. But its author also wrote the documents beside it. It checks
everything in a record except the rules of play (whose move it is, whether it is legal, what a round
counts). R7 and the like are clauses of record.md.

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
    """Something that cannot stand here although it is signed; its signer is exposed."""

    def __init__(self, cause: str) -> None:
        super().__init__(cause)
        self.cause = cause


class Exposed(Exception):
    """A player has signed what cannot stand there."""

    def __init__(self, player: int, cause: str, key: bytes) -> None:
        super().__init__(player, cause)
        self.player = player
        self.cause = cause
        self.key = key


@dataclass(frozen=True)
class Finding:
    """The verdict on a record, with the part that decides it (`entry`), the cause and the player.

    `verdict` is "sound", "ended" (before the match was over), "unfinished", "broken", "exposed",
    "illegal" (the cause is a clause of the rules) or "newer". `player` is an exposed player who has
    a seat at the last table. `unsigned` has the players who have not signed the end. `exposed` has
    part, cause and player for each exposed key.
    """

    verdict: str
    entry: int
    cause: str = ""
    player: int | None = None
    unsigned: tuple[int, ...] = ()
    exposed: tuple[tuple[int, str, int], ...] = ()


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
    """Return True if u/v is a square, and the root of u/v or of sqrt(-1) u/v (RFC 9496, 4.2)."""
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
    """Return the sum of scalar * point, by Pippenger's bucket method.

    The scalars are cut into digits of `width` bits. All points with the same digit are added into
    one bucket, and bucket 5 then counts five times.
    """
    pairs = [(scalar % ORDER, point) for scalar, point in terms]
    # The quickest width for so many points, for example 5 bits for 100 points.
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
    """Return the sum of two points. None stands for a point that is missing."""
    return add(p, q) if p and q else p or q


# ---------------------------------------------------------------------------------------------
# ristretto255 (RFC 9496)


def decode_point(data: bytes) -> Point:
    """Decode a point (RFC 9496, 4.3.1).

    Raises Misfit (R9) for the identity, and for bytes that are no canonical encoding.
    """
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
    """Encode a point (RFC 9496, 4.3.2)."""
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
    """Return True if both stand for the same element of the group (RFC 9496, 4.3.3)."""
    return (p[0] * q[1] - p[1] * q[0]) % P == 0 or (p[1] * q[1] - p[0] * q[0]) % P == 0


def elligator(data: bytes) -> Point:
    """Map 32 bytes to a point: MAP of RFC 9496, 4.3.4."""
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
    """Map 64 bytes to a point (RFC 9496, 4.3.4)."""
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
# The y coordinates, below P, of the eight points of small order.
SMALL_ORDER_Y = {
    0,
    1,
    P - 1,
    0x7A03AC9277FDC74EC6CC392CFA53202A0F67100D760B3CBA4FD83D3D706A17C7,
    0x05FC536D880238B13933C6D305ACDFD5F098EFF289F4C345B027B2C28F95E826,
}


def is_key(data: bytes) -> bool:
    """Return True if 32 bytes can be an identity (protocol.md, 8), even if they are no point."""
    y = int.from_bytes(data, "little") % 2**255
    return y < P and y not in SMALL_ORDER_Y


def decode_key(data: bytes) -> Point | None:
    """Return the public key as a point of the curve; None if it is no point, or no identity."""
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


# For each first byte: the number of bytes in which the value or length follows, and the least value
# that needs this many bytes. In SIGNED the values are negative: a value below -32, for example,
# needs one byte.
UNSIGNED = {0xCC: (1, 1 << 7), 0xCD: (2, 1 << 8), 0xCE: (4, 1 << 16), 0xCF: (8, 1 << 32)}
SIGNED = {0xD0: (1, 1 << 5), 0xD1: (2, 1 << 7), 0xD2: (4, 1 << 15), 0xD3: (8, 1 << 31)}
BYTES = {0xC4: (1, 0), 0xC5: (2, 1 << 8), 0xC6: (4, 1 << 16)}
TEXT = {0xD9: (1, 1 << 5), 0xDA: (2, 1 << 8), 0xDB: (4, 1 << 16)}
LIST = {0xDC: (2, 1 << 4), 0xDD: (4, 1 << 16)}
CONSTANTS = {0xC0: None, 0xC2: False, 0xC3: True}


def decode(data: bytes) -> Any:
    """Return the value that `data` encodes. Lists may be nested twelve deep. Raises NotEncoded."""
    reader = Reader(data)
    value = reader.value(12)
    expect(reader.at == len(data))
    return value


def front_of(data: bytes) -> tuple[int, Any]:
    """Return the length of a list, and its first item. The other items may have any form."""
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
MOST_CHARTER, MOST_SIGNED, MOST_PART = 48 << 10, 60 << 10, 1 << 16
MOST_RESULTS, MOST_ABANDONED = 1000, 16


def a_card(value: Any, deck: int) -> tuple[int, int]:
    slot, card = a_list(value, 2)
    return an_int(slot, 0, MOST_SLOTS), an_int(card, 0, deck - 1)


def cards(value: Any, deck: int) -> list[tuple[int, int]]:
    return [a_card(item, deck) for item in a_list(value, most=deck)]


def cards_of_move(value: Any, deck: int) -> list[tuple[int, int]]:
    """Return the cards that a move names, in its order. Check the form of everything else in it."""
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
    """Return the signed closing of a round: its number, the points, and True if it was the last."""
    round_, points, last = a_list(value, 3)
    an_int(round_, 1, MOST_HEIGHT)
    expect(isinstance(last, bool))
    return [round_, some_points(points), last]


def some_points(value: Any) -> list[int]:
    """Return the points of a round, by side."""
    return [an_int(side, -(1 << 30), 1 << 30) for side in a_list(value, most=MOST_PLAYER)]


def a_member(value: Any) -> list[Any]:
    """Return key, name and nonce of a member of the table."""
    key, name, nonce = a_list(value, 3)
    expect(is_key(some_bytes(key, 32)))
    expect(isinstance(name, str) and len(name) <= 80)
    some_bytes(nonce, 32)
    return [key, name, nonce]


def a_place(value: Any, least: int = 1) -> list[Any]:
    """Return a place in a record: the table, the height of an entry, and the head there."""
    table_id, height, head = a_list(value, 3)
    return [some_bytes(table_id, 32), an_int(height, least, MOST_HEIGHT), some_bytes(head, 32)]


def a_content(kind: Any, content: Any, deck: int) -> list[Any]:
    """Return the fields of an entry's content, each of its type and in its bounds."""
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
        case "close":
            return a_closing(content)
        case _:
            raise NotEncoded


def an_entry(value: Any) -> tuple[bytes, bytes]:
    """Return the body of an entry and the signature over it."""
    body, signature = a_list(value, 2)
    return some_bytes(body, most=65408), some_bytes(signature, 64)


# The message that is signed for a continuation is encoded anew. It consists of lists, bytes and
# numbers that are not negative.


def encode(value: int | bytes | list[Any]) -> bytes:
    if isinstance(value, list):
        head = bytes([0x90 + len(value)]) if len(value) < 16 else _headed(LIST, len(value))
        return head + b"".join(map(encode, value))
    if isinstance(value, bytes):
        return _headed(BYTES, len(value)) + value
    return bytes([value]) if value < 128 else _headed(UNSIGNED, value)


def _headed(heads: dict[int, tuple[int, int]], value: int) -> bytes:
    head, size = next((h, n) for h, (n, _) in heads.items() if value < 1 << 8 * n)
    return bytes([head]) + value.to_bytes(size, "big")


# ---------------------------------------------------------------------------------------------
# The two proofs


def verify_shuffle(
    ctx: bytes, key: bytes, inputs: Sequence[Point], outputs: bytes, proof: bytes
) -> list[Point]:
    """Return the points of the outputs, if the proof holds (protocol.md, VerifyShuffle)."""
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
    """Check an unlock proof (protocol.md, VerifyUnlock). Raises Misfit.

    It is VerifyProof of RFC 9497, 2.2.2, with another context string.
    """
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
    """Return RFC 9497's HashToScalar: expand_message_xmd (RFC 9380) with SHA-512, 64 bytes."""
    dst = b"HashToScalar-" + context
    dst += bytes([len(dst)])
    b0 = hashlib.sha512(bytes(128) + message + b"\0\x40" + b"\0" + dst).digest()
    return int.from_bytes(hashlib.sha512(b0 + b"\1" + dst).digest(), "little") % ORDER


# ---------------------------------------------------------------------------------------------
# The games, as far as the order of writers depends on them (record.md, the draw)

Option = bool | tuple[int, int, int]  # the default; for a number: default, minimum, maximum


@dataclass(frozen=True)
class Deck:
    """A deck: first `packs` packs of four suits, then cards without a suit; `cards` in all.

    It is for tables with one of these numbers of `players`, or with any number for (). If `option`
    is not empty, the deck is only for tables where that option has this `value`.
    """

    packs: int
    cards: int
    option: str
    value: bool | int
    players: tuple[int, ...]


@dataclass(frozen=True)
class Game:
    """The numbers of a game that a verifier needs.

    `ranks` is the number of ranks in a suit. `couples` has the numbers of players at which partners
    play together. A table has the first of the `decks` that fits.
    """

    rules: int  # the version of the rules of play
    players: tuple[int, ...]
    couples: tuple[int, ...]
    draws_seats: bool
    highest_deals: bool
    ranks: int
    decks: list[Deck]
    options: dict[str, Option]


# The table in format.md, 2, as Python: one tool writes both.
GAMES: dict[str, Game] = {
    "canasta": Game(
        rules=1,
        players=(2, 3, 4, 5, 6),
        couples=(4, 6),
        draws_seats=True,
        highest_deals=False,
        ranks=13,
        decks=[
            Deck(packs=2, cards=108, option="", value=0, players=()),
        ],
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
        ranks=11,
        decks=[
            Deck(packs=2, cards=108, option="", value=0, players=()),
        ],
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
        ranks=13,
        decks=[
            Deck(packs=2, cards=104, option="", value=0, players=()),
        ],
        options={
            "void_interrupted": False,
            "rounds": (1, 1, 1000),
            "require_canastra": False,
            "idle_turns": (100, 10, 1000),
        },
    ),
    "hand_and_foot": Game(
        rules=1,
        players=(2, 3, 4, 5, 6),
        couples=(4, 6),
        draws_seats=True,
        highest_deals=False,
        ranks=13,
        decks=[
            Deck(packs=3, cards=162, option="packs", value=3, players=()),
            Deck(packs=4, cards=216, option="packs", value=4, players=()),
            Deck(packs=6, cards=324, option="packs", value=6, players=()),
            Deck(packs=5, cards=270, option="", value=0, players=()),
        ],
        options={
            "void_interrupted": False,
            "rounds": (4, 1, 1000),
            "packs": (5, 3, 6),
            "draw": (2, 1, 3),
            "whole_pile": False,
            "clean_books": (1, 0, 5),
            "dirty_books": (1, 0, 5),
        },
    ),
    "samba": Game(
        rules=1,
        players=(2, 3, 4, 5, 6),
        couples=(4, 6),
        draws_seats=True,
        highest_deals=False,
        ranks=13,
        decks=[
            Deck(packs=3, cards=162, option="", value=0, players=()),
        ],
        options={
            "rounds": (0, 0, 1000),
            "void_interrupted": False,
            "target": (10000, 500, 100000),
            "draw": (2, 1, 3),
            "closed_sequences": True,
            "canastas": (2, 0, 5),
        },
    ),
}


def check_options(game: Game, options: Any) -> None:
    """Check the options (format.md, 2): in the order of names, and none with its default."""
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
    """Check the extensions (format.md, 2): in the order of names. A critical one is not known."""
    before = ""
    for extension in a_list(extensions, most=16):
        name, critical, value = a_list(extension, 3)
        expect(isinstance(critical, bool))
        some_bytes(value, most=1024)
        expect(a_word(name) > before)
        known(not critical)
        before = name


def a_word(value: Any) -> str:
    """Return the name of a game, an option or an extension. Raises NotEncoded."""
    expect(isinstance(value, str) and re.fullmatch("[a-z][a-z0-9_]{0,31}", value) is not None)
    return str(value)


def known(is_known: bool) -> None:
    """Raise Newer if something is not known: a newer version may know it."""
    if not is_known:
        raise Newer("R2")


def deck_of(game: Game, players: int, options: dict[str, Any]) -> Deck:
    """Return the deck of a table; `options` has those that do not have their default."""

    def value_of(option: str) -> Any:
        usual = game.options[option]
        return options.get(option, usual if isinstance(usual, bool) else usual[0])

    return next(
        deck
        for deck in game.decks
        if (not deck.players or players in deck.players)
        and (not deck.option or value_of(deck.option) == deck.value)
    )


def height_of(game: Game, deck: Deck, card: int) -> tuple[int, int, int] | None:
    """Return the sort key of a card in the draw: the highest wins. None for one without a suit."""
    if card >= deck.packs * 4 * game.ranks:
        return None
    suit = card // game.ranks % 4  # spades, hearts, diamonds, clubs: the first is the highest
    return card % game.ranks, -suit, -card


def seating_of(game: Game, deck: Deck, drawn: Sequence[int]) -> tuple[list[int], int]:
    """Return the player at each seat and the first dealer's seat, from the cards drawn."""
    n = len(drawn)
    ranking = sorted(range(n), key=lambda p: height_of(game, deck, drawn[p]) or (), reverse=True)
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
    """A deal: cards under locks.

    `points` has the point in each slot, the slot `first` first. `faces` has the number of each
    card by its point without locks. `keys` are the unlock keys by player.
    """

    number: int
    first: int
    cards: list[int]
    points: list[Point]
    faces: dict[bytes, int]
    table_id: bytes  # where it was dealt; the hands may be opened at a later table
    keys: dict[int, Point] = field(default_factory=dict)


@dataclass(frozen=True)
class Charter:
    """The charter of a table. `agreed` are the fields that no continuation changes."""

    encoded: bytes
    game: Game
    deck: Deck
    agreed: list[Any]
    members: list[list[Any]]
    continues: "Continues | None"

    @property
    def table_id(self) -> bytes:
        return digest("charter", self.encoded)

    @property
    def match_id(self) -> bytes:
        return self.continues.match_id if self.continues else self.table_id

    @property
    def attempt(self) -> int:
        return self.continues.attempt if self.continues else 0

    @property
    def keys(self) -> list[bytes]:
        return [key for key, _, _ in self.members]

    @property
    def signers(self) -> list[int]:
        """The players who sign: all, but at the end of the match not those who have left."""
        gone = self.continues.left if self.continues and self.continues.ends else []
        return [player for player in range(len(self.members)) if player not in gone]

    def is_signed(self, player: int, abandons: list[Any], signature: bytes) -> bool:
        if self.continues is None:
            return is_signed(self.keys[player], "sobremesa/1/charter", self.encoded, signature)
        message = encode([self.encoded, abandons])
        return is_signed(self.keys[player], "sobremesa/1/continuation", message, signature)


@dataclass(frozen=True)
class Continues:
    """The place at which a continuation begins, and what it changes (record.md, 6)."""

    match_id: bytes
    place: list[Any]
    parent_attempt: int
    attempt: int
    left: list[int]
    results: list[list[int]]
    ends: bool


@dataclass(frozen=True)
class Statement:
    """The signature of a member for a continuation, and the places that it abandons."""

    charter: Charter
    continues: Continues
    player: int
    abandons: list[Any]

    @property
    def key(self) -> bytes:
        return self.charter.keys[self.player]


@dataclass
class Table:
    """The state of a table after the entries so far."""

    charter: Charter
    game: Game
    deck: Deck
    keys: list[bytes]
    founders: list[bytes]
    table_id: bytes
    head: bytes
    height: int = 0
    last: tuple[int, bytes, str] | None = None  # the last entry: writer, head before it, kind
    last_was_due: bool = False  # that writer was due, as is known even without the rules
    seats: list[int] = field(default_factory=list)
    dealer: int = 0
    round: int = 0
    deals: list[Deal] = field(default_factory=list)
    deal_count: int = 0
    used_keys: set[bytes] = field(default_factory=set)
    owner: dict[int, int | None] = field(default_factory=dict)  # by slot: the player who got it
    shown: dict[int, int] = field(default_factory=dict)  # by slot: the card that lies open there
    reshuffled: set[int] = field(default_factory=set)  # slots whose cards are in a newer deal
    drawn: dict[int, int] = field(default_factory=dict)  # by player: the card from the draw
    kind: str = "shuffle"  # the kind of entry that each player in `owing` still has to write
    owing: list[int] = field(default_factory=list)  # if it is empty, only the rules say who writes
    gives: list[tuple[int, int | None]] = field(default_factory=list)
    closing: list[Any] = field(default_factory=list)  # the content of this round's first closing
    results: list[list[int]] = field(default_factory=list)  # the points of the rounds before this
    gone: list[int] = field(default_factory=list)  # who has left, if the match ends at this table
    over: bool = False
    ended: bool = False  # a continuation has ended the match before it was over
    # The table before the last entry. It is kept if only the rules tell whether that entry holds.
    before: "Table | None" = None
    # The table in which hands are opened. It is set if only the rules tell whether they are, or the
    # round is dealt again.
    opening: "Table | None" = None

    def clone(self) -> "Table":
        """Return a copy to go on from. Points and charters are shared, for they never change."""
        other = copy.copy(self)
        for name in ("keys", "used_keys", "owner", "shown", "reshuffled", "drawn", "owing"):
            setattr(other, name, copy.copy(getattr(self, name)))
        other.before = other.opening = None
        other.deals = [copy.copy(deal) for deal in self.deals]
        for deal in other.deals:
            deal.points, deal.keys = list(deal.points), dict(deal.keys)
        return other

    # -- who writes

    def clockwise(self, seat: int) -> list[int]:
        n = len(self.keys)
        seats = self.seats or list(range(n))
        return [seats[(seat + i) % n] for i in range(n)]

    @property
    def ends(self) -> bool:
        """True if no other round is played here: the continuation ends the match."""
        return self.charter.continues is not None and self.charter.continues.ends

    def seat_of(self, player: int) -> int:
        return self.seats.index(player) if self.seats else player

    def context(self, writer: int, deal: Deal) -> bytes:
        place = (self.table_id, number(self.height + 1), self.head)
        return digest("context", *place, self.keys[writer], number(deal.number))

    def unsigned(self) -> tuple[int, ...]:
        """Return the players who have not signed the end of the round in which the record stops."""
        if self.over:
            return ()
        return tuple(sorted(self.owing if self.kind == "close" else self.charter.signers))

    # -- parts

    def advance(self, data: bytes) -> "Table":
        """Return the table after a part of the record. Raises Broken, Exposed and Newer."""
        try:
            value = decode(data)
        except NotEncoded as error:
            raise Broken("R3") from error
        match value:
            case [bytes(), list()]:
                return self._continued(data)
            case [str(), *_]:
                raise exposed_by(value, self.charter.match_id)
            case _:
                return self._after(value)

    def _after(self, value: Any) -> "Table":
        """Return the table after an entry."""
        try:
            body, signature = an_entry(value)
        except NotEncoded as error:
            raise Broken("R3") from error
        kind = kind_of(body)
        if self.opening and kind in ("open", "close"):
            after = self.opening._after(value)
            # Nobody was known to be due here: with the rules, perhaps the round was dealt again.
            after.last_was_due = False
            return after
        signer = self._signer(body, signature)
        after = self.clone()
        try:
            after._fold(body, signer)
        except NotEncoded as error:
            raise Exposed(signer, "R9", self.keys[signer]) from error
        except Misfit as error:
            raise Exposed(signer, error.cause, self.keys[signer]) from error
        after.last, after.last_was_due = (signer, self.head, kind), self._is_due(signer)
        after.height, after.head = self.height + 1, digest("entry", body)
        if kind in ("move", "open", "close") or not after.last_was_due:
            after.before = self
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
                writer, head, kind = self.last
                # A power cut may have erased an unlocking from its writer's disk. Then the writer
                # may have signed another entry of that height, which continues another head.
                unlocks = "unlock" in (kind, kind_of(body)) and head != previous
                demand(writer != signer or unlocks, "R8")
                demand(not self.last_was_due or head != previous, "R11")
            raise Broken("R6")
        if previous != self.head:
            raise Broken("R7")
        writer, kind, content = a_list(rest, 3)
        an_int(writer, 0, MOST_PLAYER)
        entry = a_content(kind, content, self.deck.cards)
        demand(writer == signer, "R10")
        demand(not self.over, "R11")
        if kind in ("open", "close") and (not self.owing or self.kind == "open"):
            self._pass_over(signer, kind)
        if self.owing:
            demand(signer == self.owing[0] and kind == self.kind, "R11")
        getattr(self, f"_{kind}")(signer, *entry)

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
        """Begin a new deal: all cards, or those that lay open in this round."""
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
        self.deals.append(Deal(self.deal_count, first, numbers, points, faces, self.table_id))
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
        """Order cards to be given in one unlocking, and note who unlocks them.

        If there is a `writer`, they have to be the first to unlock. Nothing here checks that the
        rules order these cards.
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
        """Order a card of the draw for each player who has no card with a suit yet."""
        pending, start = len(self.keys) - len(self.drawn), len(self.owner)
        self._order([(start + i, None) for i in range(pending)])

    def _face_up(self, slot: int) -> None:
        deal = self._deal_of(slot)
        self.shown[slot] = deal.faces[encode_point(deal.points[slot - deal.first])]

    def _draw(self) -> None:
        """Give the cards turned up to the players without a card; seat the players if all have one.

        A card without a suit does not count.
        """
        pending = [p for p in range(len(self.keys)) if p not in self.drawn]
        for player, (slot, _) in zip(pending, self.gives, strict=True):
            if height_of(self.game, self.deck, self.shown[slot]) is not None:
                self.drawn[player] = self.shown[slot]
        n = len(self.keys)
        if len(self.drawn) == n:
            drawn = [self.drawn[p] for p in range(n)]
            self.seats, self.dealer = seating_of(self.game, self.deck, drawn)
            self._begin_round()
        else:
            self._turn_up()

    def _begin_round(self) -> None:
        self.round += 1
        self._deal_anew()

    def _deal_anew(self) -> None:
        """Begin the draw, or the round with the present number, from its first shuffle on."""
        self.drawn = {}
        self.deals, self.owner, self.shown, self.reshuffled = [], {}, {}, set()
        self._lay_out(list(range(self.deck.cards)))

    def _take_off(
        self, writer: int, slots: list[int], unlocked: list[Point], proofs: list[bytes]
    ) -> None:
        """Take the writer's lock off these slots, with one proof for each deal of these slots."""
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
        """Check the faces of cards: open cards have the face they had, others have proofs."""
        hidden, points = [], []
        for slot, card in named:
            if slot in self.shown:
                demand(self.shown[slot] == card, "R15")
                continue
            deal = self._deal_of(slot)
            place = (deal.table_id, number(self.round), number(deal.number), number(card))
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
        """Return True if the writer can show the slot's card, as far as is known without rules."""
        if slot in self.shown:
            return slot not in self.reshuffled
        return self.owner.get(slot) == writer

    def _hidden(self, player: int) -> list[int]:
        """Return the slots of a player's cards that nobody else has seen, as they were given."""
        return [s for s, owner in self.owner.items() if owner == player and s not in self.shown]

    def _is_due(self, player: int) -> bool:
        """Return True if it is known without the rules that this player is to write.

        It is not known for a player whose cards have all been seen: their hand may be empty, and an
        empty hand is not opened.
        """
        here = self.owing[:1] == [player] and self.opening is None
        return here and (self.kind != "open" or bool(self._hidden(player)))

    def _pass_over(self, writer: int, kind: str) -> None:
        """Pass over players who owe an opening before the writer, or before the closing.

        They may have no cards left. Raises Misfit (R11) if one of them has cards for sure.
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
        present = [player for player in self.clockwise(self.dealer) if player not in self.gone]
        self.kind, self.owing, self.closing = "close", present, []

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
            self._end_round(content[1], last=content[2])

    def _end_round(self, points: list[int], *, last: bool) -> None:
        """Count the round, and begin the next one if there is one."""
        self.results = [*self.results, points]
        self.dealer = (self.dealer + 1) % len(self.keys)
        self.over = last or self.ends
        self.ended = self.over and not last
        if not self.over:
            self._begin_round()

    # -- continuations (record.md, 6)

    def _continued(self, data: bytes) -> "Table":
        """Return the table that a charter founds at the end of this record.

        The new table may also begin before the last entry, if only the rules tell whether that
        entry exposes its writer.
        """
        try:
            charter = signed_charter(data)
        except NotEncoded as error:
            raise Broken("R19") from error
        for parent in filter(None, (self, self.before)):
            founded = []
            for way in filter(None, (parent, parent.opening)):
                try:
                    founded.append(way._founded(charter))
                except Misfit:
                    continue
            if founded:
                first, *others = founded
                first.opening = first.opening or next(iter(others), None)
                return first
        raise Broken("R19")

    def _founded(self, charter: Charter) -> "Table":
        """Return the table after a continuation with valid signatures. Raises Misfit (R19)."""
        continues = charter.continues
        if continues is None:
            raise Misfit("R19")
        demand(continues.place == [self.table_id, self.height, self.head], "R19")
        demand(continues.match_id == self.charter.match_id, "R19")
        demand(continues.parent_attempt == self.charter.attempt and not self.over, "R19")
        demand(charter.agreed == self.charter.agreed, "R19")
        demand(len(charter.members) == len(self.charter.members), "R19")
        for player, member in enumerate(charter.members):
            if player in continues.left and not continues.ends:
                demand(member[0] not in self.keys, "R19")
            else:
                demand(member == self.charter.members[player], "R19")
        signing = {charter.keys[player] for player in charter.signers}
        demand(2 * len(signing.intersection(self.founders)) > len(self.founders), "R19")

        after = self.clone()
        after.charter, after.keys, after.last = charter, charter.keys, None
        after.table_id = after.head = charter.table_id
        after.height = 0
        after.gone = continues.left if continues.ends else []
        after._go_on(continues)
        return after

    def _go_on(self, continues: Continues) -> None:
        """Count the interrupted round, deal it again, or go on opening hands.

        The results tell which of these it is, unless only the rules can tell.
        """
        before = len(self.results)
        demand(continues.results[:before] == self.results, "R19")
        counted = continues.results[before:]
        demand(len(counted) <= 1, "R19")
        if self._turns_up():  # perhaps hands set aside, because the round is over
            self.owing, self.gives = [], []
        void = ["void_interrupted", True] in self.charter.agreed[3]
        under_way = self.kind if self.owing else ""
        hidden = any(self._hidden(player) for player in self.owing)
        if under_way == "close":
            demand(len(counted) == 1, "R19")
            demand(not self.closing or counted[0] == self.closing[1], "R19")
        elif under_way == "open":
            demand(not (hidden and counted), "R19")
        elif under_way:
            demand(len(counted) == (self._has_hands() and not void), "R19")
        elif void and counted:  # all hands lie open, and the round is to be closed
            everybody = range(len(self.keys))
            demand(self._has_hands() and not any(map(self._hidden, everybody)), "R19")

        if counted:
            last = under_way == "close" and bool(self.closing) and self.closing[2]
            demand(continues.ends or not last, "R19")
            self._end_round(counted[0], last=last)
        elif under_way == "open" or (not under_way and self._has_hands() and not void):
            self._go_on_opening(continues.left)
        else:
            # Only the rules tell whether hands are to be opened, or the round is dealt again.
            if not under_way and self._has_hands():
                self.opening = self.clone()
                self.opening._go_on_opening(continues.left)
            self._deal_anew()
            self.over = self.ended = continues.ends

    def _go_on_opening(self, left: list[int]) -> None:
        """Go on opening hands; those of the players who have left stay closed."""
        if not self.owing:
            self._begin_opening()
        self.owing = [player for player in self.owing if player not in left]
        if not self.owing:
            self._begin_closing()

    def _has_hands(self) -> bool:
        """Return True if players were surely given cards in this round, or are being given some."""
        giving = self.gives if self.owing and self.kind == "unlock" else []
        givens = [*self.owner.values(), *dict(giving).values()]
        return any(player is not None for player in givens)

    def _turns_up(self) -> bool:
        """Return True if an unlocking under way only turns cards up, after hands were dealt."""
        under_way = bool(self.owing) and self.kind == "unlock"
        hands = any(player is not None for player in self.owner.values())
        return under_way and hands and all(player is None for _, player in self.gives)

    def _can_close(self, content: list[Any]) -> bool:
        """Return True if this closing of the round can be right, and is the same as the first one.

        In the first closing, only the rules can check the points, and whether the round was the
        last.
        """
        if self.closing:
            return content == self.closing
        sides = sides_of(self.game, len(self.keys))
        return bool(content[0] == self.round and len(content[1]) == sides)


def place_of(body: bytes) -> tuple[list[Any], list[Any]]:
    """Return the place that a body names, and its other fields. Only the place is checked."""
    fields = a_list(decode(body))
    expect(len(fields) >= 3)
    return a_place(fields[:3]), fields[3:]


def kind_of(body: bytes) -> str:
    """Return the kind of entry that a body names, whatever else is in it."""
    try:
        match decode(body):
            case [_, _, _, _, str(kind), *_]:
                return kind
    except NotEncoded:
        pass
    return ""


# -- charters


def a_charter(data: bytes) -> Charter:
    """Return the charter in `data`. Raises NotEncoded if there is none, and Newer."""
    check_format(data)
    fields = a_list(decode(data), 9)
    _, name, rules, options, grace, spectators, some, extensions, continues = fields
    an_int(rules, 1, 1 << 32)
    known(a_word(name) in GAMES)
    game = GAMES[name]
    known(rules <= game.rules)
    check_options(game, options)
    an_int(grace, 10, 86400)
    expect(isinstance(spectators, bool))
    members = [a_member(member) for member in a_list(some, most=6)]
    keys = {member[0] for member in members}
    expect(len(members) in game.players and len(keys) == len(members))
    check_extensions(extensions)
    follows = None if continues is None else what_continues(continues, game, len(members))
    deck = deck_of(game, len(members), dict(options))
    return Charter(data, game, deck, [*fields[:6], extensions], members, follows)


def check_format(charter: bytes) -> None:
    """Check the version of the format. Raises Newer before it looks at anything else."""
    expect(len(charter) <= MOST_CHARTER)
    _, version = front_of(charter)
    known(an_int(version, 1, 1 << 32) == 1)


def what_continues(value: Any, game: Game, players: int) -> Continues:
    match_id, place, parent, attempt, left, results, ends = a_list(value, 7)
    some_bytes(match_id, 32)
    an_int(attempt, an_int(parent, 0, MOST_HEIGHT) + 1, MOST_HEIGHT)
    for player in a_list(left, most=players):
        an_int(player, 0, players - 1)
    expect(left == sorted(set(left)))
    rounds = [some_points(points) for points in a_list(results, most=MOST_RESULTS)]
    expect(all(len(points) == sides_of(game, players) for points in rounds))
    expect(isinstance(ends, bool))
    return Continues(match_id, a_place(place, 0), parent, attempt, left, rounds, ends)


def sides_of(game: Game, players: int) -> int:
    return players // 2 if players in game.couples else players


def signed_charter(data: bytes) -> Charter:
    """Return the charter that all its signers have signed. Raises NotEncoded and Newer."""
    expect(len(data) <= MOST_SIGNED)
    items, encoded = front_of(data)
    expect(items == 2)
    check_format(some_bytes(encoded))
    _, signatures = a_list(decode(data), 2)
    charter = a_charter(encoded)
    signed = a_list(signatures, len(charter.signers))
    for player, item in zip(charter.signers, signed, strict=True):
        signature, abandons = a_list(item, 2) if charter.continues else (item, [])
        places = some_abandons(abandons)
        expect(charter.is_signed(player, places, some_bytes(signature, 64)))
    return charter


def some_abandons(value: Any) -> list[Any]:
    """Return the places that a signature for a continuation abandons."""
    return [a_place(place, 0) for place in a_list(value, most=MOST_ABANDONED)]


def open_table(data: bytes) -> Table:
    """Return the table of the first signed charter. Raises Broken (R2) and Newer."""
    try:
        charter = signed_charter(data)
        expect(charter.continues is None)
    except NotEncoded as error:
        raise Broken("R2") from error
    table_id = charter.table_id
    game, deck, keys = charter.game, charter.deck, charter.keys
    table = Table(charter, game, deck, keys, keys, table_id, table_id)
    table._deal_anew()
    return table


# -- evidence: two signatures of one key that contradict each other (record.md, 6)


def a_statement(value: Any) -> Statement:
    encoded, player, abandons, signature = a_list(value, 4)
    charter = a_charter(some_bytes(encoded, most=MOST_CHARTER))
    places = some_abandons(abandons)
    expect(charter.continues is not None and an_int(player, 0, MOST_PLAYER) in charter.signers)
    expect(charter.is_signed(player, places, some_bytes(signature, 64)))
    assert charter.continues is not None
    return Statement(charter, charter.continues, player, places)


def exposed_by(value: Any, match_id: bytes) -> Exposed:
    """Return the player whom evidence exposes. Raises Broken (R3, R20)."""
    try:
        kind, one, other, table = a_list(value, 4)
        expect(kind == "evidence")
        if isinstance(one, bytes):
            entries = an_entry(decode(one)), an_entry(decode(some_bytes(other)))
            charter = a_charter(some_bytes(table))
            player = signer_of_both(entries, charter)
            cause = None if player is None else against_itself(entries, charter)
        else:
            statement = a_statement(one)
            player, charter = statement.player, statement.charter
            if isinstance(other, bytes):
                entry = an_entry(decode(other))
                cause = against_entry(statement, *entry, a_charter(some_bytes(table)), match_id)
            else:
                expect(table is None)
                cause = against_statement(statement, a_statement(other))
    except (NotEncoded, Newer) as error:
        raise Broken("R3") from error
    if player is None or cause is None or charter.match_id != match_id:
        raise Broken("R20")
    return Exposed(player, cause, charter.keys[player])


def against_statement(one: Statement, other: Statement) -> str | None:
    """Return C3 if one key has signed two continuations of a match with the same attempt."""
    mine, theirs = one.charter, other.charter
    same = (mine.match_id, mine.attempt) == (theirs.match_id, theirs.attempt)
    return "C3" if same and one.key == other.key and mine.encoded != theirs.encoded else None


def signer_of_both(entries: Iterable[tuple[bytes, bytes]], table: Charter) -> int | None:
    """Return the member of the table who has signed all these entries; None if nobody has."""
    for player, key in enumerate(table.keys):
        if all(is_signed(key, "sobremesa/1/entry", *entry) for entry in entries):
            return player
    return None


def against_itself(entries: Sequence[tuple[bytes, bytes]], table: Charter) -> str | None:
    """Return R8 if nobody who follows the protocol signs both entries at that table."""
    one, other = (read_body(body, table) for body, _ in entries)
    if one is None or other is None or one[0][1] != other[0][1] or entries[0][0] == entries[1][0]:
        return None
    # As in `_fold`: a power cut may have erased an unlocking.
    unlocks = "unlock" in (one[1], other[1]) and one[0][2] != other[0][2]
    return None if unlocks else "R8"


def read_body(body: bytes, table: Charter) -> tuple[list[Any], str, list[Any]] | None:
    """Return place, kind and content of an entry at that table; None for any other body."""
    try:
        place, rest = place_of(body)
        writer, kind, content = a_list(rest, 3)
        an_int(writer, 0, MOST_PLAYER)
        entry = a_content(kind, content, table.deck.cards)
    except NotEncoded:
        return None
    return (place, kind, entry) if place[0] == table.table_id else None


def against_entry(
    statement: Statement, body: bytes, signature: bytes, table: Charter, match_id: bytes
) -> str | None:
    """Return the cause for which a statement and an entry expose their signer; None for none.

    - C1: an entry, but no unlocking, above the height at which the statement leaves its table.
    - C2: the closing of a round that the continuation does not count, or counts with other points.
      The continuation continues the table of the closing, or passes that table: its own attempt
      is higher than that of the table, and it continues a table with a lower attempt.
    """
    continues = statement.continues
    is_theirs = is_signed(statement.key, "sobremesa/1/entry", body, signature)
    read = read_body(body, table)
    if read is None or not is_theirs or table.match_id != match_id:
        return None
    (table_id, height, _), kind, entry = read
    left_at = [place[1] for place in (continues.place, *statement.abandons) if place[0] == table_id]
    if left_at and height > max(left_at) and kind != "unlock":
        return "C1"
    passed = continues.parent_attempt < table.attempt < continues.attempt
    if kind != "close" or not (passed or continues.place[0] == table_id):
        return None
    return None if entry[1] in continues.results[entry[0] - 1 : entry[0]] else "C2"


MAGIC = b"sobremesa record 1\n"
ANY_VERSION = re.compile(rb"sobremesa record [1-9][0-9]{0,8}")


def verify_record(chunks: Iterable[bytes], table: Table | None = None, number: int = -1) -> Finding:
    """Return the verdict on a record file. Raises NoRecord.

    With a `table`, the chunks are the rest of its record, after the part with that `number`.
    """
    exposed: dict[bytes, tuple[int, str, int]] = {}
    found = None
    try:
        for part in parts_of(chunks, begun=table is not None):
            try:
                table = open_table(part) if table is None else table.advance(part)
            except Exposed as error:
                if error.key in exposed:
                    raise Broken("R20") from error
                exposed[error.key] = number + 1, error.cause, error.player
            number += 1
    except Newer as error:
        return Finding("newer", number + 1, error.cause, exposed=tuple(exposed.values()))
    except Broken as error:
        found = "broken", number + 1, error.cause
    if table is None:
        return Finding(*(found or ("broken", 0, "R1")))
    if found is None and not table.over:
        found = "unfinished", number, "R18"
    verdict, entry, cause = found or ("ended" if table.ended else "sound", number, "")
    seated = [exposed[key] for key in exposed if key in _signing(table)]
    every = tuple(exposed.values())
    if seated:
        entry, cause, player = seated[0]
        return Finding(verdict_on(cause), entry, cause, player, table.unsigned(), every)
    return Finding(verdict, entry, cause, None, table.unsigned(), every)


def _signing(table: Table) -> list[bytes]:
    return [table.keys[player] for player in table.charter.signers]


def verdict_on(cause: str) -> str:
    """Return the verdict on an entry that exposes its signer: "illegal" or "exposed".

    X11 is the only clause of the rules of play that this verifier checks.
    """
    return "illegal" if cause == "X11" else "exposed"


def parts_of(chunks: Iterable[bytes], *, begun: bool = False) -> Iterator[bytes]:
    """Yield the charter and the entries. Raises NoRecord, Newer, and Broken (R1)."""
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

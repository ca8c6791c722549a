"""The vectors of the primitives: values, the group, and the two proofs."""

from protocol import shuffle_proof
from protocol.cards_as_points import card_points
from protocol.codec import Encodable, encode
from protocol.group import BASE, Scalar
from protocol.hashing import digest, number
from protocol.lock_key import LockKey
from protocol.shuffle import lock_and_shuffle
from protocol.shuffle_proof import ShuffleStatement, Transcript, generators, prove
from protocol.unlock import context_string, prove_unlock, unlock
from tests.protocol.seeded import seeded
from tests.vectors.json_encoding import Json, as_hex


def values() -> Json:
    """Return encodings of values, and bytes that encode no value."""
    good: list[Encodable] = [
        *(None, False, True, 0, 1, 127, 128, 255, 256, 65535, 65536, 2**32 - 1, 2**32),
        *(2**64 - 1, -1, -32, -33, -128, -129, -32768, -32769, -(2**31), -(2**31) - 1, -(2**63)),
        *("", "a", "Ñandú", "x" * 31, "x" * 32),
    ]
    deep: Encodable = 0
    for _ in range(12):
        deep = [deep]
    good += [deep, [], [1, [2, [3]]], list(range(15)), list(range(16))]
    bad = {
        "nothing at all": "",
        "a second value": "c0c0",
        "seven in two bytes": "cc07",
        "255 in three bytes": "cd00ff",
        "-1 in two bytes": "d0ff",
        "seven as a signed byte": "d007",
        "text of one byte with a length": "d90161",
        "a list of one with a long length": "dc000101",
        "bytes with a long length": "c5000161",
        "a map": "80",
        "a float": "ca00000000",
        "an extension": "d40000",
        "a list that ends early": "9201",
        "text that is no UTF-8": "a1ff",
        "text with a surrogate": "a3eda080",
        "text in a longer form": "a2c1a1",
        "lists thirteen deep": 13 * "91" + "c0",
    }
    return {
        "encodings": [{"value": value, "bytes": encode(value).hex()} for value in good],
        "bytes_encodings": [
            {"value": part.hex(), "bytes": encode(part).hex()}
            for part in (b"", b"\0", bytes(255), bytes(256))
        ],
        "refused": bad,
    }


def group() -> Json:
    """Return the base of the group, generators, cards as points, and a context."""
    table = digest("charter", b"an example")
    return {
        "base": as_hex(BASE),
        "generators": as_hex(generators(8)),
        "table_id": table.hex(),
        "cards": [
            {
                "round": round_number,
                "deal": deal,
                "points": as_hex(card_points(table, round_number, deal, range(6))),
            }
            for round_number, deal in ((0, 0), (1, 1), (1, 2), (2, 3))
        ],
        "context": {
            "height": 7,
            "head": digest("entry", b"an example").hex(),
            "key": bytes(range(32)).hex(),
            "deal": 1,
            "context": digest(
                "context",
                table,
                number(7),
                digest("entry", b"an example"),
                bytes(range(32)),
                number(1),
            ).hex(),
        },
    }


def shuffle() -> Json:
    """Return a whole shuffle proof for five cards, with every value computed on the way."""
    entropy = seeded("vector of a shuffle")
    ctx = digest("context", b"an example")
    key = LockKey.generate(entropy)
    inputs = card_points(digest("charter", b"an example"), 1, 1, range(5))
    permutation = (3, 0, 4, 2, 1)
    outputs = lock_and_shuffle(inputs, key, permutation)
    claim = ShuffleStatement(ctx, key.unlock_key, inputs, outputs)
    proof = prove(claim, key, permutation)
    about = Transcript.of(claim, proof)
    seed, _ = shuffle_proof.derive_weights(claim, proof.c)
    return {
        "ctx": ctx.hex(),
        "lock": as_hex(key.lock),
        "unlock_key": as_hex(key.unlock_key),
        "permutation_from_0": list(permutation),
        "inputs": as_hex(inputs),
        "outputs": as_hex(outputs),
        "H": as_hex(about.h),
        "c": as_hex(proof.c),
        "seed": seed.hex(),
        "e": [as_hex(Scalar.of(e)) for e in about.e],
        "d": as_hex(proof.d),
        "f_powers": [as_hex(Scalar.of(f)) for f in about.f],
        "T": dict(zip(proof.commitments._fields, as_hex(proof.commitments), strict=True)),
        "C": as_hex(Scalar.of(about.challenge)),
        "s1": as_hex(proof.s1),
        "s2": as_hex(proof.s2),
        "s3": as_hex(proof.s3),
        "s4": as_hex(proof.s4),
        "s_hat": as_hex(proof.s_hat),
        "s_prime": as_hex(proof.s_prime),
        "proof": proof.encode().hex(),
    }


def unlocking() -> Json:
    """Return an unlock proof for three cards."""
    entropy = seeded("vector of an unlocking")
    ctx = digest("context", b"an example")
    key = LockKey.generate(entropy)
    locked = tuple(key.lock * p for p in card_points(ctx, 1, 1, range(3)))
    unlocked = unlock(key, locked)
    proof = prove_unlock(ctx, key, locked, unlocked)
    return {
        "ctx": ctx.hex(),
        "context_string": context_string(ctx, key.unlock_key, locked, unlocked).hex(),
        "unlock": as_hex(key.unlock),
        "unlock_key": as_hex(key.unlock_key),
        "locked": as_hex(locked),
        "unlocked": as_hex(unlocked),
        "c": as_hex(proof.c),
        "s": as_hex(proof.s),
        "proof": proof.encode().hex(),
    }

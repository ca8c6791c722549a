"""A shuffle proof that has held in this process holds: the tests play few matches, and look at
each of them many times. What was refused is not remembered.
"""

from hashlib import sha256

from protocol import shuffle_proof
from protocol.parallel import ParallelMap
from protocol.shuffle_proof import ShuffleProof, Statement

_held: set[bytes] = set()
"""Digests of every byte of a statement and its proof."""


def verify(statement: Statement, proof: ShuffleProof, *, parallel_map: ParallelMap = map) -> None:
    """As `protocol.shuffle_proof.verify`."""
    parts = (*statement.parts, proof.encode())
    digest = sha256(b"".join(len(part).to_bytes(4, "big") + part for part in parts)).digest()
    if digest not in _held:
        shuffle_proof.verify(statement, proof, parallel_map=parallel_map)
        _held.add(digest)


def forget() -> None:
    """From now on every proof is verified again."""
    _held.clear()

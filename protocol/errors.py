"""The error families of `protocol`.  Every error is a sentence for people.

A refusal says whose doing it is: `Refused` is ours (we tried what is not allowed), `Malformed`
and `ProofFailed` are judgements on bytes that somebody else wrote.
"""

from __future__ import annotations


class ProtocolError(Exception):
    """The base of everything that `protocol` raises on purpose."""


class Refused(ProtocolError):  # noqa: N818
    """What we ourselves tried is not allowed; nothing has changed."""


class Malformed(ProtocolError):  # noqa: N818
    """Bytes that are not the canonical encoding of what they should be."""


class ProofFailed(ProtocolError):  # noqa: N818
    """A proof does not show what its statement claims.

    `equation` names what did not hold: one of the shuffle's equations ("sum", "prod", "commit",
    "map", "key", "chain"), "dleq" for an unlocking, or a check made before the equations
    ("length", "distinct", "identity").
    """

    def __init__(self, equation: str, sentence: str) -> None:
        super().__init__(sentence)
        self.equation = equation

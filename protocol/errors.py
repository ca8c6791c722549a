"""The error families of `protocol`.  Every error is a sentence for people.

A refusal says whose doing it is: `Refused` is ours (we tried what is not allowed), `Malformed`
and `ProofFailed` are judgements on bytes that somebody else wrote.
"""

from __future__ import annotations


class ProtocolError(Exception):
    """The base of everything that `protocol` raises on purpose."""


class Refused(ProtocolError):
    """What we ourselves tried is not allowed; nothing has changed."""


class Malformed(ProtocolError):
    """Bytes that are not the canonical encoding of what they should be."""


class ProofFailed(ProtocolError):
    """A proof does not show what its statement claims.

    `equation` names what did not hold: one of the shuffle's equations ("sum", "prod", "commit",
    "map", "key", "chain"), "dleq" for an unlocking, or a check made before the equations
    ("length", "distinct", "identity").
    """

    def __init__(self, equation: str, sentence: str) -> None:
        super().__init__(sentence)
        self.equation = equation


class Unattributable(ProtocolError):
    """Bytes that do not continue the record, and for which nobody can be blamed: a stranger may
    have changed them on the way.

    `cause` is the clause of `spec/record.md` ("R2").
    """

    def __init__(self, cause: str, sentence: str) -> None:
        super().__init__(sentence)
        self.cause = cause


class Exposed(ProtocolError):
    """A player has signed what nobody who follows the protocol signs; anybody can check it.

    `player` is the number of the player; `cause` a clause of `spec/` ("R7", "C26") or the name of
    a proof and its equation ("shuffle:map", "unlock:dleq"); `evidence` the signed entries.
    """

    def __init__(self, player: int, cause: str, sentence: str, evidence: tuple[bytes, ...]) -> None:
        super().__init__(sentence)
        self.player = player
        self.cause = cause
        self.evidence = evidence

"""The errors of `protocol`, in two families that `p2p` continues.

`LocalError` is what we ourselves tried or lack on this machine; `RemoteError` is a judgement on
what somebody else wrote or did. Every error is a sentence for people (`engine.sentences`).
"""

from __future__ import annotations

from engine.sentences import Sentence, SentenceError, Value


class LocalError(SentenceError):
    """A mistake of ours, or something that this machine cannot do."""


class RemoteError(SentenceError):
    """Something that somebody else wrote, said or did is not as it should be."""


class Refused(LocalError):
    """Something that we tried ourselves is not allowed; nothing has changed."""


class Miscalculated(LocalError):
    """A result that this machine has computed does not hold; nothing of it was sent."""


class Malformed(RemoteError):
    """Bytes that are not the canonical encoding of what they should be."""


class Newer(Malformed):
    """Bytes of a version of the program that is newer than this one, as far as one can tell.

    They name a version, a game or an option that is not known here. They may be sound, and nobody
    is to blame.
    """


class OutOfTurn(RemoteError):
    """A sound message that nobody says at this point of the conversation, or not so often."""


class Mismatch(RemoteError):
    """A sound message that does not match what was shown, signed or committed to before."""


class ProofFailed(RemoteError):
    """A proof does not show what its statement claims.

    `equation` names what did not hold: one of the shuffle's equations ("sum", "prod", "commit",
    "map", "key", "chain"), "dleq" for an unlocking, or a check made before the equations
    ("length", "distinct", "identity").
    """

    def __init__(self, equation: str, text: str | Sentence, /, **values: Value) -> None:
        super().__init__(text, **values)
        self.equation = equation


class Unattributable(RemoteError):
    """Bytes that do not continue the record, and for which nobody can be blamed.

    A stranger may have changed them on the way. `cause` is the clause of `spec/record.md` ("R2").
    """

    def __init__(self, cause: str, text: str | Sentence, /, **values: Value) -> None:
        super().__init__(text, **values)
        self.cause = cause


class Exposed(RemoteError):
    """A player has signed what nobody who follows the protocol signs; anybody can check it.

    `player` is the number that the player had where they signed it, and `key` their key; `cause` a
    clause of `spec/` ("R7", "C26") or the name of a proof and its equation ("shuffle:map",
    "unlock:dleq"); `evidence` the signed parts.
    """

    def __init__(
        self,
        player: int,
        cause: str,
        sentence: Sentence,
        evidence: tuple[bytes, ...],
        key: bytes = b"",
    ) -> None:
        super().__init__(sentence)
        self.player = player
        self.cause = cause
        self.evidence = evidence
        self.key = key


class Illegal(Exposed):
    """A player has signed what the rules of the game do not allow, as this program knows them.

    It rests on thousands of lines of rules, of which no cryptography shows that they are right. So
    it is told apart from what the record and its proofs show; a table stops for it all the same.
    """

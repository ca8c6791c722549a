"""The errors of `protocol`, in two families; `p2p` adds more to both.

A `LocalError` is about this machine: something that we tried, or that is missing here. A
`RemoteError` is about something that somebody else wrote or did. Every error is a sentence for
people (`engine.sentences`).
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
    """A result that this machine has computed is wrong; it was not sent."""


class Malformed(RemoteError):
    """Bytes that are not the canonical encoding of what they should be."""


class Newer(Malformed):
    """Bytes that seem to be of a newer version of the program.

    They name a version, a game or an option that this program does not know. They may be sound, so
    nobody is to blame.
    """


class OutOfTurn(RemoteError):
    """A sound message that comes at the wrong point of the conversation, or too often."""


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
    """A player has signed something that nobody who follows the protocol would sign.

    `player` is their number at the table where they signed, and `key` is their key. `cause` is a
    clause of `spec/` ("R7", "C26"), or the name of a proof and its equation ("shuffle:map",
    "unlock:dleq"). `evidence` has the signed bytes by which anybody can check that.
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
    """A player has signed something that the rules of the game forbid, as this program knows them.

    This verdict rests on thousands of lines of code for the rules, and no cryptography shows that
    the code is right. So this error is kept apart from the errors that the record and its proofs
    show. But it stops the table in the same way.
    """

"""Errors that a process of the audit sends back to the one that began it."""

import pickle

import pytest

from engine.sentences import Sentence
from protocol.errors import Exposed, ProofFailed, RemoteError, Unattributable


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            ProofFailed("length", "The proof is not for a deck of {size} cards.", size=108),
            "The proof is not for a deck of 108 cards.",
        ),
        (Unattributable("R2", Sentence("Bytes are missing.")), "Bytes are missing."),
        (
            Exposed(1, "R11", Sentence("{who} lied.", who="They"), (b"entry",)),
            "They lied.",
        ),
    ],
)
def test_an_error_comes_whole_out_of_another_process(error: RemoteError, said: str) -> None:
    assert str(error.sentence) == said
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.args, str(again)) == (type(error), error.args, str(error))
    assert vars(again) == vars(error)

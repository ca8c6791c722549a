"""Errors that a process of the audit sends back to the one that began it."""

import pickle

import pytest

from engine.sentences import Sentence
from protocol.errors import Exposed, ProofFailed, RemoteError, Unattributable


@pytest.mark.parametrize(
    "error",
    [
        ProofFailed("length", "The proof is not for a deck of {size} cards.", size=108),
        Unattributable("R2", Sentence("Bytes are missing.")),
        Exposed(1, "R11", Sentence("{who} have lied.", who="They"), (b"entry",)),
    ],
)
def test_an_error_comes_whole_out_of_another_process(error: RemoteError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.args, str(again)) == (type(error), error.args, str(error))
    assert vars(again) == vars(error)

"""Errors that a process of the audit sends back to the one that began it."""

import pickle
from collections.abc import Callable

import pytest

from engine.sentences import Sentence
from protocol.errors import Exposed, ProofFailed, RemoteError, Unattributable


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (
            lambda: ProofFailed("length", "The proof is not for a deck of {size} cards.", size=108),
            "The proof is not for a deck of 108 cards.",
        ),
        (lambda: Unattributable("R2", Sentence("Bytes are missing.")), "Bytes are missing."),
        (
            lambda: Exposed(1, "R11", Sentence("{who} have lied.", who="They"), (b"entry",)),
            "They have lied.",
        ),
    ],
)
def test_an_error_comes_whole_out_of_another_process(
    made: Callable[[], RemoteError], said: str
) -> None:
    error = made()
    assert str(error.sentence) == said
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), again.args, str(again)) == (type(error), error.args, str(error))
    assert vars(again) == vars(error)

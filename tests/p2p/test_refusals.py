"""Refusals: a number on the wire, which each side shows as a sentence."""

import pytest

from client.i18n.language import choose_language
from client.i18n.sentences import said
from p2p.refusals import Reason, sentence_of
from p2p.transport.endpoint import Declined
from p2p.transport.messages import Goodbye, pack, unpack


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_has_a_sentence_of_its_own(reason: Reason) -> None:
    others = {str(sentence_of(other)) for other in Reason if other is not reason}
    assert str(sentence_of(reason)) not in others
    assert "does not know" not in str(sentence_of(reason))


def test_an_unknown_reason_is_shown_as_unknown() -> None:
    message = unpack(pack(Goodbye(999)))
    assert message == Goodbye(999)
    error = Declined(999)
    assert error.reason == 999
    assert str(error).startswith(
        "The node there says no, for a reason that this program does not know (999)."
    )


@pytest.mark.parametrize("language", ["es", "pt"])
@pytest.mark.parametrize("reason", [*Reason, 999])
def test_a_reason_is_shown_in_the_language_of_its_reader(reason: int, language: str) -> None:
    choose_language(language)
    assert said(Declined(reason)) != str(Declined(reason))

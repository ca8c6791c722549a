"""A no is a number on the wire, and a sentence on either side."""

import pytest

from client.i18n.language import choose_language
from client.i18n.sentences import said
from p2p.refusals import HIGHEST_REASON, Reason, Refusal, sentence_of
from p2p.transport.endpoint import Declined
from p2p.transport.messages import Goodbye, pack, unpack
from protocol.codec import encode
from protocol.errors import Malformed


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_has_a_sentence_of_its_own(reason: Reason) -> None:
    others = {str(sentence_of(other)) for other in Reason if other is not reason}
    assert str(sentence_of(reason)) not in others
    assert "does not know" not in str(sentence_of(reason))


def test_a_reason_of_a_newer_program_is_told_as_unknown() -> None:
    message = unpack(pack(Goodbye(999)))
    assert message == Goodbye(999)
    error = Declined(999)
    assert error.reason == 999
    assert str(error).startswith(
        "The node there says no, for a reason that this program does not know (999)."
    )


@pytest.mark.parametrize("language", ["es", "pt"])
@pytest.mark.parametrize("reason", [*Reason, 999])
def test_a_reason_is_told_in_the_language_of_who_hears_it(reason: int, language: str) -> None:
    choose_language(language)
    assert said(Declined(reason)) != str(Declined(reason))


@pytest.mark.parametrize("field", ["Buy my coins.", 0, -1, HIGHEST_REASON + 1, True, None, b"\x01"])
def test_nobody_puts_words_into_our_mouth(field: str | int | bytes | None) -> None:
    with pytest.raises(Malformed, match="the field “reason”"):
        unpack(encode(["goodbye", field]))


def test_our_own_people_may_read_more_than_the_other_side() -> None:
    refusal = Refusal.of(Reason.TABLE_FULL)
    assert refusal.sentence == sentence_of(refusal.reason)

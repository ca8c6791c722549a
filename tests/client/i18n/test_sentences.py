"""What engine, protocol and p2p say to people is known to the catalogs, and found in them again."""

import re

import pytest

from client.i18n import engine_words, node_words, protocol_words
from client.i18n.language import LANGUAGES, _, choose_language
from client.i18n.notation_words import NOTATION
from client.i18n.sentences import TEMPLATES, in_language, said
from engine.errors import IllegalMove
from p2p.storage.folders import FolderError
from tests.client.i18n.sentences_below import GAP, gapped, sentences
from tests.client.i18n.test_catalogs import texts

TRANSLATED = [language for language in LANGUAGES if language != "en"]


@pytest.mark.parametrize(
    ("layer", "words"),
    [
        ("engine", {*engine_words.REFUSALS, *engine_words.OPTIONS, *NOTATION}),
        ("p2p", {*node_words.NODE}),
        ("protocol", {*protocol_words.PROTOCOL}),
    ],
)
def test_every_sentence_of_a_layer_is_known_and_no_other(layer: str, words: set[str]) -> None:
    """A new one goes into `client/i18n/*_words.py`, a number in each gap, and is translated."""
    assert set(map(gapped, words)) == sentences(layer)


def test_no_sentence_of_the_client_goes_past_the_catalogs() -> None:
    known = {re.sub(r"\{[^}]*\}", GAP, form) for forms in texts().values() for form in forms}
    said_by_client = {re.sub(r"\{[^}]*\}", GAP, text) for text in sentences("client")}
    assert {text for text in said_by_client - known if re.search("[a-z]{2}", text)} == OWN_FAULTS


OWN_FAULTS = {
    "Chi-squared has a degree of freedom at least, and is not negative.",
    "The matrix is singular.",
    "The terminal is gone.",
}
"""What no person is shown, or only who mends the program."""


@pytest.mark.parametrize("language", TRANSLATED)
def test_a_sentence_is_found_again_with_what_is_filled_in(language: str) -> None:
    choose_language(language)
    for template in TEMPLATES:
        values = [f"<{number}>" for number in range(gapped(template).count(GAP))]
        translated = _(template).format(*values)
        assert translated != template.format(*values)
        assert in_language(template.format(*values)) == translated


def test_what_is_filled_in_is_translated_where_it_is_a_sentence_or_a_step() -> None:
    choose_language("es")
    assert in_language("It is the moment to draw.") == "Es el momento de robar."
    assert in_language("Line 3: No meld can lie so. Wild cards alone are no meld.") == (
        "Línea 3: Ningún juego puede quedar así. Solo comodines no son un juego."
    )
    assert in_language("Shuffle proof, equation prod: the commitment mixes cards.") == (
        "Prueba de barajado, ecuación prod: el compromiso mezcla cartas."
    )


def test_a_name_is_never_translated() -> None:
    choose_language("es")
    assert in_language("It is draws who writes next.") == "Es draws quien escribe ahora."


def test_what_nobody_has_ever_said_stays_as_it_is() -> None:
    choose_language("pt")
    assert in_language("Nobody has ever said this.") == "Nobody has ever said this."


def test_a_refusal_carries_its_clause() -> None:
    choose_language("pt")
    error = IllegalMove("C37", "Opening takes 90 points, and these cards have 45.")
    assert said(error) == "Abrir pede 90 pontos, e estas cartas têm 45. [C37]"


def test_an_error_of_the_network_is_told_in_the_language() -> None:
    choose_language("es")
    error = FolderError("The folder /x cannot be made (No lobby). Set SOBREMESA_HOME to one.")
    assert said(error) == str(error)
    error = FolderError(
        "The folder /x cannot be made (No lobby). Set SOBREMESA_HOME to a folder of your own."
    )
    assert said(error) == (
        "No se puede crear la carpeta /x (No lobby). Pon en SOBREMESA_HOME una carpeta tuya."
    )

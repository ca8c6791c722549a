"""Texts for people, written in plain ASCII."""

from collections.abc import Iterator
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.i18n.language import _, choose_language
from client.i18n.rulebook import text as rulebook_text
from client.ui.model.commands.table_commands import HAND_KEYS
from client.ui.text.ascii_text import ascii_text, choose_script_for
from tests.catalogs import TRANSLATED, catalog


def test_letters_lose_their_accents() -> None:
    for text, plain in (
        ("¿Cuántos juegan?", "Cuantos juegan?"),
        ("Não há «lixo» — só o morto…", 'Nao ha "lixo" - so o morto...'),
        ("la 31.ª carta × 2", "la 31.a carta x 2"),
        *(("e\u0301", "e"), ("K♠ K★ 漢 한", "Ks Kg ? ?")),
    ):
        assert ascii_text(text) == plain


@pytest.mark.parametrize(("encoding", "text"), [("ascii", "Que juego?"), ("utf-8", "¿Qué juego?")])
def test_texts_have_only_characters_that_the_stream_can_encode(encoding: str, text: str) -> None:
    choose_language("es")
    choose_script_for(TextIOWrapper(BytesIO(), encoding))
    assert _("Which game?") == text


@given(st.text())
def test_ascii_text_is_always_ascii(text: str) -> None:
    assert ascii_text(text).isascii()


@given(st.text(alphabet=st.characters(exclude_characters="…¿¡←→")))
def test_ascii_text_is_never_longer(text: str) -> None:
    assert len(ascii_text(text)) <= len(text)


def texts_of_people() -> Iterator[str]:
    """Yield all texts of the catalogs and the rules, in all languages, and the names of keys."""
    for language in TRANSLATED:
        for message in catalog(language):
            yield from message.id if isinstance(message.id, tuple) else [str(message.id)]
            forms = message.string
            yield from forms if isinstance(forms, tuple) else [str(forms)]
    for path in Path(rulebook_text.__file__).parent.rglob("*.md"):
        yield path.read_text(encoding="utf-8")
    yield from (shown for shown, _meaning, _actions in HAND_KEYS)


def test_every_text_is_readable_in_ascii() -> None:
    for one in texts_of_people():
        plain = ascii_text(one)
        assert plain.isascii()
        assert plain.count("?") == one.count("?"), one

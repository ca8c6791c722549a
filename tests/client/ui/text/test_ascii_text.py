"""Plain ASCII of what people read."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.ui.text.ascii_text import ascii_text


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("¿Cuántos juegan?", "Cuantos juegan?"),
        ("Não há «lixo» — só o morto…", 'Nao ha "lixo" - so o morto...'),
        ("la 31.ª carta × 2", "la 31.a carta x 2"),
        ("e\u0301", "e"),
        ("K♠ K★ 漢 한", "Ks Kg ? ?"),
    ],
)
def test_letters_lose_their_accents(text: str, plain: str) -> None:
    assert ascii_text(text) == plain


@given(st.text())
def test_there_is_nothing_but_ascii(text: str) -> None:
    assert ascii_text(text).isascii()


@given(st.text(alphabet=st.characters(exclude_characters="…¿¡")))
def test_nothing_becomes_longer(text: str) -> None:
    assert len(ascii_text(text)) <= len(text)

"""Cards in the letters of the screen's language."""

import pytest

from client.i18n import card_letters
from client.i18n.language import LANGUAGES, choose_language
from client.i18n.sentences import said
from client.ui.text.ascii_text import ascii_text
from engine.errors import IllegalMove
from engine.games import GAMES

FACES = {card.code: card for game in GAMES.values() for card in game.deck}


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_card_survives_writing_and_reading(language: str) -> None:
    choose_language(language)
    suits = card_letters.with_letters("♠♥♦♣★")
    written = {code: card_letters.spoken_cards(code) for code in FACES}
    assert len(set(written.values())) == len(written)
    for code, own in written.items():
        card = FACES[code]
        shown, face = card_letters.card_face(card), card_letters.card_face(card, symbols=False)
        emoji = "".join(f"{c}\ufe0f" if c in "♠♥♦♣" else c for c in shown)
        with_10 = own.replace("T", "10") if own[1:] in suits else own
        for typed in (own, own.upper(), own.lower(), with_10, shown, emoji, face):
            read = card_letters.notation_of(typed)
            assert read.replace("10", "T").casefold() == code.casefold(), typed
        assert card_letters.notation_of(f"^{own}:2") == f"^{code}:2"
        assert card_letters.shown_cards(f"discard {code} to 2") == f"discard {shown} to 2"
        assert face == card_letters.with_letters(shown)
        assert card.gold or face.replace("10", "T") == own


@pytest.mark.parametrize(
    ("language", "typed", "code"),
    [
        ("en", "Kc", "Kc"),
        ("es", "Kc", "Kh"),
        ("pt", "Kc", "Kh"),
        ("es", "Kt", "Kc"),
        ("pt", "Jo", "Jd"),
        ("es", "Ks", "Ks"),  # means nothing in Spanish
        ("es", "K", "K"),
        ("es", "joker", "joker"),
        ("pt", "Jk", "Jo"),
    ],
)
def test_typed_letters_mean_the_cards_that_the_screen_shows(
    language: str, typed: str, code: str
) -> None:
    choose_language(language)
    assert card_letters.notation_of(typed) == code


@pytest.mark.parametrize("language", LANGUAGES)
def test_suit_letters_differ_and_a_rank_and_a_suit_are_never_a_suitless_card(language: str) -> None:
    choose_language(language)
    letters = card_letters.with_letters("♠♥♦♣★")
    assert letters.isascii()
    assert len(set(letters)) == 5
    own = {card_letters.spoken_cards(code).casefold() for code in card_letters.SUITLESS}
    assert len(own) == len(card_letters.SUITLESS)
    ranks = "23456789tjqka"
    assert not own & {rank + letter for rank in ranks for letter in letters}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_gold_card_shows_its_suit(language: str) -> None:
    choose_language(language)
    assert card_letters.card_face(FACES["Kg"]) == "K♠★"
    shown = card_letters.card_face(FACES["Kg"], symbols=False)
    assert len(shown) == 3
    assert card_letters.notation_of(shown) == "Kg"
    hearts = card_letters.with_letters("K♥★")
    assert card_letters.notation_of(hearts) == hearts, "no card is gold and of hearts"


def test_words_that_are_no_cards_stay_unchanged() -> None:
    choose_language("es")
    assert card_letters.spoken_cards("meld 7h 7d 7s + Kc to 1") == "meld 7c 7d 7p + Kt to 1"
    assert card_letters.spoken_cards("take ^Kg Kh:2") == "take ^Ko Kc:2"


def test_a_refusal_shows_cards_like_the_screen() -> None:
    choose_language("es")
    error = IllegalMove("C50", "A pile with a {card} on top cannot be taken.", card=FACES["Kc"])
    assert "K♣" in said(error)
    assert "Kt" in ascii_text(said(error))

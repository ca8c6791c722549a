"""Texts as data: a template, its values, and the errors that carry them."""

import pickle

import pytest

from engine.canasta.deck import CANASTA
from engine.cards import Card
from engine.errors import IllegalMove, NotationError
from engine.sentences import Sentence, SentenceError

KING = CANASTA[12]


def test_an_error_keeps_its_template_and_its_values() -> None:
    error = IllegalMove("C50", "A pile with a {card} on top cannot be taken.", card=KING)
    assert error.sentence.template == "A pile with a {card} on top cannot be taken."
    assert error.sentence.values == (("card", KING),)
    assert str(error.sentence) == f"A pile with a {KING} on top cannot be taken."
    assert str(error) == f"A pile with a {KING} on top cannot be taken. [C50]"


def test_a_value_may_be_a_text_or_an_error() -> None:
    inner = IllegalMove("X10", "It is the moment to {step}.", step=Sentence("draw"))
    outer = NotationError("Line {line}: {error}", line=3, error=inner)
    assert str(outer) == "Line 3: It is the moment to draw. [X10]"


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (("Ana",), "Ana"),
        (("Ana", "Bo"), "Ana and Bo"),
        (("Ana", "Bo", "Cy", "Di"), "Ana, Bo, Cy and Di"),
    ],
)
def test_names_are_joined_by_commas_and_a_final_and(names: tuple[str, ...], text: str) -> None:
    assert str(Sentence("{names} left.", names=names)) == f"{text} left."


def test_texts_are_joined_by_commas() -> None:
    texts = Sentence("red"), Sentence("black")
    assert str(Sentence("{texts}", texts=texts)) == "red, black"


def test_values_are_not_treated_as_templates() -> None:
    """A value, such as the name of a player or a word of a file, may have braces."""
    assert str(NotationError("{word!r} is no card.", word="{0.__class__}")) == (
        "'{0.__class__}' is no card."
    )


@pytest.mark.parametrize(("n", "text"), [(0, "0 cards of Ana"), (1, "1 card of Ana")])
def test_a_counted_text_is_singular_or_plural(n: int, text: str) -> None:
    assert str(Sentence.counted("{n} card of {name}", "{n} cards of {name}", n, name="Ana")) == text


@pytest.mark.parametrize(
    "error",
    [
        SentenceError("Nothing may follow the word {word}.", word="ask"),
        IllegalMove("K18", "The {card} is no Treasure Pot.", card=KING),
        NotationError("{held}", held=Sentence.counted("{n} card", "{n} cards", 2)),
    ],
)
def test_an_error_survives_pickling(error: SentenceError) -> None:
    again = pickle.loads(pickle.dumps(error))
    assert (type(again), str(again)) == (type(error), str(error))
    assert vars(again) == vars(error)


def test_sentences_with_the_same_template_and_values_are_equal() -> None:
    def about(card: Card) -> Sentence:
        return Sentence("The {card} is no red three.", card=card)

    assert about(KING) == about(KING) != about(CANASTA[0])
    assert len({about(KING), about(KING)}) == 1
    assert about(KING) != str(about(KING))


def test_the_repr_of_an_error_has_its_values() -> None:
    error = SentenceError("Nobody answers at {host}.", host="10.0.0.1")
    assert repr([error]) == "[SentenceError('Nobody answers at 10.0.0.1.')]"

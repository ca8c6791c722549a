"""Translation of the texts of engine, protocol and p2p into the language of the person.

Such a text is a template with values to fill in (`engine.sentences`); the catalogs have
translations of the template.
"""

from client.i18n.card_letters import card_face
from client.i18n.control_characters import plain
from client.i18n.language import _, number, plural, with_and
from engine.cards import Card
from engine.errors import IllegalMove
from engine.sentences import Sentence, SentenceError, Value
from engine.slots import Shown


def said(text: Sentence | BaseException) -> str:
    """Return a sentence, or the sentence of an error, in the language of the program.

    The sentence of an illegal move is followed by the number of its clause. An error that has no
    sentence is returned as its own text.
    """
    match text:
        case Sentence(template, values, None):
            return _(template).format(**_filled(values))
        case Sentence(one, values, (many, n)):
            return plural(one, many, n).format(n=number(n), **_filled(values))
        case IllegalMove():
            return f"{said(text.sentence)} [{text.clause}]"
        case SentenceError():
            return said(text.sentence)
        case _:
            return str(text)


def _filled(values: tuple[tuple[str, Value], ...]) -> dict[str, str]:
    return {name: _value(value) for name, value in values}


def _value(value: Value) -> str:
    """Return a value as text.

    Sentences and errors are translated, a card becomes its face, and a name stays as it is.
    """
    match value:
        case Sentence() | SentenceError():
            return said(value)
        case tuple():
            texts = [said(one) for one in value if not isinstance(one, str)]
            return ", ".join(texts) or with_and(one for one in value if isinstance(one, str))
        case int():
            return number(value)
        case Card():
            return card_face(value)
        case Shown():
            return card_face(value.card)
        case _:
            return plain(str(value))

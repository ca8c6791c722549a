"""Texts for people as data: a constant English template, and the values to fill in.

Whoever shows a text in another language looks up the translation of the template and fills the
same values into it. The templates are collected from the calls themselves, so a template is always
a literal, never put together.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from engine.marked_texts import N_, Marked

if TYPE_CHECKING:
    from engine.cards import Card
    from engine.slots import Shown

__all__ = ("N_", "Marked", "Sentence", "SentenceError", "Value")

Value: TypeAlias = (
    "int | str | Card | Shown | Sentence | SentenceError | tuple[Sentence, ...] | tuple[str, ...]"
)
"""What a template may be filled with. A string is a name or a word of a notation: it stays as it
is in every language. Several texts are joined by commas, several names by commas and "and"."""


class Sentence:
    """A text for people, whole or in part: `Sentence("The {card} is no red three.", card=top)`.

    `str()` of it is the English text. Where the form depends on a number, `template` is that for
    one, and `plural` has the other and the number (see `counted`). It is never changed.

    A plain class: errors need it, and so whatever answers before the library of classes is loaded.
    """

    __slots__ = ("plural", "template", "values")
    __match_args__ = ("template", "values", "plural")

    def __init__(self, template: str, /, **values: Value) -> None:
        self.template = template
        self.values: tuple[tuple[str, Value], ...] = tuple(values.items())
        self.plural: tuple[str, int] | None = None

    @classmethod
    def counted(cls, one: str, many: str, n: int, /, **values: Value) -> "Sentence":
        """A text whose form depends on a number: `counted("{n} card", "{n} cards", 3)`."""
        sentence = cls(one, **values)
        sentence.plural = (many, n)
        return sentence

    @classmethod
    def of(cls, marked: Marked) -> "Sentence":
        """The text that was marked by `N_` somewhere else."""
        return cls(marked)

    def __str__(self) -> str:
        values = {name: _english(value) for name, value in self.values}
        if self.plural is None:
            return self.template.format(**values)
        many, n = self.plural
        return (self.template if n == 1 else many).format(n=n, **values)

    def __repr__(self) -> str:
        return f"Sentence({self.template!r}, {self.values!r}, {self.plural!r})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sentence) and self._parts() == other._parts()

    def __hash__(self) -> int:
        return hash(self._parts())

    def _parts(self) -> tuple[object, ...]:
        return self.template, self.values, self.plural


def _english(value: Value) -> str:
    if not isinstance(value, tuple):
        return str(value)
    names = [name for name in value if isinstance(name, str)]
    return conjoined(names, " and ") if names else ", ".join(map(str, value))


def conjoined(words: Sequence[str], conjunction: str) -> str:
    """Words with commas between them, and the conjunction before the last."""
    return conjunction.join(filter(None, (", ".join(words[:-1]), *words[-1:])))


class SentenceError(Exception):
    """An error that says what is wrong in a sentence for people: `str()` of it in English.

    `text` is the template for the values, or a whole sentence that somebody else has made.
    """

    def __init__(self, text: str | Sentence, /, **values: Value) -> None:
        # `__new__` has kept the arguments: a copy in another process is made from them.
        self.sentence = text if isinstance(text, Sentence) else Sentence(text, **values)

    def __str__(self) -> str:
        return str(self.sentence)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

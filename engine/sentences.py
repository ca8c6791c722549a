"""Texts for people as data: a constant English template, and the values to fill in.

Code that shows a text in another language looks up the translation of the template and fills the
same values into it. A tool collects the templates from the calls in the source, so a template is
always a literal and never put together at run time.

>>> str(Sentence("There is no game {name!r}.", name="whist"))
"There is no game 'whist'."
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
"""Types that a template may be filled with.

A string is a name or a word of a notation: it stays as it is in every language. A tuple of
sentences is joined by commas, a tuple of strings by commas and a final "and".
"""


class Sentence:
    """A text for people, whole or in part: `Sentence("The {card} is no red three.", card=top)`.

    `str()` gives the English text. If the text depends on a number, `template` is the singular, and
    `plural` holds the plural and the number (see `counted`). A sentence never changes.

    It is a plain class and not an attrs class, because errors need it, and commands that answer
    before attrs is imported raise errors too.
    """

    __slots__ = ("plural", "template", "values")
    __match_args__ = ("template", "values", "plural")

    def __init__(self, template: str, /, **values: Value) -> None:
        self.template = template
        self.values: tuple[tuple[str, Value], ...] = tuple(values.items())
        self.plural: tuple[str, int] | None = None

    @classmethod
    def counted(cls, one: str, many: str, n: int, /, **values: Value) -> "Sentence":
        """Return a text that is singular (`one`) or plural (`many`), depending on the number `n`.

        >>> str(Sentence.counted("{n} card", "{n} cards", 3))
        '3 cards'
        """
        sentence = cls(one, **values)
        sentence.plural = (many, n)
        return sentence

    @classmethod
    def of(cls, marked: Marked) -> "Sentence":
        """Return the sentence of a text that `N_` has marked somewhere else."""
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
    # A tuple holds only strings or only sentences. Strings are names: Ana, Bea and Cai.
    names = [name for name in value if isinstance(name, str)]
    return _conjoined(names) if names else ", ".join(map(str, value))


def _conjoined(names: Sequence[str]) -> str:
    """Return one or more names with commas between them, and "and" before the last.

    >>> _conjoined(["Ana", "Bea", "Cai"])
    'Ana, Bea and Cai'
    """
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1])))


class SentenceError(Exception):
    """An error whose reason is a sentence for people; `str()` gives that sentence in English."""

    def __init__(self, text: str | Sentence, /, **values: Value) -> None:
        # No super().__init__: BaseException.__new__ has put the positional arguments into `args`.
        # Unpickling in another process calls this with `args`, and then restores `sentence`.
        """Take a template and its values, or a whole sentence."""
        self.sentence = text if isinstance(text, Sentence) else Sentence(text, **values)

    def __str__(self) -> str:
        return str(self.sentence)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

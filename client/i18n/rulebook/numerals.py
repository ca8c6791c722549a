"""Numbers in a text, in digits and in words, as each language writes them."""

from collections.abc import Callable, Mapping

from client.i18n import language

_ENGLISH = (
    (
        "no one two three four five six seven eight nine ten eleven twelve thirteen fourteen"
        " fifteen sixteen seventeen eighteen nineteen"
    ),
    "twenty thirty forty fifty sixty seventy eighty ninety",
    "{tens}-{units}",
)
_SPANISH = (
    (
        "ningún un dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince"
        " dieciséis diecisiete dieciocho diecinueve veinte veintiún veintidós veintitrés"
        " veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve"
    ),
    "veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa",
    "{tens} y {units}",
)
_PORTUGUESE = (
    (
        "nenhum um dois três quatro cinco seis sete oito nove dez onze doze treze catorze quinze"
        " dezesseis dezessete dezoito dezenove"
    ),
    "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
    "{tens} e {units}",
)
_WORDS: Mapping[str, tuple[str, str, str]] = {"en": _ENGLISH, "es": _SPANISH, "pt": _PORTUGUESE}
"""Words from zero on, words for the tens from twenty on, and a pattern that joins both.

"One" is masculine, as before `comodín` and `coringa`. The only feminine noun that is counted in
words is "cards", and its numbers never end in one.
"""


class Number(int):
    """A number in a text, with formats of its own.

    `{n}` gives "1,500", `{n:word}` "seven", `{n:Word}` "Seven", `{n:nth}` "23rd". In a language
    with genders the ordinal (`nth`) is feminine, because it is said of cards. Numbers from a
    hundred on have digits, not words.
    """

    language: str | None = None
    """Language of the words; None for the program's language."""

    @classmethod
    def in_text(cls, value: int, language: str) -> "Number":
        """Return a number for a text in that language."""
        number = cls(value)
        number.language = language
        return number

    def __format__(self, how: str) -> str:
        match how:
            case "word" | "Word":
                word = _word(int(self), self.language or language.spoken())
                return word.capitalize() if how == "Word" else word
            case "nth":
                return _ORDINALS[self.language or language.spoken()](int(self))
            case _:
                return language.number(int(self))


def _word(number: int, spoken: str) -> str:
    first, tens, together = _WORDS[spoken]
    units = first.split()
    if 0 <= number < len(units):
        return units[number]
    if not 0 <= number < 100:
        return language.number(number)
    ten = tens.split()[number // 10 - 2]
    return together.format(tens=ten, units=units[number % 10]) if number % 10 else ten


def _english_ordinal(number: int) -> str:
    last = 0 if number % 100 in (11, 12, 13) else number % 10
    return f"{number}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(last, 'th') }"


_ORDINALS: Mapping[str, Callable[[int], str]] = {
    "en": _english_ordinal,
    "es": "{}.ª".format,
    "pt": "{}ª".format,
}

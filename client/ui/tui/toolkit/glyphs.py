"""The characters that a table is drawn with: Unicode, or plain ASCII if there is nothing else."""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TextIO

from client.i18n.card_letters import card_face, with_letters
from client.i18n.language import choose_script, has_symbols
from client.ui.text.ascii_text import ascii_text

if TYPE_CHECKING:
    from engine.cards import Card


class Glyphs(NamedTuple):
    """A set of characters, each one column wide; by default those of Unicode."""

    symbols: bool = True
    """True for symbols of suits; False for the letters of the screen's language."""
    corners: str = "╭╮╰╯"
    """Corners of a card's frame; `across` and `down` are its edges."""
    across: str = "─"
    down: str = "│"
    turn: str = "▶"
    cursor: str = "▲"
    fresh: str = "•"
    chosen: str = "*"
    times: str = "×"
    gold: str = "★"
    dot: str = "·"
    bar: str = "█░"
    marks: Mapping[str, str] = MappingProxyType({"clean": "●", "dirty": "◐", "special": "★"})
    """Marks of complete melds, by the values of `engine.position_facts.MeldClass`."""
    script: Callable[[str], str] = str
    """Function that writes a text with the characters of the terminal."""

    def face(self, card: "Card") -> str:
        """Return a card as people read it, in two to four columns: "K♠", "10♥", "Jo", "10♠★"."""
        return card_face(card, symbols=self.symbols)

    def short_face(self, card: "Card") -> str:
        """Return a card in two columns, a gold one in three: "K♠", "T♥", "Jo", "T♠★"."""
        return self.face(card).replace("10", "T")

    def fitting_face(self, card: "Card", columns: int) -> str:
        """Return a card in at most `columns` columns (`columns` is at least two).

        A gold card is cut to rank and suit if there is no room for more.
        """
        face = self.face(card)
        return face if len(face) <= columns else self.short_face(card)[:columns]

    def plain(self, text: str) -> str:
        """Return `text` without characters that the terminal lacks, or takes for commands."""
        written = self.script(text)
        shown = written if self.symbols else with_letters(written)
        if shown.isprintable():
            return shown
        return "".join(character if character.isprintable() else "?" for character in shown)

    def choose_script(self) -> None:
        """Write all texts of the program with these characters from now on."""
        choose_script(self.script)

    @property
    def lettered(self) -> "Glyphs":
        """These glyphs with letters for the suits."""
        return self._replace(symbols=False)


UNICODE = Glyphs()

ASCII = Glyphs(
    symbols=False,
    corners="..''",
    across="-",
    down="|",
    turn=">",
    cursor="^",
    fresh="+",
    times="x",
    gold="g",
    dot="-",
    bar="#.",
    marks={"clean": "o", "dirty": "%", "special": "*"},
    script=ascii_text,
)


def glyphs_for(stream: TextIO, *, symbols: str = "auto", letters: bool = False) -> Glyphs:
    """Return the glyphs that the stream can show.

    `symbols` is "unicode", "ascii", or "auto" to find out.
    """
    if symbols == "auto":
        symbols = "unicode" if has_symbols(stream.encoding) else "ascii"
    glyphs = UNICODE if symbols == "unicode" else ASCII
    return glyphs.lettered if letters else glyphs


def card_style(card: "Card") -> str:
    """Return the style class of a card's face."""
    if card.gold:
        return "class:card.gold"
    if card.suit is not None:
        return f"class:card.{card.suit.name.lower()}"
    return "class:card.joker" if card.code == "Jo" else "class:card.special"

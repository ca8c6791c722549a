"""Cards and players as every part of the page shows them."""

from client.i18n.language import _
from client.reports.html.markup import Html, tag
from client.reports.model import TableReport

_SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣", "g": "♠"}
_RED = "hd"


def card(code: str, owner: int | None = None, title: str | None = None) -> Html:
    """Return a small card face up, with an edge in the colour of the player who got it."""
    kind = ["card", *([_colour(owner)] if owner is not None else [])]
    suit = code[-1]
    if _is_odd(code):
        return tag("span", code, class_=" ".join([*kind, "odd"]), title=title)
    kind += ["red"] if suit in _RED else ["gold"] if suit == "g" else []
    return tag("span", face(code), class_=" ".join(kind), title=title)


def face(code: str) -> str:
    """Return a card as text: "10♦", "Jo"."""
    rank, suit = code[:-1], code[-1]
    if _is_odd(code):
        return code
    return ("10" if rank == "T" else rank) + _SUITS[suit]


def _is_odd(code: str) -> bool:
    """Return True for a card without a rank or a suit."""
    return len(code) != 2 or code[-1] not in _SUITS or code[0].islower()


def back() -> Html:
    """Return a card that nobody has seen."""
    return tag("span", "", class_="card back", title=_("never seen"))


def chip(table: TableReport, player: int) -> Html:
    """Return a player's name in the player's colour."""
    return tag("span", table.players[player].name, class_=f"chip {_colour(player)}")


def _colour(player: int) -> str:
    return f"p{player}"

"""Cards and players as the page shows them everywhere."""

from client.i18n.language import _
from client.reports.html.markup import Html, tag
from client.reports.model import TableReport

_SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣", "g": "♠"}
_RED = "hd"


def card(code: str, owner: int | None = None, title: str | None = None) -> Html:
    """A small card face up; its edge has the colour of the player who got it."""
    kind = ["card", *([_colour(owner)] if owner is not None else [])]
    suit = code[-1]
    if _is_odd(code):
        return tag("span", code, class_=" ".join([*kind, "odd"]), title=title)
    kind += ["red"] if suit in _RED else ["gold"] if suit == "g" else []
    return tag("span", face(code), class_=" ".join(kind), title=title)


def face(code: str) -> str:
    """A card as text: "10♦", "Jo"."""
    rank, suit = code[:-1], code[-1]
    if _is_odd(code):
        return code
    return ("10" if rank == "T" else rank) + _SUITS[suit]


def _is_odd(code: str) -> bool:
    """Whether it is no card of a rank and a suit."""
    return len(code) != 2 or code[-1] not in _SUITS or code[0].islower()


def back() -> Html:
    """A card that nobody has seen."""
    return tag("span", "", class_="card back", title=_("never seen"))


def chip(table: TableReport, player: int) -> Html:
    """A player's name in the player's colour."""
    return tag("span", table.players[player].name, class_=f"chip {_colour(player)}")


def _colour(player: int) -> str:
    return f"p{player}"

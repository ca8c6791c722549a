"""Cards and players as every part of the page shows them."""

from client.i18n.card_letters import SUITLESS, shown_cards
from client.i18n.language import _
from client.reports.html.markup import Html, tag
from client.reports.model import TableReport

_RED = "hd"


def card(code: str, owner: int | None = None, title: str | None = None) -> Html:
    """Return a small card face up, with an edge in the colour of the player who got it."""
    kind = ["card", *([_colour(owner)] if owner is not None else [])]
    if code in SUITLESS:
        kind.append("suitless")
    else:
        kind += ["red"] if code[-1] in _RED else ["gold"] if code[-1] == "g" else []
    return tag("span", shown_cards(code), class_=" ".join(kind), title=title)


def back() -> Html:
    """Return a card that nobody has seen."""
    return tag("span", "", class_="card back", title=_("never seen"))


def chip(table: TableReport, player: int) -> Html:
    """Return a player's name in the player's colour."""
    return tag("span", table.players[player].name, class_=f"chip {_colour(player)}")


def _colour(player: int) -> str:
    return f"p{player}"

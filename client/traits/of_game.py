"""The traits of each game."""

from typing import Any

from client.traits.base import Traits
from client.traits.canasta import CanastaTraits
from client.traits.canastra import CanastraTraits
from client.traits.kanastic import KanasticTraits
from engine.canasta.position import CanastaPosition
from engine.canastra.position import CanastraPosition
from engine.kanastic.position import KanasticPosition
from engine.position import Position

_TRAITS: dict[type[Position], Traits[Any]] = {
    CanastaPosition: CanastaTraits(),
    CanastraPosition: CanastraTraits(),
    KanasticPosition: KanasticTraits(),
}


def traits_of(position: Position) -> Traits[Any]:
    """The traits of the game that the position is of."""
    return _TRAITS[type(position)]

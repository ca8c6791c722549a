"""The pages that cover the table on a screen, or are printed in the linear mode."""

from enum import Enum

from engine.sentences import N_


class Page(Enum):
    """A page; the value is its title."""

    KEYS = N_("Keys and commands")
    SHEET = N_("Score sheet")
    CARDS = N_("Special cards")
    HANDS = N_("The hands, opened")
    FAIRNESS = N_("Was this deal fair?")
    REVIEW = N_("Your game, judged")
    LOG = N_("What happened")
    RULES = N_("The rules of this table")
    WORDS = N_("The table's words")
    PHRASES = N_("What people say")
    AWAY = N_("Somebody stays away")
    HAND = N_("Your hand")
    TABLE = N_("The table")
    MOVES = N_("What is legal now")

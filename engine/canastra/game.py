"""The description of Canastra for the other packages: decks, players, options and texts."""

from collections.abc import Mapping

from engine.canastra import constants, deck
from engine.canastra.disputes import ANSWERS
from engine.canastra.options import CanastraOptions
from engine.game import CardNote, Game
from engine.games import position_in
from engine.sentences import Sentence
from engine.sequence_melds.with_wild import LONGEST


def _numbers() -> Mapping[str, int]:
    """Return the numbers for the placeholders in the text of the rules."""
    dealt = 2 * constants.HAND_SIZE
    dead = constants.DEAD_SIZE
    return {
        "hand": constants.HAND_SIZE,
        "dead": dead,
        "dead_1_first": dealt + 1,
        "dead_1_last": dealt + dead,
        "dead_2_first": dealt + dead + 1,
        "dead_2_last": dealt + 2 * dead,
        "stock": len(deck.CANASTRA) - dealt - constants.DEADS * dead,
        "run": constants.RUN_SIZE,
        "longest": LONGEST,
        "canastra": constants.CANASTRA_SIZE,
        "card": constants.CARD,
        "dirty": constants.DIRTY_CANASTRA,
        "clean": constants.CLEAN_CANASTRA,
        "real": constants.REAL_CANASTRA,
        "going_out": constants.GOING_OUT,
    }


_LEGEND = (  # B28-B31
    CardNote(
        ("2s", "2h", "2d", "2c"),
        Sentence(
            "Two: stands for any card, at most once in a run. In a sequence of its own suit it may "
            "also lie in its own place."
        ),
    ),
)


_EXAMPLE = """\
case May a run of hearts have two wild cards?
canastra 2
turn 1 play drew 1
pile 9c
hand 1 4h 5h 7h 2s 2c Kd Ad
meld 1 Qs Ks As
try meld 4h 5h 2s 7h
expect legal
try meld 4h 2s 2c 7h
play meld 4h 5h 2s 7h
play discard Kd
expect turn 2 draw
"""


CANASTRA = Game(
    name="canastra",
    decks=deck.DECKS,
    load_position=position_in("engine.canastra.position", "CanastraPosition"),
    options=CanastraOptions,
    players=(2,),
    numbers=_numbers,
    answers=ANSWERS,
    legend=_LEGEND,
    example=_EXAMPLE,
)

"""A move of every kind, and values of the codec that are no moves."""

from engine import moves
from engine.canasta.deck import CANASTA
from engine.slots import Shown, Slot
from protocol.codec import Encodable
from protocol.move_codec import SLOT_LIMIT

EVERY_MOVE: tuple[moves.Move, ...] = (
    moves.Cut(0),
    moves.ShowBonus(()),
    moves.DrawStock(),
    moves.TakePile(),
    moves.TakeTop(()),
    moves.LayMelds(()),
    moves.Discard(Shown(Slot(0), CANASTA[0])),
    moves.LayMelds((moves.Play((Shown(Slot(SLOT_LIMIT), CANASTA[-1]),), onto=0),)),
    moves.Ask(),
    moves.Answer(False),
    moves.Pass(),
)
CARD = (3, 7)
PLAY = ([CARD], None, False)
NO_MOVES: list[Encodable] = [
    "draw",
    (),
    (7,),
    ("steal",),
    ("draw", 1),
    ("ask", None),
    ("pass", False),
    ("answer",),
    ("answer", 1),
    ("answer", None),
    ("cut",),
    ("cut", -1),
    ("cut", True),
    ("cut", 2**32),
    ("cut", 2**64 - 1),
    ("discard", None),
    ("discard", [CARD]),
    ("discard", (3,)),
    ("discard", (3, 7, 0)),
    ("discard", (-1, 7)),
    ("discard", (2**32, 7)),
    ("discard", (3, -1)),
    ("discard", (3, 108)),
    ("discard", (3, b"7")),
    ("discard", CARD, CARD),
    ("bonus",),
    ("bonus", CARD),
    ("bonus", 109 * [CARD]),
    ("meld",),
    ("meld", PLAY),
    ("meld", [([CARD], None)]),
    ("meld", [([CARD], None, 0)]),
    ("meld", [([CARD], -1, False)]),
    ("meld", [([CARD], 109, False)]),
    ("meld", [([CARD], False, False)]),
    ("meld", [(CARD, None, False)]),
    ("meld", [(*PLAY, 1)]),
    ("meld", 109 * [PLAY]),
    ("take", None),
    ("top", 1),
]

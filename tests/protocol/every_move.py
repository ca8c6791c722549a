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
    *("draw", (), (7,), ("steal",), ("draw", 1), ("ask", None), ("pass", False)),
    *(("answer",), ("answer", 1), ("answer", None)),
    *(("cut",), *(("cut", number) for number in (-1, True, 2**32, 2**64 - 1))),
    *(("discard", card) for card in (None, [CARD], (3,), (3, 7, 0))),
    *(("discard", (slot, 7)) for slot in (-1, 2**32)),
    *(("discard", (3, card)) for card in (-1, 108, b"7")),
    *(("discard", CARD, CARD), ("bonus",), ("bonus", CARD), ("bonus", 109 * [CARD])),
    *(("meld",), ("meld", PLAY), ("meld", 109 * [PLAY]), ("meld", [(*PLAY, 1)])),
    *(("meld", [([CARD], None)]), ("meld", [([CARD], None, 0)]), ("meld", [(CARD, None, False)])),
    *(("meld", [([CARD], onto, False)]) for onto in (-1, 109, False)),
    *(("take", None), ("top", 1)),
]

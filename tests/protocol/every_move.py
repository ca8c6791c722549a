"""A move of every kind, and values of the codec that are no moves."""

from engine import moves
from engine.canasta.deck import CANASTA
from engine.slots import Shown, Slot
from protocol.codec import Encodable
from protocol.move_codec import SLOT_LIMIT

_ACE, _TWO, _LAST = Shown(Slot(0), CANASTA[0]), Shown(Slot(7), CANASTA[1]), CANASTA[-1]
_PLAYS = (
    moves.Play((_ACE, _TWO)),
    moves.Play((Shown(Slot(SLOT_LIMIT), _LAST),), onto=0),
    moves.Play((_TWO,), onto=64, low=True),
)
EVERY_MOVE: tuple[moves.Move, ...] = (
    *(moves.Cut(0), moves.ShowBonus(()), moves.ShowBonus((_ACE, _TWO)), moves.DrawStock()),
    *(moves.TakePile(), moves.TakePile(_PLAYS), moves.TakeTop(()), moves.TakeTop(_PLAYS)),
    *(moves.LayMelds(()), moves.LayMelds(_PLAYS), moves.Discard(_ACE)),
    *(moves.Ask(), moves.Answer(False), moves.Answer(True), moves.Pass()),
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

"""The line of text that makes a move: "take Kh Kd", "meld 7h 7d 7s + Qc Qd 2h", "discard 3s"."""

from engine.moves import (
    Answer,
    Ask,
    Cut,
    Discard,
    DrawStock,
    LayMelds,
    Move,
    Pass,
    Play,
    ShowBonus,
    TakePile,
    TakeTop,
)
from engine.places import Shown


def line_of(move: Move) -> str:
    """The line that makes a move, or lays it out."""
    match move:
        case Cut(number):
            return f"cut {number}"
        case DrawStock():
            return "draw"
        case TakePile(plays) | TakeTop(plays):
            first, *more = (_play_line(play) for play in (_without_top(plays) or (Play(()),)))
            return " + ".join([f"take {first}".strip(), *more])
        case LayMelds((Play(cards, int(onto), low),)):
            return f"add {_codes(cards)} to {onto + 1}{' low' if low else ''}"
        case LayMelds(plays):
            return f"meld {' + '.join(_play_line(play) for play in plays)}"
        case Discard(card):
            return f"discard {card}"
        case Ask():
            return "ask"
        case Answer(yes):
            return "yes" if yes else "no"
        case Pass():
            return "pass"
        case ShowBonus(cards):
            return f"show {_codes(cards)}".strip()


def _without_top(plays: tuple[Play, ...]) -> tuple[Play, ...]:
    """The plays of a taking with the hand's own cards only: the first card is the pile's top."""
    return (Play(plays[0].cards[1:]), *plays[1:]) if plays else ()


def _play_line(play: Play) -> str:
    return _codes(play.cards)


def _codes(cards: tuple[Shown, ...]) -> str:
    return " ".join(str(card) for card in cards)

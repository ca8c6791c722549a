"""A second scorer for Canasta, written only from the tables of the rules."""

from collections import Counter
from collections.abc import Collection
from functools import cache

from engine.moves import Answer, Move
from engine.position import Position
from engine.slots import Slot
from engine.turn import Step
from tests.engine.second_scoring import card_points, closed_cost


class NaiveCanasta:
    """A scorer that notes facts of a round that the table does not show any more at the end."""

    def __init__(self) -> None:
        self.had_melds = False  # had the mover's side melds when their turn began?
        self.questioner: int | None = None  # the player who was told Yes in this turn
        # For each question answered Yes: the seat, its hand, and the melds of its side.
        self.asked: list[tuple[int, tuple[Slot, ...], list[list[str]]]] = []

    def watch(self, before: Position, move: Move) -> None:
        if before.turn.step is Step.DRAW:
            self.questioner = None
            self.had_melds = len(before.laid[before.turn.seat % before.sides].melds) > 0
        if move == Answer(True):
            seat = before.turn.seat
            self.questioner = seat
            melds = before.laid[seat % before.sides].melds
            codes = [[shown.card.code for shown in meld.cards] for meld in melds]
            self.asked.append((seat, before.hands[seat], codes))

    def totals(self, position: Position) -> tuple[int, ...]:
        sides = len(position.totals)
        return tuple(self._side(position, side) for side in range(sides))

    def interrupted(self, position: Position, missing: Collection[int]) -> tuple[int, ...]:
        totals = []
        for side in range(len(position.totals)):
            total = self._table(position, side)
            gone = [seat for seat in missing if seat % len(position.totals) == side]
            if gone:
                total -= closed_cost(position, gone, lambda code: _cost(position, code))
                total -= self._vain(position, side)
            totals.append(total)
        return tuple(totals)

    def _side(self, position: Position, side: int) -> int:
        total = self._table(position, side) - self._vain(position, side)
        for seat in range(side, position.seats, len(position.totals)):
            for slot in position.hands[seat]:
                total -= _cost(position, position.known[slot].card.code)
        if position.closer is not None and position.closer % len(position.totals) == side:
            total += 100 if self.had_melds else 200
        return total

    def _table(self, position: Position, side: int) -> int:
        total = 0
        for meld in position.laid[side].melds:
            codes = [shown.card.code for shown in meld.cards]
            total += sum(card_points(code) for code in codes)
            if len(codes) >= 7:
                total += 300 if any(code == "Jo" or code[0] == "2" for code in codes) else 500
        threes = {0: 0, 1: 100, 2: 200, 3: 300, 4: 800}[len(position.laid[side].bonus)]
        return total + (threes if position.laid[side].melds else -threes)

    def _vain(self, position: Position, side: int) -> int:
        options, cost = dict(position.options.pairs()), 0
        if options["penalties"]:
            faces = {shown.slot: shown.card.code for shown in position.face_up()}
            faces |= {slot: card.card.code for slot, card in position.known.items()}
            for number, (seat, slots, melds) in enumerate(self.asked, 1):
                went_out = seat == position.closer == self.questioner and number == len(self.asked)
                if seat % len(position.totals) == side and not went_out:
                    if not faces.keys() >= set(slots):  # a closed hand (X24)
                        cost += 100
                        continue
                    held = [faces[slot] for slot in slots]
                    canastas = 2 if options["two_canastas"] and position.seats == 2 else 1
                    least = 0 if melds else _least(position.totals[side])
                    cost += 0 if could_go_out(held, melds, canastas, least) else 100
        return cost


def _cost(position: Position, code: str) -> int:
    if code in ("3h", "3d"):
        return 500 if dict(position.options.pairs())["penalties"] else 100
    return card_points(code)


def _least(total: int) -> int:
    return 15 if total < 0 else 50 if total < 1500 else 90 if total < 3000 else 120


def could_go_out(held: list[str], melds: list[list[str]], canastas: int, least: int) -> bool:
    """Return True if all cards of `held`, or all but one, can be laid.

    Every distribution of the wild cards among the melds is tried.
    """
    if any(code in ("3h", "3d") for code in held):
        return False
    for left in (None, *range(len(held))):
        laid = [code for number, code in enumerate(held) if number != left]
        if sum(map(card_points, laid)) >= least and _all_laid(laid, melds, canastas):
            return True
    return False


def _all_laid(laid: list[str], melds: list[list[str]], canastas: int) -> bool:
    wild = sum(code == "Jo" or code[0] == "2" for code in laid)
    there = Counter({_rank(meld): len(meld) for meld in melds})
    wild_there = Counter({_rank(meld): sum(map(_is_wild, meld)) for meld in melds})
    added = Counter(code[0] for code in laid if not _is_wild(code))
    ranks = tuple(sorted({*there, *added}))

    @cache
    def fits(number: int, wilds: int, wanted: int) -> bool:
        if number == len(ranks):
            return wilds == 0 and wanted <= 0
        rank = ranks[number]
        for more in range(min(wilds, 3) + 1):
            in_it = wild_there[rank] + more
            size = there[rank] + added[rank] + more
            if _is_meld(rank, size - in_it, in_it) and fits(
                number + 1, wilds - more, wanted - (size >= 7)
            ):
                return True
        return False

    return fits(0, wild, canastas)


def _is_wild(code: str) -> bool:
    return code == "Jo" or code[0] == "2"


def _rank(meld: list[str]) -> str:
    return next(code[0] for code in meld if not _is_wild(code))


def _is_meld(rank: str, naturals: int, wilds: int) -> bool:
    if rank == "3":
        return (naturals, wilds) in ((3, 0), (4, 0), (2, 1))
    enough = naturals >= 2 and naturals + wilds >= 3 and wilds <= 3
    return enough and (naturals + wilds > 3 or wilds <= 1)

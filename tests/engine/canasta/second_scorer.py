"""A second scorer for Canasta, written only from the tables of the rules."""

from collections import Counter
from functools import cache

from engine.moves import Answer, Move
from engine.position import Position
from engine.slots import Slot
from engine.turn import Step
from tests.engine.second_scoring import RED_THREES, NaiveScorer, card_points, codes_in, is_wild


class NaiveCanasta(NaiveScorer):
    """A scorer that notes facts of a round that the table does not show any more at the end."""

    def __init__(self) -> None:
        self.had_melds = False  # had the mover's side melds when their turn began?
        self.questioner: int | None = None  # the player who was told Yes in this turn
        # For each question answered Yes: the seat, its hand, and the melds of its side.
        self.asked: list[tuple[int, tuple[Slot, ...], list[list[str]]]] = []

    def watch(self, before: Position, move: Move) -> None:
        seat = before.turn.seat
        melds = before.laid[seat % before.sides].melds
        if before.turn.step is Step.DRAW:
            self.questioner = None
            self.had_melds = len(melds) > 0
        if move == Answer(True):
            self.questioner = seat
            self.asked.append((seat, before.hands[seat], list(map(codes_in, melds))))

    def totals(self, position: Position) -> tuple[int, ...]:
        return tuple(
            points - self._vain(position, side)
            for side, points in enumerate(super().totals(position))
        )

    def closed(self, position: Position, seats: list[int]) -> int:
        if not seats:
            return 0
        return super().closed(position, seats) + self._vain(position, seats[0] % position.sides)

    def bonus(self, position: Position) -> int:
        del position
        return 100 if self.had_melds else 200

    def cost(self, position: Position, code: str) -> int:
        if code in RED_THREES:
            return 500 if dict(position.options.pairs())["penalties"] else 100
        return card_points(code)

    def table(self, position: Position, side: int) -> int:
        total = 0
        for meld in position.laid[side].melds:
            codes = codes_in(meld)
            total += sum(map(card_points, codes))
            if len(codes) >= 7:
                total += 300 if any(map(is_wild, codes)) else 500
        threes = {0: 0, 1: 100, 2: 200, 3: 300, 4: 800}[len(position.laid[side].bonus)]
        return total + (threes if position.laid[side].melds else -threes)

    def _vain(self, position: Position, side: int) -> int:
        """Return what the vain questions of a side cost (C97a)."""
        options, cost = dict(position.options.pairs()), 0
        if not options["penalties"]:
            return 0
        faces = {shown.slot: shown.card.code for shown in position.face_up()}
        faces |= {slot: card.card.code for slot, card in position.known.items()}
        for number, (seat, slots, melds) in enumerate(self.asked, 1):
            went_out = seat == position.closer == self.questioner and number == len(self.asked)
            if seat % position.sides == side and not went_out:
                canastas = 2 if options["two_canastas"] and position.seats == 2 else 1
                least = 0 if melds else _least(position.totals[side])
                closed = not faces.keys() >= set(slots)  # X24
                held = [] if closed else [faces[slot] for slot in slots]
                cost += 100 * (closed or not could_go_out(held, melds, canastas, least))
        return cost


def _least(total: int) -> int:
    return 15 if total < 0 else 50 if total < 1500 else 90 if total < 3000 else 120


def could_go_out(held: list[str], melds: list[list[str]], canastas: int, least: int) -> bool:
    """Return True if all cards of `held`, or all but one, can be laid.

    Every distribution of the wild cards among the melds is tried.
    """
    if any(code in RED_THREES for code in held):
        return False
    for left in (None, *range(len(held))):
        laid = [code for number, code in enumerate(held) if number != left]
        if sum(map(card_points, laid)) >= least and _all_laid(laid, melds, canastas):
            return True
    return False


def _all_laid(laid: list[str], melds: list[list[str]], canastas: int) -> bool:
    wild = sum(map(is_wild, laid))
    there = Counter({_rank(meld): len(meld) for meld in melds})
    wild_there = Counter({_rank(meld): sum(map(is_wild, meld)) for meld in melds})
    added = Counter(code[0] for code in laid if not is_wild(code))
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


def _rank(meld: list[str]) -> str:
    return next(code[0] for code in meld if not is_wild(code))


def _is_meld(rank: str, naturals: int, wilds: int) -> bool:
    if rank == "3":
        return (naturals, wilds) in ((3, 0), (4, 0), (2, 1))
    enough = naturals >= 2 and naturals + wilds >= 3 and wilds <= 3
    return enough and (naturals + wilds > 3 or wilds <= 1)

"""Laying cards on the table in Kanastic: melds, openings, and cards that one must keep."""

from engine.errors import IllegalMove
from engine.kanastic.constants import LARGEST_RANK_MELD, Stage, is_wild, points_of
from engine.kanastic.golden_suit_runs import meets
from engine.kanastic.melds import check_no_low_end, extended, is_canasta, is_complete, new_meld
from engine.melds import Meld
from engine.moves import Play
from engine.sentences import Sentence
from engine.slots import cards_of


def melds_after(
    melds: tuple[Meld, ...], plays: tuple[Play, ...], *, distinct_suits: bool
) -> tuple[Meld, ...]:
    """Return a side's melds with `plays` laid, or raise IllegalMove."""
    if not plays:
        raise IllegalMove("K30", "Melding takes at least one meld.")
    after = list(melds)
    for play in plays:
        if play.onto is None:
            check_no_low_end(play.low)
            meld = new_meld(play.cards, distinct_suits=distinct_suits)
            # Golden suits have no rank, so a side may have several of them.
            if same := next((m for m in after if m.rank and m.rank is meld.rank), None):
                raise _second_of_rank(full=len(same.cards) >= LARGEST_RANK_MELD)
            after.append(meld)
        # `melds` and not `after`: cards join only melds that lay on the table before the move. All
        # cards of a new meld are laid in one play.
        elif 0 <= play.onto < len(melds):
            after[play.onto] = extended(after[play.onto], play.cards, low=play.low)
        else:
            raise IllegalMove("K36", "There is no such meld on one's own side.")
    return tuple(after)


def _second_of_rank(*, full: bool) -> IllegalMove:
    if full:
        return IllegalMove("K33", "The side has a meld of that rank, and there is no room in it.")
    return IllegalMove("K33", "The side has a meld of that rank already; add to it.")


def check_opening(melds: tuple[Meld, ...], stage: Stage) -> None:
    """Raise IllegalMove unless a side's first melds, laid in one move, meet its stage (K43-K51)."""
    if any(meets(meld, stage) for meld in melds):
        return  # K51a: then K49 does not limit the wild cards
    cards = [card for meld in melds for card in cards_of(meld.cards)]
    if stage.wilds is not None and sum(map(is_wild, cards)) > stage.wilds:
        raise IllegalMove(
            "K49",
            Sentence.counted(
                "In stage {stage} the first melds have at most {n} wild card.",
                "In stage {stage} the first melds have at most {n} wild cards.",
                stage.wilds,
                stage=stage.name,
            ),
        )
    if stage.points is None:
        if not any(map(is_canasta, melds)):
            raise IllegalMove("K50", "In stage IV one opens with a canasta or a golden suit.")
    elif points_of(cards) < stage.points:
        raise IllegalMove(
            "K44",
            "The first melds take {points} points in stage {stage}, and these cards have {held}.",
            points=stage.points,
            stage=stage.name,
            held=points_of(cards),
        )


def check_rest(left: int, melds: tuple[Meld, ...], *, denied: bool, receives: bool) -> None:
    """Raise IllegalMove unless the mover keeps a card to discard after melding (K79, K96).

    `left` cards remain in hand. If only one remains, its discard ends the round, so the mover must
    be allowed to go out. But if `receives`, a taken pile comes into the hand after the discard, and
    the round goes on (K74). `denied` is True if the partner said No.
    """
    if left == 0:
        raise IllegalMove(
            "K96", "The last card must be discarded, so a card must stay in the hand."
        )
    if left == 1 and not receives:
        check_going_out(melds, denied=denied)


def check_going_out(melds: tuple[Meld, ...], *, denied: bool) -> None:
    """Raise IllegalMove unless the side may go out (K97, K99).

    The side needs a canasta or a golden suit, and the mover's partner must not have said No.
    """
    if denied:
        raise IllegalMove("K99", "The partner said No: one does not go out in this turn.")
    if not any(map(is_complete, melds)):
        raise IllegalMove(
            "K97",
            "Without a canasta or a golden suit one cannot go out, "
            "so a card must stay in the hand after the discard.",
        )

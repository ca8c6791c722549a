"""Moves that `candidates` tries and `legal_moves` offers, for hands with few legal moves."""

from attrs import evolve

from engine.cards import Rank
from engine.like_melds.sorted_hand import SortedHand
from engine.moves import DrawStock, LayMelds, TakePile, plays_of
from engine.slots import by_rank, cards_of
from engine.turn import Step
from tests.engine.positions import Table, canasta_table

CANASTA = "Qs Qd Qh Qc Qs Qd Qh"


def holding(hand: str, *melds: str, **more: object) -> Table:
    return canasta_table(seats=2, hands=[hand], melds=[melds], **more)  # type: ignore[arg-type]


def tried(table: Table, kind: type[LayMelds | TakePile]) -> list[LayMelds | TakePile]:
    return [move for move in table.position.candidates() if isinstance(move, kind)]


def test_pairs_that_join_melds_are_laid_in_one_move_without_wild_cards() -> None:
    table = holding("9c 9d 8c 8d", "9s 9s 9h 9h 9d 2s 2c", "8s 8s 8h")
    assert table.offers(table.lay(table.play("9c 9d", onto=0), table.play("8c 8d", onto=1)))


def test_two_pairs_with_a_wild_card_each_are_laid_in_one_move() -> None:
    table = holding("5s 5d 2h 8s 8d 2d 4c", CANASTA)
    assert table.offers(table.lay("5s 5d 2d", "8s 8d 2h"))
    one_pair = holding("5s 5d 2h 8s 8d 8c 4c 4d", CANASTA)
    assert not one_pair.offers(one_pair.lay("5s 5d 2h", "8s 8d 8c", "4c 4d"))
    assert one_pair.offers(one_pair.lay("5s 5d 2h"))


def test_a_pair_and_three_of_a_kind_are_laid_in_one_move() -> None:
    table = holding("5s 5d 2h 8s 8d 8c", CANASTA)
    assert table.offers(table.lay("5s 5d 2h", "8s 8d 8c"))


def test_no_opening_is_tried_that_leaves_too_few_cards() -> None:
    """Without a canasta, two cards must be kept: one to discard and one to hold (C85)."""
    assert not tried(holding("9s 9d 9h Ts Td Th 7c"), LayMelds)
    assert len(tried(holding("9s 9d 9h Ts Td Th 7c 6c"), LayMelds)) == 1
    for more, number in {"": 0, "6c": 1}.items():
        table = holding(f"9s 9d Ts Td Th {more}", pile="7c 9h", step=Step.DRAW)
        assert len(tried(table, TakePile)) == number


def test_all_cards_but_one_are_laid_when_taking_a_pile_of_two() -> None:
    table = holding("Kd Ks Qc 5s 5d 5h", CANASTA, pile="4c Kh", step=Step.DRAW)
    lay = ("^ Kd Ks", table.play("Qc", onto=0), "5s 5d 5h")
    assert table.offers(table.take(*lay))


def test_only_one_meld_is_laid_when_taking_a_pile_of_three() -> None:
    """No more melds are tried in the same move: the cards of the hand can be laid afterwards."""
    table = holding("Ks Kd 2h 2d 2c 2s", CANASTA, pile="4c 6c Kh", step=Step.DRAW)
    takings = [move for move in table.moves if isinstance(move, TakePile)]
    assert {len(move.plays) for move in takings} == {1}


def test_without_a_pile_the_only_move_is_to_draw() -> None:
    assert holding("Ks Kd Kh", CANASTA, step=Step.DRAW).moves == (DrawStock(),)


def test_a_kept_red_three_does_not_prevent_melds() -> None:
    """After the melds, the red three and a card to discard stay in the hand."""
    table = holding("8s 8d 8c 5s 5d 5h 4c 3h", CANASTA)
    assert table.offers(table.lay("8s 8d 8c", "5s 5d 5h"))


def test_c69_two_black_threes_with_a_wild_card_are_laid_beside_others() -> None:
    table = holding("3s 3c 2h 8s 8d 8h 9c", CANASTA)
    assert table.offers(table.lay("3s 3c 2h", "8s 8d 8h"))


def test_going_out_is_not_offered_if_a_wild_card_finds_no_room() -> None:
    melds = ("9s 9s 9h 9h 9d 9d", "8s 8s 8h 8h 8d Jo")
    table = holding("8c Jo Jo Jo 2s 2d 2h 2h", *melds)
    assert {len(plays_of(move)) for move in table.moves if isinstance(move, LayMelds)} == {1}


def test_no_opening_with_wild_cards_leaves_too_few_cards() -> None:
    for more, number in {"": 0, "6c": 1}.items():
        table = holding(f"9s 9d 2h Ts Td 2d Ks Kd 2c 7c {more}", totals=[3000])
        assert len(tried(table, LayMelds)) == number


def test_each_without_one_keeps_pairs_that_fit_no_meld() -> None:
    """The kings stay a pair; the side has a meld of nines, so one of these may be left out."""
    position = holding("Ks Kd 9s 9d 5c 7c 7d 7h 2h Jo").position
    hand = SortedHand.of(by_rank(position.hand(position.turn.seat)))
    left_out = []
    for each in hand.each_without_one({Rank.NINE}):
        assert each.size == hand.size - 1
        left = [*each.twos, *each.jokers]
        for alike in each.ranks.values():
            left += alike
        left_out += [c.rank for c in cards_of(position.hand(position.turn.seat))]
        for card in cards_of(left):
            left_out.remove(card.rank)
    assert sorted(left_out) == [Rank.TWO, Rank.FIVE, Rank.SEVEN, Rank.NINE, Rank.JOKER]


def test_three_wild_cards_finish_a_meld_while_another_is_laid() -> None:
    table = holding("2h 2d 2c 8s 8d 8h 4c", "9s 9s 9h 9h")
    assert table.offers(table.lay(table.play("2h 2d 2c", onto=0), "8s 8d 8h"))


def test_c69_black_threes_are_offered_if_the_last_card_completes_a_canasta() -> None:
    """All players know the queen, which stays for the next move: it came from the pile."""
    table = holding("3s 3c 3s Qc", "Qs Qd Qh Qc Qs Qd")
    (queen,) = table.hand("Qc")
    table = evolve(table, position=evolve(table.position, known={queen.slot: queen}))
    assert table.offers(table.lay("3s 3c 3s"))


def test_wild_cards_without_room_in_a_finished_meld_go_to_the_next() -> None:
    table = holding("2h 2d 2c 2s 4c", "9s 9s 9h 9h", "8s 8s 8h")
    finished = table.play("2c 2d 2h", onto=0)
    assert table.offers(table.lay(finished, table.play("2s", onto=1)))

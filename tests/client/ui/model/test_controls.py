"""A person's actions at the table, and the notices for those that are not sent."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from attrs import evolve

from client.ui.model.controls import Controls
from client.ui.model.hand import Sorting
from engine.errors import IllegalMove
from engine.moves import Answer, Cut, Discard, DrawStock, LayMelds, Move, ShowBonus, TakePile
from engine.turn import Step
from tests.client.plain_seat import snapshot_at
from tests.engine.positions import Table, codes_of, table_of


class Sent:
    """Controls of a table in a situation, and what they send."""

    def __init__(self, game: str, table: Table, me: int = 0) -> None:
        self.moves: list[tuple[Move, ...]] = []
        self.table = table
        self.controls = Controls(self._send)
        self.snapshot = snapshot_at(game, table, me=me)
        self.controls.show(self.snapshot)

    def _send(self, *moves: Move) -> None:
        self.moves.append(moves)

    @property
    def clause(self) -> str | None:
        return self.controls.notice.clause if self.controls.notice else None

    @property
    def text(self) -> str:
        return self.controls.notice.text if self.controls.notice else ""


def playing(**changes: object) -> Sent:
    fields = {"hands": ["7h 7d 7s Kc Ks Kh 9c"], "totals": [0, 0], **changes}
    return Sent("canasta", table_of("canasta", **fields))  # type: ignore[arg-type]


def drawing(**changes: object) -> Sent:
    return playing(step=Step.DRAW, pile="5h", **changes)


def test_a_legal_move_is_sent() -> None:
    sent = drawing()
    sent.controls.draw()
    assert sent.moves == [(DrawStock(),)]
    assert sent.controls.notice is None


def test_a_second_move_waits_until_the_first_is_in_the_record() -> None:
    sent = drawing()
    sent.controls.draw()
    sent.controls.draw()
    assert sent.moves == [(DrawStock(),)]
    assert "on its way" in sent.text
    sent.controls.show(evolve(sent.snapshot, state=evolve(sent.snapshot.state, head=bytes(32))))
    sent.controls.draw()
    assert len(sent.moves) == 2


def test_what_the_rules_forbid_is_said_with_its_clause_and_not_sent() -> None:
    sent = drawing()
    sent.controls.discard()
    assert (sent.clause, sent.moves) == ("X10", [])
    sent = playing()
    sent.controls.discard(*sent.table.hand("7h"))
    assert sent.moves
    sent = playing(hands=["9c"])
    sent.controls.discard()
    assert (sent.clause, sent.moves) == ("C70", [])


def test_nothing_is_sent_when_it_is_another_ones_turn() -> None:
    sent = Sent("canasta", table_of("canasta", hands=["7h 7d", "Kc Ks"], seat=1, step=Step.DRAW))
    sent.controls.draw()
    assert sent.moves == []
    assert sent.text == "It is not your turn: Bruno is next."
    sent.controls.show(evolve(sent.snapshot))
    assert sent.text == "It is not your turn: Bruno is next.", "nobody has moved"
    sent.controls.show(evolve(sent.snapshot, state=evolve(sent.snapshot.state)))
    assert sent.text == "", "somebody has"


def test_the_selected_cards_are_laid_out_and_sent_as_one_move() -> None:
    sent = playing(hands=["Ah Ad As Kc Ks Kh 9c 9d"])
    controls = sent.controls
    for codes in ("Ah Ad As", "Kc Ks Kh"):
        for shown in sent.table.hand(codes):
            controls.toggle(shown.slot)
        controls.meld()
    assert sent.moves == [], "nothing leaves before it is sent"
    controls.send_staged()
    assert sent.moves == [(sent.table.lay("As Ah Ad", "Ks Kh Kc"),)]


def test_an_opening_too_small_is_not_sent() -> None:
    sent = playing()
    sent.controls.meld(sent.table.hand("7h 7d 7s"))
    sent.controls.send_staged()
    assert (sent.clause, sent.moves) == ("C37", [])


def test_a_click_on_a_card_that_was_just_laid_out_selects_it_while_no_other_is_left() -> None:
    """The screen may still show it: the click came before it was drawn anew."""
    sent = playing(hands=["7h 7d 7s"])
    cards = sent.table.hand("7h 7d 7s")
    sent.controls.meld(cards)
    assert sent.controls.hand is not None
    assert sent.controls.hand.under_cursor is None
    sent.controls.toggle(cards[0].slot)
    sent.controls.toggle()


def test_a_refusal_to_lay_out_stays_when_nothing_is_there_to_be_sent() -> None:
    sent = playing()
    sent.controls.meld(sent.table.hand("7h 7d"))
    refused = sent.text, sent.clause
    assert sent.clause is not None
    sent.controls.send_staged()
    assert (sent.text, sent.clause) == refused
    sent.controls.undo()
    sent.controls.send_staged()
    assert sent.text == "Nothing is laid out. Select cards, and meld them."


def test_a_discard_sends_what_is_laid_out_first() -> None:
    sent = playing(hands=["Ah Ad As Kc Ks Kh 9c 9d"])
    sent.controls.meld(sent.table.hand("Ah Ad As"))
    sent.controls.discard(*sent.table.hand("9c"))
    ((first, second),) = sent.moves
    assert isinstance(first, LayMelds)
    assert second == sent.table.discard("9c")


def test_a_discard_after_melds_that_cannot_be_sent_stays() -> None:
    sent = playing()
    sent.controls.meld(sent.table.hand("7h 7d 7s"))
    sent.controls.discard(*sent.table.hand("9c"))
    assert (sent.clause, sent.moves) == ("C37", [])


def test_cards_that_fit_several_melds_ask_for_a_number() -> None:
    sent = playing(hands=["2h 9c 5d"], melds=[["Qh Qd Qs", "8h 8d 8s"]])
    sent.controls.meld(sent.table.hand("2h"))
    assert sent.text == "Which meld? Press its number: 1, 2."
    sent.controls.add(2, sent.table.hand("2h"))
    assert sent.controls.hand is not None
    assert codes_of(sent.controls.hand.staging.melds[1].cards) == "8h 8d 8s 2h"
    sent.controls.add(7, sent.table.hand("9c"))
    assert sent.text == "There is no meld 7 on your side."


def giving() -> Sent:
    """Return a table whose next side has nines, and may take the pile with another one."""
    return playing(hands=["9c Qc 5d 5h"], melds=[["6h 6d 6s"], ["9h 9d 9s"]], pile="4h 4d 5h")


def test_a_discard_that_gives_the_pile_away_is_sent_when_it_is_asked_for_twice() -> None:
    sent = giving()
    card = sent.table.hand("9c")[0]
    sent.controls.discard(card)
    assert sent.moves == []
    assert sent.text.startswith("The next player can take the pile with it: 4 cards.")
    sent.controls.discard(card)
    assert sent.moves == [(Discard(card),)]


def test_a_warning_does_not_serve_after_something_else_was_said() -> None:
    sent = giving()
    (nine,) = sent.table.hand("9c")
    sent.controls.discard(nine)
    sent.controls.draw()
    sent.controls.discard(nine)
    assert sent.moves == []


def test_nobody_is_warned_of_a_pile_that_cannot_be_taken_with_the_card() -> None:
    """The pile is frozen for the next side, which has not opened.

    In Kanastic a rank that lies on the table is no help in taking the pile (K65).
    """
    frozen = playing(hands=["9c Qc 5d 5h"], melds=[["6h 6d 6s"], []], pile="4h 4d 5h")
    frozen.controls.discard(*frozen.table.hand("9c"))
    assert len(frozen.moves) == 1
    table = table_of(
        "kanastic", hands=["9c Qc 5d 5h"], melds=[["6h 6d 6s"], ["9h 9d 9s"]], pile="4h 4d 5h"
    )
    kanastic = Sent("kanastic", table)
    kanastic.controls.discard(*table.hand("9c"))
    assert len(kanastic.moves) == 1


def test_a_card_that_is_not_selected_is_discarded_by_a_second_press() -> None:
    sent = playing(hands=["9c Qc 5d 5h"])
    sent.controls.discard()
    assert sent.moves == []
    assert "which is not selected" in sent.text
    sent.controls.move_cursor(1)
    assert sent.text == "", "nobody is asked about a card that is not meant any more"
    sent.controls.discard()
    assert sent.moves == [], "that is another card"
    sent.controls.discard()
    assert len(sent.moves) == 1


@pytest.mark.parametrize("act", [Controls.toggle, Controls.sort, partial(Controls.shift, by=1)])
def test_a_question_ends_when_another_card_may_be_meant(act: Callable[[Controls], None]) -> None:
    sent = playing(hands=["9c Qc 5d 5h"])
    sent.controls.discard()
    act(sent.controls)
    assert sent.text == ""


def test_nobody_is_asked_whether_they_mean_their_last_card() -> None:
    """Neither where they hold one card, nor where all others are laid out."""
    complete = [["6h 6d 6s 6c 6h 6d 6s"], []]
    sent = playing(hands=["9c"], melds=complete)
    sent.controls.discard()
    assert sent.moves == [(sent.table.discard("9c"),)]
    sent = playing(hands=["9c Kd Ks Kh"], melds=complete)
    sent.controls.meld(sent.table.hand("Kd Ks Kh"))
    sent.controls.discard()
    assert len(sent.moves) == 1


@pytest.mark.parametrize(
    ("game", "said", "fields"),
    [
        (
            "canasta",
            "Select or name A♥ A♦: with them you can take the pile. Your side opens with 50.",
            {"hands": ["Ah Ad Kc 9c"], "pile": "5d As"},
        ),
        (
            "canasta",
            (
                "Lay out K♠ K♥ K♣ first, then select or name 8♥ 8♦ to take the pile. Your side "
                "opens with 50."
            ),
            {"hands": ["8h 8d Kc Ks Kh 9c"], "pile": "5d 8s"},
        ),
        (
            "canasta",
            "Opening takes 50 points, and these cards have 30. [C37]",
            {"hands": ["8h 8d 9c"], "pile": "5d 8s"},
        ),
        (
            "canasta",
            (
                "Taking the 8♠ needs two more of its rank from the hand: the side has not "
                "opened. [C45]"
            ),
            {"hands": ["8h Kd 9c"], "pile": "5d 8s"},
        ),
        (
            "canasta",
            "Select or name 8♥ 2♦: with them you can take the pile.",
            {"hands": ["8h 2d 9c"], "pile": "5d 8s", "melds": [["6h 6d 6s"], []]},
        ),
        (
            "canasta",
            "A pile with a 2♠ on top cannot be taken. [C50]",
            {"hands": ["2h 2d 9c"], "pile": "5d 2s"},
        ),
        (
            "kanastic",
            "Select or name 8♥ 8♦: with them you can take the pile.",
            {"hands": ["8h 8d 9c 6c 6d 6h 7c 7d"], "pile": "5d 9h 8s", "melds": [["6h 6d 6s"], []]},
        ),
    ],
)
def test_who_wants_the_pile_and_selects_nothing_is_told_what_takes_it(
    game: str, said: str, fields: dict[str, Any]
) -> None:
    table = table_of(game, **{"step": Step.DRAW, "stock": "+40", "totals": [0, 0], **fields})
    sent = Sent(game, table)
    sent.controls.take()
    assert sent.moves == []
    assert sent.text + (f" [{sent.clause}]" if sent.clause else "") == said


def test_cards_that_are_taken_back_are_selected_again() -> None:
    sent = playing(hands=["Ah Ad As Kc Ks Kh 9c 9d"])
    sent.controls.meld(sent.table.hand("Ah Ad As"))
    sent.controls.undo()
    assert sent.controls.hand is not None
    assert codes_of(sent.controls.hand.chosen) == "As Ah Ad"


def test_going_out_over_a_full_hand_of_the_partner_is_warned_of() -> None:
    melds = [["6h 6d 6s 6c 6h 6d 6s"], []]
    table = table_of("canasta", hands=["6c", "", "5d 5h 5s 7c 7d", "4c 4d"], melds=melds)
    sent = Sent("canasta", table)
    sent.controls.discard()
    assert sent.moves == []
    assert "your partner holds 5 cards" in sent.text
    allowed = evolve(
        table,
        position=evolve(table.position, turn=evolve(table.position.turn, asked=True, answer=True)),
    )
    sent = Sent("canasta", allowed)
    sent.controls.discard(*table.hand("6c"))
    assert len(sent.moves) == 1, "the partner has said Yes"


def test_bonus_cards_are_laid_without_being_asked_for() -> None:
    sent = Sent("canasta", table_of("canasta", hands=["3h 7d 3d"], step=Step.SHOW))
    ((move,),) = sent.moves
    assert isinstance(move, ShowBonus)
    assert codes_of(move.cards) == "3h 3d"


def test_the_same_news_twice_lays_bonus_cards_once() -> None:
    sent = Sent("canasta", table_of("canasta", hands=["3h 7d"], step=Step.SHOW))
    sent.controls.show(sent.snapshot)
    assert len(sent.moves) == 1


def test_without_dealt_bonus_cards_the_answer_is_none() -> None:
    sent = Sent("canasta", table_of("canasta", hands=["7d"], step=Step.SHOW))
    assert sent.moves == [(ShowBonus(()),)]


def test_a_drawn_bonus_card_is_laid_and_a_kept_one_is_not() -> None:
    table = table_of("canasta", hands=["3h 7d"], step=Step.PLAY)
    kept = Sent("canasta", table)
    assert kept.moves == []
    (three,) = table.hand("3h")
    turn = evolve(table.position.turn, drawn=(three.slot,))
    drawn = Sent("canasta", evolve(table, position=evolve(table.position, turn=turn)))
    assert drawn.moves == [(ShowBonus((three,)),)]


def test_the_deck_is_cut_in_the_middle_or_where_one_says() -> None:
    for number, where in ((None, 50), (3, 3)):
        sent = Sent("canasta", table_of("canasta", stock="+100", step=Step.CUT))
        sent.controls.cut(number)
        assert sent.moves == [(Cut(where),)]
    sent = Sent("canasta", table_of("canasta", stock="+100", step=Step.CUT))
    sent.controls.cut(500)
    assert (sent.clause, sent.moves) == ("C10", [])


def test_a_partner_is_answered() -> None:
    table = table_of(
        "canasta", hands=["7d", "", "9c 9d 9h", ""], seat=2, step=Step.ANSWER, turn={"asked": True}
    )
    sent = Sent("canasta", table)
    sent.controls.answer(False)
    assert sent.moves == [(Answer(False),)]


def test_the_pile_of_canastra_is_taken_at_once() -> None:
    table = table_of("canastra", seats=2, hands=["4h 5h"], pile="9c", step=Step.DRAW)
    sent = Sent("canastra", table)
    sent.controls.take()
    assert sent.moves == [(TakePile(),)]


def test_sorting_alternates_and_stays() -> None:
    sent = playing()
    seen = []
    for _ in range(3):
        sent.controls.sort()
        seen.append(sent.controls.sorting)
    assert seen == [Sorting.SUIT, Sorting.RANK, Sorting.SUIT]


def test_a_move_that_came_too_late_is_told_and_may_be_made_again() -> None:
    sent = drawing()
    sent.controls.draw()
    sent.controls.refuse(IllegalMove("X10", "It is the moment to wait."))
    assert sent.clause == "X10"
    sent.controls.draw()
    assert len(sent.moves) == 2


def test_the_turn_is_announced_once_when_it_begins() -> None:
    rung: list[int] = []
    table = table_of("canasta", hands=["7h 7d"], step=Step.DRAW)
    controls = Controls(lambda *_: None, on_turn=lambda: rung.append(1))
    for _ in range(2):
        controls.show(snapshot_at("canasta", table))
    assert rung == [1]
    other = table_of("canasta", hands=["7h 7d", "Kc"], seat=1, step=Step.DRAW)
    controls.show(snapshot_at("canasta", other))
    assert rung == [1]


def test_without_a_desk_every_control_is_harmless() -> None:
    controls = Controls(lambda *_: None)
    for action in (
        controls.draw,
        controls.take,
        controls.meld,
        controls.discard,
        controls.ask,
        controls.cut,
        controls.undo,
        controls.undo_all,
        controls.sort,
        controls.toggle,
        controls.unselect,
        controls.send_staged,
    ):
        action()
    controls.move_cursor(1)
    controls.shift(1)
    controls.add(1)

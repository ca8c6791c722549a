"""The parts that keep their place on the table's screen, whatever the window and the names."""

import pytest
from attrs import evolve

from client.i18n.language import LANGUAGES, choose_language
from client.session.display.snapshot import LogLine, Snapshot
from client.ui.model.command_words import own_key
from client.ui.model.pages import Page
from client.ui.tui.toolkit.glyphs import ASCII, UNICODE, Glyphs
from engine.kanastic.position import KanasticPosition
from engine.slots import Seat
from engine.turn import Step
from tests.client.plain_seat import NAMES, snapshot_at, state_of
from tests.client.ui.tui.golden import SIZES, table_on
from tests.client.ui.tui.situations import (
    LOG,
    RIGHT,
    canasta,
    canasta_barred,
    canasta_for_six,
    canasta_opening,
    canasta_playing,
    kanastic,
    kanastic_begun,
    kanastic_blocked,
)
from tests.engine.canastra.canastra_tables import canastra_table
from tests.engine.positions import Table, table_of

FORCED = table_of(
    "canasta", hands=["7h 7d Kc"], melds=[["5c 5d 5s"]], pile="5h", stock="", step=Step.DRAW
)
"""A position without stock whose top joins an own meld: the pile must be taken (C88)."""


@pytest.mark.parametrize(
    ("table", "words"),
    [
        (kanastic_begun(), "blocked until Bruno plays"),
        (canasta_playing(), "free"),
        (canasta(), "frozen"),
        (table_of("canasta", hands=["7h 7d"], pile="5h", step=Step.DRAW), "frozen until you open"),
        (canasta_barred(me_next=True), "blocked until you play"),
        (canasta_barred(me_next=False), "blocked until Bruno plays"),
    ],
)
async def test_the_state_of_the_pile_is_told(table: Table, words: str) -> None:
    game = "kanastic" if isinstance(table.position, KanasticPosition) else "canasta"
    with table_on(snapshot_at(game, table)) as (hands, _):
        assert f"╰────╯ {words}  " in hands.screen


@pytest.mark.parametrize("language", list(LANGUAGES))
async def test_the_hints_of_keys_have_room_in_every_language(language: str) -> None:
    choose_language(language)
    with table_on(snapshot_at("canasta", canasta_opening())) as (hands, screen):
        hands.press(7 * RIGHT + " " + RIGHT + " " + RIGHT + " " + own_key("m"))
        notice = screen.window.controls.notice
        assert notice is not None
        assert notice.clause is not None
        line = hands.screen.splitlines()[-1]
        assert "~" not in line
        keys = (*map(own_key, "xu"), "Enter", "F1", "?")
        assert all(f" {key} " in line for key in keys), line


async def test_the_keys_of_the_moment_are_those_that_do_something() -> None:
    complete = [["6h 6d 6s 6c 6h 6d 6s"], []]
    closing = table_of("canasta", hands=["7h 7d 7s Kc"], melds=complete, step=Step.PLAY)
    two = table_of("canasta", seats=2, hands=["7h 7d 7s Kc"], melds=complete, step=Step.PLAY)
    bare = table_of("canasta", hands=["7h 7d Kc"], pile="", stock="", step=Step.DRAW)
    for game, table, offered, not_offered in (
        ("canasta", canasta_playing(), ("m meld", "h hint"), ("d draw", "p go", "g ask")),
        ("canasta", closing, ("g ask", "m meld"), ("d draw", "p go")),
        ("canasta", two, ("m meld",), ("g ask",)),
        ("kanastic", evolve(kanastic()), ("d draw", "t take"), ("g ask", "m meld")),
        ("canasta", bare, ("p go no further",), ("d draw", "t take")),
        ("canasta", FORCED, ("t take",), ("d draw", "p go no further")),
        ("kanastic", kanastic_blocked(), ("d draw",), ("t take",)),
    ):
        with table_on(snapshot_at(game, table)) as (hands, _):
            line = hands.screen.splitlines()[-1]
            assert all(hint in line for hint in offered), line
            assert not any(hint in line for hint in not_offered), line


@pytest.mark.parametrize(
    ("game", "table", "sentence"),
    [
        ("kanastic", kanastic(), "Your turn: draw, or take the pile."),
        ("kanastic", kanastic_blocked(), "Your turn: draw a card."),
        (
            "canasta",
            table_of("canasta", hands=["7h 7d Kc"], pile="", stock="", step=Step.DRAW),
            "Your turn: nothing is left to draw, go no further.",
        ),
        (
            "canasta",
            table_of("canasta", hands=["7h 7d Kc"], pile="5h", stock="", step=Step.DRAW),
            "Your turn: take the pile, or go no further.",
        ),
        (
            "canasta",
            FORCED,
            "Your turn: you must take the pile.",
        ),
    ],
    ids=["free", "blocked", "nothing left", "no stock", "forced"],
)
async def test_the_pile_is_offered_to_whom_it_is_open(
    game: str, table: Table, sentence: str
) -> None:
    with table_on(snapshot_at(game, table)) as (hands, _):
        assert sentence in hands.screen


def row_and_column(screen: str, text: str) -> tuple[int, int]:
    lines = screen.splitlines()
    row = next(number for number, line in enumerate(lines) if text in line)
    return row, lines[row].index(text)


@pytest.mark.parametrize("size", SIZES.values())
@pytest.mark.parametrize("diego", ["Diego", "Diego Maria Alejandr"])
async def test_a_partner_is_named_so_also_among_six(size: tuple[int, int], diego: str) -> None:
    """This holds even if the partner deals, and in the smallest window."""
    table = canasta_for_six()
    table = evolve(table, position=evolve(table.position, dealer=Seat(3)))
    snapshot = snapshot_at("canasta", table)
    members = [
        evolve(member, signed_name=diego) if member.name == "Diego" else member
        for member in snapshot.state.charter.members
    ]
    charter = evolve(snapshot.state.charter, members=tuple(members))
    snapshot = evolve(snapshot, state=evolve(snapshot.state, charter=charter))
    with table_on(snapshot, *size) as (hands, _):
        (line,) = [line for line in hands.screen.splitlines()[:6] if "Die" in line and "9" in line]
        assert "partner" in line
        assert "Elen" in line


@pytest.mark.parametrize("size", SIZES.values())
async def test_stock_and_pile_never_move(size: tuple[int, int]) -> None:
    """They stay whatever the text about the pile is."""
    places = set()
    for build in (canasta, canasta_opening, canasta_playing):
        with table_on(snapshot_at("canasta", build()), *size) as (hands, _):
            places.add(row_and_column(hands.screen, "╭───╮ ╭────╮"))
    assert len(places) == 1


async def test_an_opening_is_counted_while_cards_are_selected() -> None:
    hand = "Kc Ks Kh 7h 7d 9c"
    table = table_of("canasta", hands=[hand], totals=[0, 0], step=Step.PLAY)
    with table_on(snapshot_at("canasta", table)) as (hands, _):
        hands.press(3 * RIGHT + " " + RIGHT + " " + RIGHT + " ")
        assert "Selected: 30 of 50: 20 short." in hands.screen
        assert "m meld (30/50)" in hands.screen


async def test_enter_is_named_where_it_sends_what_is_laid_out() -> None:
    hand = "Kc Ks Kh 7h 7d 7s As Ad 9c"
    table = table_of("canasta", hands=[hand], totals=[0, 0], step=Step.PLAY)
    with table_on(snapshot_at("canasta", table)) as (hands, _):
        hands.press(" " + RIGHT + " " + RIGHT + " m")
        assert "Laid out: 15 of 50" in hands.screen
        assert "Enter sends it" not in hands.screen
        hands.press("\r")
        assert "[C37]" in hands.screen
    done = table_of("canasta", hands=[hand], totals=[-10, 0], step=Step.PLAY)
    with table_on(snapshot_at("canasta", done)) as (hands, _):
        hands.press(" " + RIGHT + " " + RIGHT + " m")
        assert "Laid out: 15 of 15. Enter sends it." in hands.screen


async def test_the_answer_to_who_would_go_out_stands_there_at_once() -> None:
    for answer, told in ((True, "Your partner says yes"), (False, "Your partner says no")):
        turn = {"asked": True, "answer": answer}
        hands_ = ["7h 7d Kc", "9c", "9d 9h", "4c"]
        table = table_of("canasta", hands=hands_, step=Step.PLAY, turn=turn)
        with table_on(snapshot_at("canasta", table)) as (hands, _):
            assert told in hands.screen


@pytest.mark.parametrize("glyphs", [UNICODE, ASCII])
async def test_a_hostile_log_line_cannot_move_the_cursor_or_colour_the_screen(
    glyphs: Glyphs,
) -> None:
    hostile = "Mal\x1b[2J\x1b[31m\x9b5A\u202elory\r\nnew\x07"
    table = canasta()
    with table_on(snapshot_at("canasta", table, log=(hostile,)), glyphs=glyphs) as (hands, _):
        shown = hands.screen
        assert "Mal?[2J?[31m?5A?lory" in shown
        assert "Canasta" in shown.splitlines()[0]


async def test_a_window_that_is_too_small_says_so() -> None:
    with table_on(snapshot_at("canasta", canasta()), 50, 12) as (hands, _):
        assert "too small" in hands.screen
        hands.emulator.resize(80, 24)
        assert "Ana & Carla" in hands.screen


async def test_many_melds_give_way_and_say_so() -> None:
    ranks = ["4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]
    melds = [f"{rank}h {rank}d {rank}s {rank}c" for rank in ranks]
    table = table_of("canasta", seats=2, hands=["2h 2d"], melds=[melds, melds])
    with table_on(snapshot_at("canasta", table), 60, 18) as (hands, _):
        assert "more melds: make the window higher" in hands.screen
        assert "2♥" in hands.screen.replace(" ", "")


async def test_a_shuffle_shows_how_far_it_is() -> None:
    state = state_of("canasta", 4, NAMES)
    with table_on(Snapshot(state, None, 0, chooses=False)) as (hands, _):
        assert "Ana shuffles and locks the deck" in hands.screen
        assert "0/4" in hands.screen
    after = evolve(state, writers=state.writers[1:])
    with table_on(Snapshot(after, None, 0, chooses=False)) as (hands, _):
        assert "Bruno shuffles and locks the deck  ███░░░░░░░░░ 1/4" in hands.screen


@pytest.mark.parametrize(
    ("card", "plays_it", "marked"),
    [("Qc", "", True), ("9h", "", False), ("Qc", "6h 6d 6s", True)],
    ids=["gives", "does not give", "gives after what is laid out"],
)
async def test_the_footer_marks_a_discard_that_gives_the_pile(
    card: str, plays_it: str, marked: bool
) -> None:
    """The others have queens on the table: the next player takes the pile with one more."""
    table = table_of(
        "canasta",
        hands=["Qc 9h 6h 6d 6s 4d", "+9", "+9", "+9"],
        pile="5h 8c",
        melds=[["Th Td Ts"], ["Qh Qd Qs"]],
        seat=0,
        step=Step.PLAY,
    )
    with table_on(snapshot_at("canasta", table)) as (hands, screen):
        controls = screen.window.controls
        assert controls.hand is not None
        by_code = {shown.card.code: shown for shown in controls.hand.cards}
        if plays_it:
            controls.meld(tuple(by_code[code] for code in plays_it.split()))
        controls.toggle(by_code[card].slot)
        line = hands.screen.splitlines()[-1]
        face = UNICODE.face(by_code[card].card)
        assert (f" x discard {face} ! " in line) == marked
        assert f" x discard {face} " in line
        controls.discard()
        warned = controls.notice is not None and "can take the pile" in controls.notice.text
        assert warned == marked, "the warning and the mark are one adviser's"


@pytest.mark.parametrize("columns", [60, 80, 120])
async def test_long_names_are_cut_and_never_the_score(columns: int) -> None:
    names = ("Maximiliana Wolfesch", "Bartholomäus Schnurr", "Ceferina Quiñones Pi", "Ø" * 20)
    snapshot = snapshot_at("canasta", canasta(), log=LOG)
    charter = snapshot.state.charter
    members = tuple(
        evolve(member, signed_name=name)
        for member, name in zip(charter.members, names, strict=True)
    )
    log = (*snapshot.log, *(LogLine("draws", name) for name in names))
    named = evolve(
        snapshot,
        state=evolve(snapshot.state, charter=evolve(charter, members=members)),
        log=log,
    )
    with table_on(named, columns, 24) as (hands, _):
        lines = hands.screen.splitlines()
    assert "1,620" in lines[0]
    assert "980" in lines[0]
    assert any("· 1,620 · opens with 90 · 3♥" in line for line in lines)
    assert any("· 980 · 3♦ 3♦" in line for line in lines)
    for told in ("11 cards", "9 cards", "10 cards", "deals"):
        assert told in hands.emulator.text
    assert any("8♥ 8♦ 8♠" in line or "[8×8 ◐ dirty] 90" in line for line in lines)
    assert not any("draw~" in line for line in lines)


async def test_melds_stand_in_columns_before_they_crowd() -> None:
    ranks = ["4", "5", "6", "7", "8"]
    melds = [[f"{rank}h {rank}d {rank}s" for rank in ranks] for _side in range(2)]
    table = table_of("canasta", seats=2, hands=["2h 2d"], melds=melds)
    with table_on(snapshot_at("canasta", table)) as (hands, _):
        rows = [line for line in hands.screen.splitlines() if "3/7" in line]
        assert len(rows) == 4
        assert [line.count("3/7") for line in rows] == [3, 2, 3, 2]
        assert len({place for line in rows for place in (line.index("3/7"),)}) == 1


async def test_three_melds_of_ones_own_stand_apart_in_the_smallest_window() -> None:
    ranks = ["4", "5", "6"]
    melds = [[f"{rank}h {rank}d {rank}s" for rank in ranks] for _side in range(2)]
    table = table_of("canasta", hands=["2h 2d Kc Ks"], melds=melds)
    with table_on(snapshot_at("canasta", table), 60, 20) as (hands, _):
        rows = [line for line in hands.screen.splitlines() if "3/7" in line]
        assert [line.count("3/7") for line in rows] == [2, 1, 2, 1]


async def test_a_question_hides_no_melds() -> None:
    """It takes two lines in the smallest window; the log gives way, the melds do not."""
    melds = [["4h 4d 4s", "5h 5d 5s"], ["6h 6d 6s", "7h 7d 7s"]]
    table = table_of("canasta", hands=["2h 2d Kc Ks"], melds=melds)
    with table_on(snapshot_at("canasta", table, log=LOG), 60, 20) as (hands, _):
        before = [line for line in hands.screen.splitlines() if "3/7" in line]
        hands.press("x")
        assert "all the same." in hands.screen
        assert [line for line in hands.screen.splitlines() if "3/7" in line] == before
        assert "more melds" not in hands.screen
        assert "discards" in hands.screen, "the newest line of the log"


async def test_a_two_in_its_own_place_leaves_a_run_clean() -> None:
    table = canastra_table(melds=[["Ah 2h 3h", "4s 2d 6s"]])
    with table_on(snapshot_at("canastra", table)) as (hands, _):
        runs = [line for line in hands.screen.splitlines() if "3/7" in line]
        assert [line.split()[-1] for line in runs] == ["clean", "dirty"]


async def test_special_cards_are_explained_one_key_away() -> None:
    with table_on(snapshot_at("kanastic", kanastic()), 80, 40) as (hands, screen):
        assert " k cards " in hands.screen.splitlines()[-1]
        hands.press("k")
        assert screen.window.page is Page.CARDS
        shown = hands.screen
        for word in ("Sword", "Artifact", "Shield", "Treasure Pot", "golden suit"):
            assert word in shown
        deck = snapshot_at("kanastic", kanastic()).state.match.deck
        assert f"Sw  ×{sum(card.code == 'Sw' for card in deck)}, 25 points" in shown
        assert "4♠★ 5♠★ 6♠★ 7♠★ 8♠★ … ×11" in shown
    with table_on(snapshot_at("samba", table_of("samba")), 80, 40) as (hands, screen):
        hands.press("k")
        assert "Jo 2♠ 2♥ 2♦ 2♣  ×18" in hands.screen, "the joker too, which is last in the deck"


async def test_a_gold_card_shows_its_suit_in_a_hand_of_any_length() -> None:
    for count in (3, 24, 33):
        table = table_of("kanastic", hands=[f"Kg +{count}"], step=Step.PLAY)
        with table_on(snapshot_at("kanastic", table)) as (hands, _):
            lines = hands.screen.splitlines()
            whole = any("K♠★" in line for line in lines)
            row = next((n for n, line in enumerate(lines) if "│K♠" in line), 0)
            below = lines[row + 1][lines[row].index("K♠") - 1 :].startswith("★") if row else False
            assert whole or below, hands.screen

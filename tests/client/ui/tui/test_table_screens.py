"""Whole screens of the table, as a terminal shows them, for one situation after the other.

Each is compared with a file in `screens/`. After a change that is meant, write them
anew with SOBREMESA_WRITE_SCREENS=1 and read the difference.
"""

import os
import random
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from client.bots.eager import choose
from client.i18n.language import LANGUAGES, choose_language
from client.session.absence import Absence
from client.session.snapshot import CountedRound, Fairness, LogLine, Snapshot
from client.ui.model.pages import Page
from client.ui.tui.table.screen import TableScreen
from client.ui.tui.toolkit.glyphs import ASCII, UNICODE, Glyphs
from client.ui.tui.toolkit.style import style_of
from engine.cards import Rank
from engine.kanastic.position import KanasticPosition
from engine.melds import Meld
from engine.slots import Shown, Slot
from engine.turn import Step
from p2p.refusals import Reason, Refusal
from p2p.replacement.waiting_room import Candidate
from protocol.charter import Member
from protocol.entries import AbsentContent
from protocol.player import LOST_LOCK
from tests.client.plain_seat import NAMES, PlainSeat, snapshot_at, state_of
from tests.client.terminals import Hands, emulated, hands_on
from tests.engine.positions import Table, table_of

RIGHT = "\x1b[C"
SCREENS = Path(__file__).parent / "screens"
SIZES = {"80x24": (80, 24), "120x40": (120, 40)}
LOG = (
    "Shuffled by Ana, Bruno, Carla, Diego; every proof holds.",
    "Bruno: draws",
    "Bruno: discards 5♥",
    "Carla: takes the pile of 7, melds K♦ K♠ 2♥",
    "Carla: discards 10♦",
)


@contextmanager
def table_on(
    snapshot: Snapshot, columns: int = 80, rows: int = 24, glyphs: Glyphs = UNICODE
) -> Iterator[tuple[Hands, TableScreen]]:
    """The screen of a table that shows the snapshot."""
    with emulated(columns, rows) as (keyboard, emulator):
        screen = TableScreen(glyphs, style_of("dark"))
        screen.window.show(snapshot)
        with hands_on(screen.app, keyboard, emulator) as hands:
            yield hands, screen


def check(name: str, shown: str) -> None:
    """The screen is the one in the file of that name."""
    path = SCREENS / f"{name}.txt"
    if os.environ.get("SOBREMESA_WRITE_SCREENS"):
        path.write_text(shown + "\n", encoding="utf-8")
    assert shown + "\n" == path.read_text(encoding="utf-8")


# -- the situations

ROBOT = Member(bytes([9]) * 32, "Robot maple owl", bytes(32))


def others_hold(table: Table, *counts: int) -> Table:
    """The table with so many cards, whichever they are, in the hands of seats 1, 2, ..."""
    slots = iter(range(1000, 2000))
    hidden = tuple(tuple(Slot(next(slots)) for _ in range(count)) for count in counts)
    position = table.position
    return evolve(table, position=evolve(position, hands=(position.hands[0], *hidden)))


def canasta() -> Table:
    table = table_of(
        "canasta",
        hands=["7h 7d Kc Ks 9h 4c 2s Jo Ah Ad 3s"],
        pile="5h 2c Kd",
        melds=[[], ["Qh Qd Qs", "8h 8d 8s 8c 8h 8d 2h 8s"]],
        bonus=["3h", "3d 3d"],
        totals=[1620, 980],
        seat=0,
        step=Step.DRAW,
        stock="+40",
    )
    return others_hold(table, 11, 9, 10)


def canasta_opening() -> Table:
    table = canasta()
    turn = evolve(table.position.turn, step=Step.PLAY)
    return evolve(table, position=evolve(table.position, turn=turn))


def canasta_playing() -> Table:
    table = table_of(
        "canasta",
        hands=["7h 7d Kc Ks Kh 9h 4c 2s Jo Ah 3s"],
        pile="5h",
        melds=[["6h 6d 6s 6c 6h 6d 6s", "Th Td 2d"], ["Qh Qd Qs"]],
        bonus=["3h 3d 3h 3d", ""],
        totals=[520, 980],
        seat=0,
        step=Step.PLAY,
    )
    return others_hold(table, 11, 9, 1)


def canasta_asked() -> Table:
    table = table_of(
        "canasta",
        hands=["7h 7d Kc"],
        pile="5h",
        melds=[["6h 6d 6s 6c 6h 6d 6s"], ["Qh Qd Qs"]],
        seat=2,
        step=Step.ANSWER,
        turn={"asked": True},
    )
    return others_hold(table, 11, 4, 8)


def canasta_for_six() -> Table:
    table = table_of(
        "canasta",
        seats=6,
        hands=["7h 7d Kc Ks Kh 9h 4c 2s Jo Ah 3s"],
        pile="5h",
        melds=[["6h 6d 6s"], ["Qh Qd Qs"], []],
        seat=1,
        step=Step.DRAW,
        stock="+10",
    )
    return others_hold(table, 11, 10, 9, 8, 7)


def kanastic() -> Table:
    table = table_of(
        "kanastic",
        hands=["4h 4d 4s Sw Sh Kg Qg 9h 9d Ar Ah"],
        pile="5h Sh 6h",
        melds=[["5h 5d 5s Sw", "6g 7g 8g"], ["Th Td Ts Tc Th Td Tc"]],
        bonus=["Po", "Po Po"],
        totals=[3120, 9980],
        seat=0,
        step=Step.DRAW,
        meld_of=kanastic_meld,
    )
    return others_hold(table, 14, 12, 9)


def kanastic_meld(cards: tuple[Shown, ...]) -> Meld:
    if cards[0].card.gold:
        return Meld(cards, None, cards[0].card.rank)
    return Meld(cards, cards[0].card.rank)


def kanastic_blocked() -> Table:
    table = kanastic()
    position = table.position
    assert isinstance(position, KanasticPosition)
    cards = tuple(shown.card for shown in position.pile)
    return evolve(table, position=evolve(position, discards=cards))


def canastra() -> Table:
    table = table_of(
        "canastra",
        seats=2,
        hands=["4h 5h 2s Ks Kd 9c Jd Ad"],
        pile="5c Th 8d Qs 7c",
        melds=[["3d 4d 5d 6d 7d 8d 9d", "Kh Kc 2h"], ["Ac 2c 3c 4c"]],
        seat=0,
        step=Step.DRAW,
        meld_of=lambda cards: Meld(cards, Rank.KING if cards[0].card.rank is Rank.KING else None),
    )
    return others_hold(table, 9)


def alone(player: int, silent: int, grace_left: int, **more: Any) -> Absence:
    """An absence that the others can agree on."""
    return Absence(player, silent, grace_left, **{"groups": ((player,),), **more})


def waiting(absence: Absence, table: Table | None = None, game: str = "canasta") -> Snapshot:
    """A table that waits for Bruno, who does not come."""
    if table is None:
        table = others_hold(
            table_of("canasta", hands=["7h 7d Kc"], seat=1, step=Step.DRAW), 9, 8, 7
        )
    return evolve(snapshot_at(game, table, log=LOG), absence=absence)


def two_players() -> Table:
    hands = ["4h 5h 2s Ks Kd 9c Jd Ad"]
    return others_hold(table_of("canastra", seats=2, hands=hands, seat=1, step=Step.DRAW), 9)


PROPOSED = (AbsentContent((1,), (ROBOT,)), AbsentContent((1,)))

DORA = Candidate(Member(bytes([7]) * 32, "Dora", bytes(32)))
IMPOSTOR = Candidate(
    Member(bytes([8]) * 32, "Eva", bytes(32)),
    Refusal.of(Reason.NAME_TAKEN),
)

ABSENCES: Mapping[str, tuple[Snapshot, str]] = {
    "away-grace": (waiting(alone(1, 47, 73, linked=False)), ""),
    "away-over": (waiting(alone(1, 125, 0)), ""),
    "away-choices": (waiting(alone(1, 125, 0)), "w"),
    "away-proposed": (waiting(alone(1, 130, 0, proposals=PROPOSED)), ""),
    "away-proposals": (waiting(alone(1, 130, 0, proposals=PROPOSED)), "w"),
    "away-agreed": (waiting(alone(1, 4000, 0, proposals=PROPOSED, agreed=True)), "w"),
    "away-two": (
        waiting(alone(1, 130, 0, linked=False, groups=((1,), (1, 4))), canasta_for_six()),
        "w",
    ),
    "away-candidates": (waiting(alone(1, 130, 0, candidates=(DORA, IMPOSTOR))), "w"),
    "away-invited": (waiting(alone(1, 150, 0, candidates=(DORA,), invited=DORA)), ""),
    "away-trouble": (evolve(waiting(alone(1, 150, 0)), trouble=LOST_LOCK), ""),
    "away-resting": (
        waiting(alone(1, 125, 0, groups=()), two_players(), "canastra"),
        "",
    ),
    "away-resting-page": (
        waiting(alone(1, 125, 0, groups=()), two_players(), "canastra"),
        "w",
    ),
    "away-self": (evolve(waiting(alone(0, 70, 50), canasta())), ""),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", ABSENCES)
async def test_whom_the_table_waits_for_is_told(name: str, size: str) -> None:
    snapshot, keys = ABSENCES[name]
    with table_on(snapshot, *SIZES[size]) as (hands, _):
        hands.press(keys)
        check(f"{name}-{size}", hands.screen)


def canasta_barred(me_next: bool) -> Table:
    table = table_of(
        "canasta", hands=["7h 7d Kc"], pile="5h 3s", seat=0 if me_next else 1, step=Step.DRAW
    )
    return others_hold(table, 11, 9, 10)


def kanastic_begun() -> Table:
    table = table_of("kanastic", hands=["7h 7d Kc"], pile="5h", seat=1, step=Step.DRAW)
    position = table.position
    assert isinstance(position, KanasticPosition)
    cards = tuple(shown.card for shown in position.pile)
    return others_hold(evolve(table, position=evolve(position, discards=cards)), 9, 9, 9)


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
        hands.press(7 * RIGHT + " " + RIGHT + " " + RIGHT + " m")
        notice = screen.window.controls.notice
        assert notice is not None
        assert notice.clause is not None
        line = hands.screen.splitlines()[-1]
        assert "~" not in line
        assert all(f" {key} " in line for key in ("x", "Enter", "u", "F1", "?")), line


async def test_the_keys_of_the_moment_are_those_that_do_something() -> None:
    two = table_of("canasta", seats=2, hands=["7h 7d Kc"], step=Step.PLAY)
    bare = table_of("canasta", hands=["7h 7d Kc"], pile="", stock="", step=Step.DRAW)
    for game, table, offered, not_offered in (
        ("canasta", canasta_playing(), ("g ask", "m meld", "h hint"), ("d draw", "p go")),
        ("canasta", two, ("m meld",), ("g ask",)),
        ("kanastic", evolve(kanastic()), ("d draw", "t take"), ("g ask", "m meld")),
        ("canasta", bare, ("p go no further",), ("d draw", "t take")),
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
    ],
    ids=["free", "blocked", "nothing left"],
)
async def test_the_pile_is_offered_to_whom_it_is_open(
    game: str, table: Table, sentence: str
) -> None:
    with table_on(snapshot_at(game, table)) as (hands, _):
        assert sentence in hands.screen


SITUATIONS: Mapping[str, tuple[str, Callable[[], Table], str]] = {
    "canasta-selected": ("canasta", canasta_playing, " " + RIGHT + " " + 3 * RIGHT + " "),
    "canasta-draw": ("canasta", canasta, ""),
    "canasta-staged": ("canasta", canasta_playing, 5 * RIGHT + " " + RIGHT + " " + RIGHT + " m"),
    "canasta-opening": (
        "canasta",
        canasta_opening,
        7 * RIGHT + " " + RIGHT + " " + 2 * RIGHT + " m",
    ),
    "canasta-refused": ("canasta", canasta, "x"),
    "canasta-asked": ("canasta", canasta_asked, ""),
    "canasta-six": ("canasta", canasta_for_six, ""),
    "canasta-keys": ("canasta", canasta, "?"),
    "canasta-command": ("canasta", canasta_playing, ":disc"),
    "kanastic-free": ("kanastic", kanastic, ""),
    "kanastic-blocked": ("kanastic", kanastic_blocked, "t"),
    "canastra-draw": ("canastra", canastra, ""),
}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", SITUATIONS)
async def test_a_situation_looks_as_in_its_file(name: str, size: str) -> None:
    game, build, keys = SITUATIONS[name]
    with table_on(snapshot_at(game, build(), log=LOG), *SIZES[size]) as (hands, _):
        hands.press(keys)
        check(f"{name}-{size}", hands.screen)


LIMITS = {"60x20": (60, 20), "200x60": (200, 60)}


@pytest.mark.parametrize("size", LIMITS)
@pytest.mark.parametrize("name", ["canasta-selected", "kanastic-free", "canastra-draw"])
async def test_a_table_fills_small_and_large_windows(name: str, size: str) -> None:
    game, build, keys = SITUATIONS[name]
    with table_on(snapshot_at(game, build(), log=LOG), *LIMITS[size]) as (hands, _):
        hands.press(keys)
        check(f"{name}-{size}", hands.screen)


def row_and_column(screen: str, text: str) -> tuple[int, int]:
    lines = screen.splitlines()
    row = next(number for number, line in enumerate(lines) if text in line)
    return row, lines[row].index(text)


@pytest.mark.parametrize("size", {**SIZES, **LIMITS}.values())
async def test_stock_and_pile_never_move(size: tuple[int, int]) -> None:
    """Whatever is told of the pile."""
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


async def test_the_answer_to_who_would_go_out_stands_there_at_once() -> None:
    for answer, told in ((True, "Your partner says yes"), (False, "Your partner says no")):
        turn = {"asked": True, "answer": answer}
        hands_ = ["7h 7d Kc", "9c", "9d 9h", "4c"]
        table = table_of("canasta", hands=hands_, step=Step.PLAY, turn=turn)
        with table_on(snapshot_at("canasta", table)) as (hands, _):
            assert told in hands.screen


async def test_a_key_that_the_footer_has_serves_while_the_sheet_is_open() -> None:
    table = table_of("canasta", stock="+100", step=Step.CUT)
    with table_on(snapshot_at("canasta", table)) as (hands, screen):
        sent: list[object] = []
        screen.window.controls.send = lambda *moves: sent.extend(moves)
        hands.press("v")
        assert screen.window.page is Page.SHEET
        hands.press("c")
        assert screen.window.page is None
        assert len(sent) == 1


@pytest.mark.parametrize("language", ["es", "pt"])
async def test_a_table_speaks_the_language_of_the_person(language: str) -> None:
    choose_language(language)
    with table_on(snapshot_at("canasta", canasta_opening(), log=LOG)) as (hands, _):
        hands.press("t")
        check(f"canasta-{language}-80x24", hands.screen)


async def test_plain_ascii_shows_the_same_table() -> None:
    with table_on(snapshot_at("canasta", canasta(), log=LOG), glyphs=ASCII) as (hands, _):
        shown = hands.screen
        assert shown.isascii()
        check("canasta-ascii-80x24", shown)


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


async def test_a_long_hand_wraps_and_every_card_is_there() -> None:
    table = table_of("canasta", hands=["+35"], step=Step.PLAY)
    with table_on(snapshot_at("canasta", table)) as (hands, screen):
        shown = hands.screen
        hand = screen.window.controls.hand
        assert hand is not None
        for held in hand.cards:
            assert UNICODE.short_face(held.card) in shown
        check("canasta-long-hand-80x24", shown)


async def test_many_melds_give_way_and_say_so() -> None:
    ranks = ["4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A"]
    melds = [f"{rank}h {rank}d {rank}s {rank}c" for rank in ranks]
    table = table_of("canasta", seats=2, hands=["2h 2d"], melds=[melds, melds])
    with table_on(snapshot_at("canasta", table), 60, 18) as (hands, _):
        assert "more melds: make the window higher" in hands.screen
        assert "2♥" in hands.screen.replace(" ", "")


def counted_round(game: str, players: int) -> Snapshot:
    """What player 0 sees when the first round, played by opponents, is counted."""
    rng = random.Random(2)
    seat = PlainSeat.sit(game, players, partial(choose, rng=rng), seed=3, rounds=1)
    while seat.state.match.round is None or seat.state.match.round.sheet is None:
        seat.step(partial(choose, rng=rng))
    round_, sheet = seat.state.match.round, seat.state.match.round.sheet
    seat.step(seat.others)  # the match of one round is closed
    ended = CountedRound(1, sheet, sheet.totals, round_, Fairness(4, 163, 90, 210))
    return Snapshot(seat.state, seat.view, 0, chooses=False, rounds=(ended,))


@pytest.mark.parametrize(("game", "players"), [("canasta", 4), ("kanastic", 3), ("canastra", 2)])
@pytest.mark.parametrize(("keys", "page"), [("", "sheet"), ("o", "hands"), ("f", "fair")])
async def test_after_a_round_its_sheet_lies_on_the_table(
    game: str, players: int, keys: str, page: str
) -> None:
    with table_on(counted_round(game, players)) as (hands, screen):
        assert screen.window.page is Page.SHEET
        hands.press(keys)
        check(f"{game}-{page}-80x24", hands.screen)


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
    """The others have queens on the table: whoever comes next takes the pile with one more."""
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
        evolve(member, name=name) for member, name in zip(charter.members, names, strict=True)
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


async def test_special_cards_are_explained_one_key_away() -> None:
    with table_on(snapshot_at("kanastic", kanastic()), 80, 40) as (hands, screen):
        assert " k cards " in hands.screen.splitlines()[-1]
        hands.press("k")
        assert screen.window.page is Page.CARDS
        shown = hands.screen
        for word in ("Sword", "Artifact", "Shield", "Treasure Pot", "golden suit"):
            assert word in shown
        deck = snapshot_at("kanastic", kanastic()).state.match.game.deck
        assert f"Sw  ×{sum(card.code == 'Sw' for card in deck)}, 25 points" in shown


async def test_a_gold_card_shows_its_suit_in_a_hand_of_any_length() -> None:
    for count in (3, 24, 33):
        table = table_of("kanastic", hands=[f"Kg +{count}"], step=Step.PLAY)
        with table_on(snapshot_at("kanastic", table)) as (hands, _):
            lines = hands.screen.splitlines()
            whole = any("K♠★" in line for line in lines)
            row = next((n for n, line in enumerate(lines) if "│K♠" in line), 0)
            below = lines[row + 1][lines[row].index("K♠") - 1 :].startswith("★") if row else False
            assert whole or below, hands.screen

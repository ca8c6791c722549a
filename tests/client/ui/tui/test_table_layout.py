"""The parts that keep their place on the table's screen, whatever the window and the names."""

import pytest
from attrs import evolve

from client.i18n.language import LANGUAGES, choose_language
from client.session.display.snapshot import LogLine, Snapshot
from client.ui.model.command_words import own_key
from client.ui.tui.toolkit.glyphs import ASCII, UNICODE, Glyphs
from engine.slots import Seat
from engine.turn import Step
from tests.client.plain_seat import NAMES, snapshot_at, state_of
from tests.client.ui.tui.golden import SIZES, table_on
from tests.client.ui.tui.situations import (
    LOG,
    RIGHT,
    canasta,
    canasta_for_six,
    canasta_opening,
    canasta_playing,
)
from tests.engine.positions import table_of


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


def row_and_column(screen: str, text: str) -> tuple[int, int]:
    lines = screen.splitlines()
    row = next(number for number, line in enumerate(lines) if text in line)
    return row, lines[row].index(text)


@pytest.mark.parametrize("size", SIZES.values())
@pytest.mark.parametrize("diego", ["Diego", "Diego Maria Alejandr"])
async def test_a_partner_is_named_so_also_among_six(size: tuple[int, int], diego: str) -> None:
    """The word "partner" has room even if the partner deals, in the smallest window."""
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
    """The text about the pile changes its length, but must not move them."""
    places = set()
    for build in (canasta, canasta_opening, canasta_playing):
        with table_on(snapshot_at("canasta", build()), *size) as (hands, _):
            places.add(row_and_column(hands.screen, "╭───╮ ╭────╮"))
    assert len(places) == 1


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


async def test_a_shuffle_shows_how_far_it_is() -> None:
    state = state_of("canasta", 4, NAMES)
    with table_on(Snapshot(state, None, 0, chooses=False)) as (hands, _):
        assert "Ana shuffles and locks the deck" in hands.screen
        assert "0/4" in hands.screen
    after = evolve(state, writers=state.writers[1:])
    with table_on(Snapshot(after, None, 0, chooses=False)) as (hands, _):
        assert "Bruno shuffles and locks the deck  ███░░░░░░░░░ 1/4" in hands.screen


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


async def test_a_gold_card_shows_its_suit_in_a_hand_of_any_length() -> None:
    for count in (3, 24, 33):
        table = table_of("kanastic", hands=[f"Kg +{count}"], step=Step.PLAY)
        with table_on(snapshot_at("kanastic", table)) as (hands, _):
            lines = hands.screen.splitlines()
            whole = any("K♠★" in line for line in lines)
            row = next((n for n, line in enumerate(lines) if "│K♠" in line), 0)
            below = lines[row + 1][lines[row].index("K♠") - 1 :].startswith("★") if row else False
            assert whole or below, hands.screen

"""Actions of a person while a player is missing, as far as no scene shows them."""

from collections.abc import Mapping

import pytest
import trio
from attrs import evolve

from client.i18n.language import choose_language
from client.session.display.absence import Absence
from client.session.display.snapshot import Snapshot
from client.ui.linear.table import PROMPT, LinearTable
from client.ui.model.commands.people import agree, go_on_by
from client.ui.model.controls import Controls
from client.ui.model.table_view import table_view
from client.ui.model.table_words import status_sentence
from client.ui.model.ways_on import WAY_KEYS, named_way, way_key, ways_on
from client.ui.tui.toolkit.glyphs import UNICODE
from engine.turn import Step
from protocol.match.messages import Wish, WishKind
from protocol.player import LOST_LOCK
from tests.client.plain_seat import snapshot_at
from tests.client.ui.linear.typists import Typist
from tests.client.ui.model.controls_at import controls_at, sending
from tests.client.ui.tui.situations import DORA, IMPOSTOR, OPPONENT, alone, waiting
from tests.engine.positions import table_of
from tests.protocol.seeded_table import SeededTable

EVERYTHING = alone(1, 130, 0, proposed=OPPONENT, candidates=(IMPOSTOR, DORA))


def deciding_at(absence: Absence) -> tuple[Controls, list[object]]:
    made: list[object] = []
    return controls_at(waiting(absence), decide=made.append), made


def test_a_notice_about_an_absence_disappears_with_the_absence() -> None:
    controls, _ = deciding_at(alone(1, 130, 0))
    agree(controls, "opponent")
    told = controls.notice
    assert told is not None
    controls.show(waiting(alone(1, 131, 0)))
    assert controls.notice is told
    controls.show(evolve(waiting(alone(1, 0, 0)), absence=None))
    assert controls.notice is None


def test_each_key_press_proposes_the_next_candidate() -> None:
    fit = evolve(IMPOSTOR, objection=None)
    other = evolve(DORA, member=evolve(DORA.member, key=bytes(32)))
    wishes = []
    mine = Wish(WishKind.WAIT)
    for _press in range(4):
        absence = alone(1, 130, 0, candidates=(DORA, fit, IMPOSTOR, other), wishes=(mine,))
        controls, made = deciding_at(absence)
        assert not any(way.chosen for way in controls.ways_on if way.key == "p")
        go_on_by(controls, "p")
        (mine,) = made  # type: ignore[assignment]
        wishes.append(mine.person)
    assert wishes == [DORA.key, fit.key, other.key, DORA.key]


WAYS: Mapping[str, Mapping[str, str]] = {
    "en": {
        **dict.fromkeys(("opponent", "O", "opponent dora"), "o"),
        **dict.fromkeys(("person", "person do", " p  DORA "), "p"),
        **dict.fromkeys(
            ("person eva", "person zoe", "wai", "esperar", "give up", "together", ""), ""
        ),
    },
    "es": {"persona dora": "p", "esperar": "w"},
}
"""Lines that somebody types, with the key of the way to go on that they name; "" for none."""


@pytest.mark.parametrize("language", WAYS)
def test_a_line_names_a_way_to_go_on(language: str) -> None:
    choose_language(language)
    ways = {line: named_way(waiting(EVERYTHING), line) for line in WAYS[language]}
    assert {line: way.key if way else "" for line, way in ways.items()} == WAYS[language]
    persons = {way.decision for way in ways.values() if way and way.key == "p"}
    assert persons == {Wish(WishKind.PERSON, DORA.key)}


def test_a_line_that_names_one_person_is_no_way_to_fill_two_seats() -> None:
    assert named_way(waiting(evolve(EVERYTHING, missing=(1, 3))), "person dora") is None


@pytest.mark.parametrize("language", ["en", "es", "pt"])
def test_each_way_to_go_on_has_its_own_letter(language: str) -> None:
    choose_language(language)
    assert len({way_key(key) for key in WAY_KEYS}) == len(WAY_KEYS)
    ways = ways_on(waiting(EVERYTHING))
    assert len({way.word for way in ways}) == len(ways) == 5


def test_a_warning_stays_while_the_seconds_of_an_absence_pass() -> None:
    """The screen is updated every second of an absence, and must not forget a warning."""
    melds = [["6h 6d 6s"], ["9h 9d 9s"]]
    hands = ["9c Qc 5d 5h"]
    table = table_of("canasta", hands=hands, melds=melds, pile="4h 4d", step=Step.PLAY)
    snapshot = snapshot_at("canasta", table)
    controls, sent = sending(snapshot)
    (nine,) = table.hand("9c")
    controls.discard(nine)
    assert sent == []
    controls.show(evolve(snapshot, absence=alone(0, 70, 50)))
    assert controls.notice is not None
    controls.discard(nine)
    assert len(sent) == 1


async def test_the_linear_mode_reports_an_absence_once_and_takes_a_wish() -> None:
    left = ["away", "agree end", "agree end"]
    typist = Typist(lambda _written: left.pop(0) if left else None)
    linear = LinearTable(UNICODE, typist, typist.write)
    for silent in (30, 31, 32):
        linear.show(waiting(alone(1, silent, 120 - silent)))
    assert typist.written.count("The table has waited for Bruno") == 1
    assert "Bruno is to draw.\n" in typist.written
    assert PROMPT not in typist.written, "nothing can be typed yet, so there must be no prompt"
    for silent in (130, 131):
        absent = waiting(alone(1, silent, 0, proposed=OPPONENT))
        linear.show(evolve(absent, trouble=LOST_LOCK))
    assert typist.written.count(str(LOST_LOCK)) == 1
    assert typist.written.count("The table has waited for Bruno") == 2
    assert typist.written.endswith(PROMPT)
    await linear.run()
    with trio.fail_after(10):  # the wish is there already
        assert await linear.decided() == Wish(WishKind.END)
    assert "End the match for good, without Bruno?" in typist.written


@pytest.mark.usefixtures("proofless")
@pytest.mark.parametrize("linked", [True, False])
def test_the_status_does_not_claim_that_an_absent_player_acts(linked: bool) -> None:
    table = SeededTable.sit("canasta", 3, seed=3)
    table.play_until("unlock")
    player = table.state.writers[0]
    snapshot = Snapshot(table.state, None, (player + 1) % 3, chooses=False)
    absence = alone(player, 40, 60, linked=linked)
    view = table_view(evolve(snapshot, absence=absence), None)
    name = table.state.charter.name_of(player)
    assert (view.doing is None) is not linked
    assert (status_sentence(view) == f"The table waits for {name}.") is not linked

"""Actions of a person while a player is missing, as far as no scene shows them."""

import pytest
import trio
from attrs import evolve

from client.i18n.language import choose_language
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
from tests.client.ui.tui.situations import DORA, IMPOSTOR, OPPONENT, alone, waiting
from tests.engine.positions import table_of
from tests.protocol.seeded_table import SeededTable

EVERYTHING = alone(1, 130, 0, proposed=OPPONENT, candidates=(IMPOSTOR, DORA))


def controls_at(snapshot: Snapshot) -> tuple[Controls, list[object]]:
    made: list[object] = []
    controls = Controls(lambda *_: None, decide=made.append)
    controls.show(snapshot)
    return controls, made


def test_a_notice_about_an_absence_disappears_with_the_absence() -> None:
    controls, _ = controls_at(waiting(alone(1, 130, 0)))
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
        controls, made = controls_at(waiting(absence))
        assert not any(way.chosen for way in controls.ways_on if way.key == "p")
        go_on_by(controls, "p")
        (mine,) = made  # type: ignore[assignment]
        wishes.append(mine.person)
    assert wishes == [DORA.key, fit.key, other.key, DORA.key]


@pytest.mark.parametrize(
    ("language", "line", "key", "decision"),
    [
        ("en", "opponent", "o", Wish(WishKind.OPPONENT)),
        ("en", "O", "o", Wish(WishKind.OPPONENT)),
        ("en", "opponent dora", "o", Wish(WishKind.OPPONENT)),
        ("en", "person", "p", Wish(WishKind.PERSON, DORA.key)),
        ("en", "person do", "p", Wish(WishKind.PERSON, DORA.key)),
        ("en", " p  DORA ", "p", Wish(WishKind.PERSON, DORA.key)),
        ("es", "persona dora", "p", Wish(WishKind.PERSON, DORA.key)),
        ("es", "esperar", "w", Wish(WishKind.WAIT)),
        ("en", "person eva", None, None),
        ("en", "person zoe", None, None),
        ("en", "wai", None, None),
        ("en", "esperar", None, None),
        ("en", "give up", None, None),
        ("en", "together", None, None),
        ("en", "", None, None),
    ],
)
def test_a_line_names_a_way_to_go_on(
    language: str, line: str, key: str | None, decision: Wish | None
) -> None:
    choose_language(language)
    way = named_way(waiting(EVERYTHING), line)
    assert (way and way.key, way and way.decision) == (key, decision)


def test_a_line_that_names_one_person_is_no_way_to_fill_two_seats() -> None:
    assert named_way(waiting(evolve(EVERYTHING, missing=(1, 3))), "person dora") is None


def test_a_candidate_who_cannot_take_the_seat_is_shown_with_the_reason() -> None:
    ways = {way.key: way for way in ways_on(waiting(alone(1, 130, 0, candidates=(IMPOSTOR,))))}
    assert ways["p"].decision is None
    assert "takes the seat of Bruno — Somebody of that name sits" in ways["p"].text


def test_players_go_on_together_only_if_nobody_is_missing() -> None:
    stuck = alone(1, 10, 5, stuck=True)
    for absence, is_offered in ((stuck, True), (evolve(stuck, missing=(1,)), False)):
        keys = {way.key for way in ways_on(waiting(absence))}
        assert ("t" in keys) is is_offered


@pytest.mark.parametrize("language", ["en", "es", "pt"])
def test_each_way_to_go_on_has_its_own_letter(language: str) -> None:
    choose_language(language)
    assert len({way_key(key) for key in WAY_KEYS}) == len(WAY_KEYS)
    ways = ways_on(waiting(EVERYTHING))
    assert len({way.word for way in ways}) == len(ways) == 5


def test_a_warning_stays_while_the_seconds_of_an_absence_pass() -> None:
    """The screen is updated every second of an absence, and must not forget a warning."""
    melds = [["6h 6d 6s"], ["9h 9d 9s"]]
    hand = "9c Qc 5d 5h"
    table = table_of("canasta", hands=[hand], melds=melds, pile="4h 4d", step=Step.PLAY)
    snapshot = snapshot_at("canasta", table)
    sent: list[object] = []
    controls = Controls(lambda *moves: sent.extend(moves))
    controls.show(snapshot)
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

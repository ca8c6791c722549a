"""Actions of a person while a player is missing: those that no scene shows."""

from collections.abc import Mapping

import pytest
from attrs import evolve

from client.i18n.language import choose_language
from client.session.display.absence import Absence
from client.ui.model.commands.people import agree, go_on_by
from client.ui.model.controls import Controls
from client.ui.model.ways_on import WAY_KEYS, named_way, way_key, ways_on
from protocol.match.messages import Wish, WishKind
from tests.client.ui.model.controls_at import controls_at
from tests.client.ui.tui.situations import DORA, IMPOSTOR, OPPONENT, alone, waiting

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
    """The third of the four candidates is passed over: the name of IMPOSTOR is taken."""
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
"""Typed lines, each with the key of the way to go on that it names, or "" if it names none."""


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

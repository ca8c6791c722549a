"""The review of a record: what the player knew, the costliest mistakes, and how they are shown."""

import random
from itertools import islice
from typing import Any

import pytest
from attrs import evolve

from client.bots.decision_review import Decision
from client.ui.html.review_page import review_page
from client.ui.model import game_review
from client.ui.model.replay import Replay
from client.ui.model.review_inputs import cards_given, choices_of
from client.ui.tui.replay.review_lines import review_lines
from client.ui.tui.toolkit.glyphs import ASCII, UNICODE
from client.ui.tui.toolkit.spans import text_of, width_of
from engine.cards import Card
from engine.slots import Slot
from protocol.entries import MoveContent
from tests.client.quick_reviews import CANASTA, RECORDS, quickly


@pytest.fixture(scope="module")
def replay() -> Replay:
    return Replay.load(CANASTA, lambda _now: None)


@pytest.fixture(scope="module")
def found(replay: Replay) -> game_review.GameReview:
    """Return the review of Ana's decisions, made without a search."""
    with pytest.MonkeyPatch.context() as monkeypatch:
        quickly(monkeypatch)
        return game_review.review_game(replay, 0)


@pytest.mark.parametrize("name", ["canasta", "canastra"])
def test_review_uses_only_what_the_player_saw(name: str) -> None:
    replay = Replay.load(RECORDS / f"format-1-{name}.sobremesa", lambda _now: None)
    for player in range(replay.players):
        choices = list(choices_of(replay, player))
        for choice in choices:
            moment, view = replay.moments[choice.place], choice.decision.view
            seat = moment.before.match.seat_of(player)
            assert view.to_move == seat
            assert view.allows(choice.decision.move)
            assert set(view.private) <= set(view.hands[seat])
            assert len(view.hand(seat)) == len(view.hands[seat])
            assert choice.names[seat] == moment.before.charter.name_of(player)
        last = (moment.after.last for moment in replay.moments)
        moves = [one for one in last if one and isinstance(one.content, MoveContent)]
        assert 0 < len(choices) <= sum(one.writer == player for one in moves)


def test_cards_of_others_do_not_change_the_judged_decisions(replay: Replay) -> None:
    """The attack: the record opens all hands in the end, so a review could look into them."""
    chance = random.Random(1)

    def otherwise(faces: dict[Slot, Card], own: set[Slot]) -> dict[Slot, Card]:
        others = [slot for slot in faces if slot not in own]
        cards = [faces[slot] for slot in others]
        chance.shuffle(cards)
        return {**faces, **dict(zip(others, cards, strict=True))}

    held: set[Slot] = set()
    for moment in replay.moments:
        if position := moment.before.match.round:
            held |= set(position.hands[moment.before.match.seat_of(0)])
    moved = tuple(
        evolve(moment, faces=otherwise(dict(moment.faces), held)) for moment in replay.moments
    )
    assert moved != replay.moments
    assert list(choices_of(evolve(replay, moments=moved), 0)) == list(choices_of(replay, 0))


def test_a_hand_that_was_never_opened_is_not_judged(replay: Replay) -> None:
    closed = tuple(evolve(moment, faces={}) for moment in replay.moments)
    for choice in choices_of(evolve(replay, moments=closed), 0):
        view = choice.decision.view
        assert set(view.hands[view.turn.seat]) <= set(view.known), (
            "the view has cards that were never public"
        )
    (only,) = game_review.summary(game_review.review_game(evolve(replay, moments=()), 0))
    assert only.startswith("There is no decision of Ana to judge")


def test_review_can_be_limited_to_one_round(replay: Replay) -> None:
    numbers = {replay.moments[one.place].round_number for one in choices_of(replay, 0, 1)}
    assert numbers == {1}
    assert not list(choices_of(replay, 0, 99))


def test_many_decisions_are_searched_with_less_effort_each(
    monkeypatch: pytest.MonkeyPatch, replay: Replay
) -> None:
    efforts: list[float] = []

    def noted(_work: object, items: list[Decision], **_more: object) -> list[None]:
        efforts.extend(one.effort for one in items)
        return [None for _one in items]

    monkeypatch.setattr(game_review, "on_all_cores", noted)
    monkeypatch.setattr(game_review, "MANY", 6)
    game_review.review_game(replay, 0)
    assert efforts == [6 / 24] * 24


@pytest.mark.parametrize("name", ["canasta", "canastra"])
def test_luck_counts_each_received_card_once(name: str) -> None:
    replay = Replay.load(RECORDS / f"format-1-{name}.sobremesa", lambda _now: None)
    for player in range(replay.players):
        given = list(cards_given(replay, player))
        came = [card for one in given for card in one.came]
        assert len(came) == len(set(came))
        held: set[Card] = set()
        for moment in replay.moments:
            if (position := moment.before.match.round) and not position.orders:
                hand = position.hands[moment.before.match.seat_of(player)]
                held |= {moment.faces[slot] for slot in hand if slot not in position.known}
        assert held <= set(came), "a card is missing that did not come from the pile"
        for one in given:
            assert set(one.came) <= set(one.possible)
            assert not set(one.held) & set(one.possible)
            assert not one.position.private


@pytest.mark.parametrize(("glyphs", "width"), [(UNICODE, 60), (ASCII, 78)])
def test_the_review_screen_fits_its_width_and_tells_all(
    found: game_review.GameReview, glyphs: Any, width: int
) -> None:
    lines = review_lines(found, glyphs, width)
    assert max(map(width_of, lines)) <= width
    text = "\n".join(map(text_of, lines))
    assert text.count("Bruno") >= len(found.shown)
    told = [*game_review.summary(found)]
    for place, mistake in enumerate(found.shown, start=1):
        told.append(game_review.mistake_title(found, place, mistake))
        told += game_review.mistake_sentences(mistake)
    unfolded, at = "".join(text.split()), 0
    for sentence in told:
        at = unfolded.index("".join(glyphs.plain(sentence).split()), at)
    assert glyphs is UNICODE or text.isascii()


def test_the_review_page_loads_nothing_and_escapes_names(found: game_review.GameReview) -> None:
    page = review_page(found)
    assert page.count("<pre") == len(found.shown)
    assert "<script" not in page
    assert "http" not in page.replace("http-equiv", "")
    assert "default-src" in page
    table = found.replay.report.table
    assert table is not None
    players = (evolve(table.players[0], name="<b>Eve</b>"), *table.players[1:])
    report = evolve(found.replay.report, table=evolve(table, players=players), rounds=())
    assert "<b>" not in review_page(evolve(found, replay=evolve(found.replay, report=report)))


def test_a_match_played_here_is_reviewed_from_its_record(monkeypatch: pytest.MonkeyPatch) -> None:
    quickly(monkeypatch)
    told: list[str] = []
    monkeypatch.setattr(game_review, "choices_of", lambda *asked: islice(choices_of(*asked), 3))
    data = CANASTA.read_bytes()
    found = game_review.review_record([data[:100], data[100:]], 1, told.append)
    assert found.name == "Bruno"
    assert told[-1].startswith("[##")
    assert found.decisions == 3

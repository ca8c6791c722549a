"""Commands as lines: what is offered is what is done."""

import random
from contextlib import suppress
from functools import partial

import pytest

from client.opponents.easy import choose
from client.playing.controls import Controls
from client.playing.move_lines import line_of
from client.playing.typed_commands import CommandError, cards_named, legal_lines, run_line
from client.seating.attend import Snapshot
from engine.moves import Cut, Move, shown_by
from engine.position import Step
from tests.client.plain_seat import PlainSeat, snapshot_at
from tests.engine.positions import codes_of, table_of

GAMES = (("canasta", 4), ("kanastic", 4), ("canastra", 2))
_MOST_MOVES = 25  # of one position


def controls_of(snapshot: Snapshot) -> tuple[Controls, list[Move]]:
    sent: list[Move] = []
    controls = Controls(lambda *moves: sent.extend(moves))
    controls.show(snapshot)
    return controls, sent


def done_by(snapshot: Snapshot, line: str) -> Move:
    """The move that a typed line comes to, with all warnings waved aside."""
    controls, sent = controls_of(snapshot)
    if sent:  # a duty
        return sent[0]
    run_line(controls, line)
    if controls.desk is not None and controls.desk.staging.move and not sent:
        run_line(controls, "send")
    if not sent:
        run_line(controls, "send" if controls.desk and controls.desk.staging.move else line)
    assert sent, (line, controls.notice)
    return sent[0]


def faces(move: Move) -> tuple[object, ...]:
    """A move up to cards of equal face, and to the order of cards within a meld."""
    plays = getattr(move, "plays", None)
    if plays is None:
        return (type(move), codes_of(shown_by(move)), getattr(move, "yes", None))
    groups = [
        (" ".join(sorted(codes_of(play.cards).split())), play.onto, play.low) for play in plays
    ]
    return (type(move), *groups)


@pytest.mark.parametrize(("game", "players"), GAMES)
async def test_the_line_of_each_legal_move_makes_that_move(game: str, players: int) -> None:
    rng = random.Random(game)
    seat = PlainSeat.sit(game, players, partial(choose, rng=rng), seed=8, rounds=1)
    seat.run()
    checked = 0
    while seat.chooses and checked < 400:
        view = seat.view
        assert view is not None
        assert view.to_move is not None
        moves = view.legal_moves(view.to_move)
        snapshot = Snapshot(seat.state, view, seat.me, chooses=True)
        for move in rng.sample(moves, min(_MOST_MOVES, len(moves))):
            line = line_of(move)
            if isinstance(move, Cut):
                assert done_by(snapshot, line) == move
            else:
                assert faces(done_by(snapshot, line)) == faces(move), line
            checked += 1
        await seat.play(choose(view, rng))
    assert checked >= 100


def test_only_what_is_legal_is_offered() -> None:
    table = table_of("canasta", hands=["7h 7d 7s Kc"], pile="9c", step=Step.DRAW)
    controls, _ = controls_of(snapshot_at("canasta", table))
    assert legal_lines(controls) == ("draw",)


def test_with_melds_laid_out_they_can_be_sent_or_taken_back() -> None:
    table = table_of("canasta", hands=["Ah Ad As 7c 7d 9h 9d"])
    controls, _ = controls_of(snapshot_at("canasta", table))
    run_line(controls, "meld 7c 7d 9h")
    assert controls.notice is not None
    run_line(controls, "meld Ah Ad As")
    assert set(legal_lines(controls)) == {
        *("send", "undo", "discard 7c", "discard 7d", "discard 9h", "discard 9d")
    }


def test_an_opening_that_is_too_small_can_only_be_taken_back() -> None:
    table = table_of("canasta", hands=["5h 5d 5s 7c 7d 9h 9d"])
    controls, _ = controls_of(snapshot_at("canasta", table))
    run_line(controls, "meld 5 5 5")
    assert legal_lines(controls) == ("undo",)


def test_nothing_is_offered_on_anothers_turn() -> None:
    table = table_of("canasta", hands=["7h", "9c"], seat=1, step=Step.DRAW)
    controls, _ = controls_of(snapshot_at("canasta", table))
    assert legal_lines(controls) == ()


def test_cards_are_named_by_rank_and_suit_or_by_rank() -> None:
    hand = table_of("canasta", hands=["7h 7d Th Jo 2s"]).hand("7h 7d Th Jo 2s")
    assert codes_of(cards_named("7d 7", hand)) == "7d 7h"
    assert codes_of(cards_named("10h, JOKER 2S", hand)) == "Th Jo 2s"
    assert cards_named("", hand) == ()
    for text in ("7h 7h", "7 7 7", "Kc", "\x1b[31m", "7hh"):
        with pytest.raises(CommandError):
            cards_named(text, hand)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "   ",
        "fly",
        "s",
        "add 7h",
        "add 7h to x",
        "add 7h to 1 2",
        "cut x",
        "sort me",
        "discard",
    ],
)
def test_what_is_no_command_is_said_in_a_sentence(line: str) -> None:
    table = table_of("canasta", hands=["7h 7d"])
    controls, sent = controls_of(snapshot_at("canasta", table))
    with pytest.raises(CommandError) as caught:
        run_line(controls, line)
    assert str(caught.value).endswith(".")
    assert sent == []


def test_commands_may_be_abbreviated_while_it_is_clear_which() -> None:
    table = table_of("canasta", hands=["7h 7d"], step=Step.DRAW)
    controls, sent = controls_of(snapshot_at("canasta", table))
    run_line(controls, "dr")
    assert len(sent) == 1


def test_a_line_of_any_length_is_harmless() -> None:
    table = table_of("canasta", hands=["7h 7d"])
    controls, sent = controls_of(snapshot_at("canasta", table))
    for line in ("discard " + 100_000 * "7h ", "cut " + 5000 * "9", "x" * 10**6):
        with suppress(CommandError):
            run_line(controls, line)
    assert sent == []

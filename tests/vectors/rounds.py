"""Records made from the beginning of a match of four.

A card is turned up again for the seats, a round is played, and the next one begun.
"""

from collections.abc import Iterator
from typing import Any

from attrs import evolve

from engine.slots import Seat
from protocol.absence import absence
from protocol.entries import (
    AbsentContent,
    Body,
    CloseContent,
    Entry,
    OpenContent,
    ShuffleContent,
    UnlockContent,
)
from protocol.player import Player
from protocol.reducer import advance
from protocol.state import State
from tests.protocol.absent import SUBSTITUTE, ended, joint, others, replaced
from tests.protocol.played import Moment
from tests.protocol.seeded import seeded
from tests.vectors.recorded import UNSEEN, Forge, Record, WithoutRules, recorded_rounds


def all_records() -> Iterator[Record]:
    one = Forge(recorded_rounds())
    yield one.whole("next-round", "A round is closed, and the next one begun by the next dealer.")
    yield from _draw(one)
    yield from _hands(one)
    yield from _closed_hands(one)
    yield from _between(one)


def _draw(one: Forge) -> Iterator[Record]:
    """Return records in which a player has turned up a card without a suit."""
    first, drawing = one.of.moments[0], one.of.when("unlock")
    again = one.of.at(drawing.state.height + 5)
    all_again = drawing.the(UnlockContent)
    assert len(again.the(UnlockContent).gives) < len(all_again.gives)
    what = "A card more for everybody, when one of them needs another."
    yield one.after(again, "R14-redraw", what, again.signed(all_again))
    what = "Out of turn."
    yield one.after(again, "R11-redraw", what, again.signed(again.the(UnlockContent), again.other))
    entry, after = _replaced(first)
    shuffle = _shuffle_of_substitute(first, after)
    what = "Absent before the first shuffle: the draw begins again, and is still deal 0."
    yield one.after(first, "redrawn", what, entry, shuffle)
    next_deal = evolve(after, deal_number=1).with_next_writers()
    what = "As before, but shuffled as deal 1."
    wrong = _shuffle_of_substitute(first, next_deal)
    yield one.after(first, "shuffle-redrawn", what, entry, wrong)


def _hands(one: Forge) -> Iterator[Record]:
    """Return records in which all open their hands, whatever they hold."""
    opening = one.of.when("open")
    then = one.of.at(opening.state.height + 2)
    passed_over = opening.signed(then.the(OpenContent), then.writer)
    yield one.after(opening, "R11-open", "A hand is opened out of turn.", passed_over)
    counted = opening.signed(one.of.when("close").the(CloseContent))
    yield one.after(opening, "R11-close", "Closed before hands are opened.", counted)
    early = then.signed(one.of.when("close").the(CloseContent))
    yield one.after(then, "R11-close-early", "Closed before all hands are open.", early)
    body = absence(then.state, AbsentContent((then.writer,)))
    other = evolve(body, content=AbsentContent((then.other,)))
    lowest = min({0, 1, 2, 3} - {then.other})
    entry = joint(evolve(other, writer=lowest), others(then.ring, then.other))
    what = "Somebody is absent while another one has to open their hand."
    yield one.after(then, "R19-open", what, entry)


def _closed_hands(one: Forge) -> Iterator[Record]:
    """Return records in which absent players have to open their hands: the round stands (X24)."""
    first = one.of.when("open")
    second = one.of.at(first.state.height + 2)
    closed = ended(first.ring, first.state, first.writer)
    rest = _to_the_end(first, closed)
    what = "A hand stays closed, and all sign the worst that it can count."
    yield one.after(first, "closed", what, closed, *rest)
    what = "A second hand stays closed when the first is open."
    again = ended(second.ring, second.state, second.writer)
    yield one.after(second, "closed-second", what, again, *_to_the_end(second, again))
    what = "A substitute takes the seat of who opens nothing, and signs the round."
    seated = replaced(first.ring, first.state, first.writer)
    yield one.after(first, "closed-replaced", what, seated, *_to_the_end(first, seated))
    what = "Who has opened nothing does not sign either: the match ends, and the round stands."
    *_, closing = _states(first, closed, *rest[: len(rest) - 4])
    absent = closing.writers[0]
    end = ended(first.ring, closing, absent)
    yield one.after(first, "closed-ended", what, closed, *rest[: len(rest) - 4], end)
    honest = closing.closing
    kind = evolve(honest, points=tuple(points + 5 for points in honest.points))
    lie = Entry.sign(
        Body(closing.next_place, absent, kind).encode(), first.ring.signers[absent]
    ).encode()
    unseen = evolve(UNSEEN, unsigned=tuple(sorted({0, 1, 2, 3} - {absent})))
    what = "The closed hand is signed for less than it counts."
    early = (closed, *rest[: len(rest) - 4], lie)
    yield one.after(first, "R17-closed", what, *early, without=unseen)
    what = "What the absent one writes late in that place."
    yield one.after(first, "R6-closed", what, closed, first.entry)
    *_, after = _states(first, closed)
    body = Body(after.next_place, first.writer, first.the(OpenContent)).encode()
    entry = Entry.sign(body, first.ring.signers[first.writer]).encode()
    what = "Who has agreed to no opening, for it is over, opens their hand all the same."
    yield one.after(first, "R11-closed", what, closed, entry)
    yield from _false_standings(one, first, second)


def _false_standings(one: Forge, first: Moment, second: Moment) -> Iterator[Record]:
    """Return records in which an absence states another standing of the round than the true one."""

    def said(moment: Moment, **wrong: Any) -> bytes:
        body = absence(moment.state, AbsentContent((moment.writer,)))
        lie = evolve(body, content=evolve(body.content, **wrong))
        return joint(lie, others(moment.ring, moment.writer))

    counted = one.of.when("close").the(CloseContent)
    what = "A round is said to be void of which the hands are to be opened."
    void = said(first, opening=False)
    yield one.after(first, "R19-void", what, void, without=WithoutRules("ended", "", ()))
    yield one.after(second, "R19-void-known", what, said(second, opening=False))
    what = "A round is said to be counted of which the hands are to be opened."
    yield one.after(first, "R19-early", what, said(first, opening=False, counted=counted))
    yield one.after(second, "R19-both", "Both is said.", said(second, counted=counted))
    match = first.state.match
    left = match.player_at(Seat((match.dealer + 1) % 4))
    playing = one.of.when("move", lambda moment: moment.writer == left)
    what = "Hands are said to be opened while the round is played."
    yield one.after(playing, "R19-playing", what, said(playing, opening=True), without=UNSEEN)
    other = one.of.at(playing.state.height + 2)
    assert other.writer != left
    what = "The same, when it is the turn of somebody who would not open first."
    yield one.after(other, "R19-turn", what, said(other, opening=True))
    closing = one.of.when("close")
    what = "Hands are said to be opened when all are open."
    yield one.after(closing, "R19-opened", what, said(closing, opening=True, counted=None))


def _states(moment: Moment, *entries: bytes) -> Iterator[State]:
    state = moment.state
    for entry in entries:
        state = advance(state, entry)
        yield state


def _to_the_end(moment: Moment, agreed: bytes) -> tuple[bytes, ...]:
    """Return the entries of all until the round is closed."""
    state, entries = advance(moment.state, agreed), list[bytes]()
    players = list(moment.ring.players)
    if state.charter != moment.state.charter:
        players[moment.writer] = Player(moment.writer, SUBSTITUTE)
    while state.due is not None and state.due.kind in {"open", "close"}:
        writer = players[state.due.player]
        entries.append(writer.write(state, seeded("vector of closed hands")).entry)
        state = advance(state, entries[-1])
    return tuple(entries)


def _between(one: Forge) -> Iterator[Record]:
    """Return records in which a round is closed by all, and the next one not dealt."""
    first = one.of.when("shuffle", lambda moment: moment.state.match.round_number == 2)
    entry, after = _replaced(first)
    what = "Absent between two rounds: the second one begins again, as another deal."
    yield one.after(first, "between", what, entry, _shuffle_of_substitute(first, after))
    end = ended(first.ring, first.state, first.writer)
    yield one.after(first, "ended-between", "The match ends between two rounds.", end)
    body = absence(first.state, AbsentContent((first.writer,)))
    closed = one.of.last("close").the(CloseContent)
    again = evolve(body, content=AbsentContent((first.writer,), counted=closed))
    what = "The last round is said to be counted once more."
    signed = joint(again, others(first.ring, first.writer))
    yield one.after(first, "R19-between", what, signed)
    honest = first.the(ShuffleContent)
    before = (first.state.match.dealer - 1) % 4
    dealer = first.state.match.seating[before]
    what = "The dealer of the last round shuffles first again."
    yield one.after(first, "R11-dealer", what, first.signed(honest, dealer))
    then = evolve(first, state=one.of.ring.state)
    entry, after = _replaced(then)
    again_announced = evolve(then, state=after).signed(honest, first.writer)
    what = "The dealer announces the key of the void round again."
    yield one.after(then, "R13-void", what, entry, again_announced)


def _replaced(moment: Moment) -> tuple[bytes, State]:
    """Return the entry that replaces the player who is to write, and the state after it."""
    entry = replaced(moment.ring, moment.state, moment.writer)
    return entry, advance(moment.state, entry)


def _shuffle_of_substitute(moment: Moment, state: State) -> bytes:
    player = Player(moment.writer, SUBSTITUTE)
    return player.write(state, seeded("vector of a substitute")).entry

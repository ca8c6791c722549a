"""Records made from the beginning of a match of four: a card is turned up again for the seats, a
round is played, and the next one begun.
"""

from collections.abc import Iterator

from attrs import evolve

from protocol.absence import absence
from protocol.entries import AbsentContent, CloseContent, OpenContent, ShuffleContent, UnlockContent
from protocol.player import Player
from protocol.reducer import advance
from protocol.state import State
from tests.protocol.absent import SUBSTITUTE, ended, joint, others, replaced
from tests.protocol.played import Moment
from tests.protocol.seeded import seeded
from tests.vectors.recorded import Forge, Record, recorded_rounds


def all_records() -> Iterator[Record]:
    one = Forge(recorded_rounds())
    yield one.whole("next-round", "A round is closed, and the next one begun by the next dealer.")
    yield from _draw(one)
    yield from _hands(one)
    yield from _between(one)


def _draw(one: Forge) -> Iterator[Record]:
    """Somebody has turned up a card without a suit."""
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
    """Everybody opens a hand, whatever there is in it."""
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


def _between(one: Forge) -> Iterator[Record]:
    """A round is closed by all, and the next one not dealt."""
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
    """Who is to write is replaced: the entry, and the state after it."""
    entry = replaced(moment.ring, moment.state, moment.writer)
    return entry, advance(moment.state, entry)


def _shuffle_of_substitute(moment: Moment, state: State) -> bytes:
    player = Player(moment.writer, SUBSTITUTE)
    return player.write(state, seeded("vector of a substitute")).entry

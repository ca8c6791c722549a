"""What a node does with an entry beside appending it: in which order, and when it does not."""

from types import SimpleNamespace
from typing import Any

import pytest
import trio
from attrs import define, field
from trio.testing import MockClock

from engine.sentences import Sentence
from p2p.table.appender import Appender
from p2p.table.live_record import Outcome
from protocol.entries import AbsentContent
from protocol.errors import Exposed
from protocol.state import State
from tests.p2p.table.shuffling import next_to_shuffle

TABLE = bytes(32)
EXPOSED = Exposed(1, "R11", Sentence("They have lied."), (b"entry",))


@define(eq=False)
class Around:
    """What is around an appender; `done` is what it has asked of it, in order."""

    doubtful: bool = False
    released: bool = False
    outcome: Outcome = Outcome.NONE
    is_own: bool = False
    done: list[Any] = field(factory=list)

    def noting(self, *what: object) -> Any:
        """A function that notes it, with its arguments."""
        return lambda *given: self.done.append((*what, *given))

    def waiting(self, *what: object) -> Any:
        """Likewise, a function that is waited for."""

        async def noted(*given: object) -> None:
            self.done.append((*what, *given))

        return noted

    def appender(self, **parts: Any) -> Appender:
        record: Any = SimpleNamespace(
            table_id=TABLE,
            exposed=None,
            dismissed=False,
            go_back=self.waiting("go back"),
            judge=lambda *_: self.outcome,
            keep_evidence=self.noting("keep"),
            is_own=lambda _error: self.is_own,
        )
        player: Any = SimpleNamespace(
            advanced=lambda erases: ("one", "two") if erases else (),
            shuffles_next=False,
            can_write=True,
        )
        coordinator: Any = SimpleNamespace(
            went_back=self.noting("went back"),
            was_released=lambda _height: self.released,
            own=SimpleNamespace(keep_dismissal=self.noting("dismissal")),
            is_bound=False,
        )
        probe = SimpleNamespace(found=trio.Event(), contradicted=False)
        mesh: Any = SimpleNamespace(show_evidence=self.noting("show"), probe=probe)
        journal: Any = SimpleNamespace(
            clear_doubt=self.noting("clear"),
            forget_secrets=self.noting("forget"),
            flush=self.noting("flush"),
        )
        resync: Any = SimpleNamespace(doubtful=self.doubtful, done=True)
        usual = {
            "record": record,
            "player": player,
            "coordinator": coordinator,
            "mesh": mesh,
            "journal": journal,
            "resync": resync,
            "on_news": self.noting("news"),
        }
        return Appending(**{**usual, **parts}, around=self)


@define(eq=False)
class Appending(Appender):
    """Only notes what it appends."""

    around: Around = field(kw_only=True)

    async def append(self, entry: bytes) -> None:
        self.around.done.append(("append", entry))


@pytest.fixture(autouse=True)
def _in_this_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run_sync(call: Any, *arguments: Any) -> Any:
        return call(*arguments)

    monkeypatch.setattr("trio.to_thread.run_sync", run_sync)


@pytest.mark.parametrize("can", [False, True])
@pytest.mark.parametrize("bound", [False, True])
@pytest.mark.parametrize("elsewhere", [False, True])
def test_nothing_is_written_by_who_cannot_is_bound_by_a_vote_or_plays_elsewhere(
    *, can: bool, bound: bool, elsewhere: bool
) -> None:
    around = Around()
    appender = around.appender(
        player=SimpleNamespace(can_write=can), coordinator=SimpleNamespace(is_bound=bound)
    )
    if elsewhere:
        appender.mesh.probe.found.set()
    assert appender.can_write == (can and not bound and not elsewhere)


async def test_what_is_deferred_is_written_a_moment_later_and_once(
    autojump_clock: MockClock,
) -> None:
    around = Around()
    appender = around.appender()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(appender.keep_deferred)
        await trio.sleep(10)
        assert around.done == []
        for _ in range(2):
            appender._deferred.set()
            await trio.sleep(0.19)
            assert around.done == []
            await trio.sleep(10)
            assert around.done == [("flush",)]
            around.done.clear()
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("doubtful", [False, True])
async def test_locks_are_erased_unless_entries_may_be_missing(doubtful: bool) -> None:
    around = Around(doubtful=doubtful)
    await around.appender().forget()
    erased = [("forget", TABLE, "one"), ("forget", TABLE, "two")]
    assert around.done == ([] if doubtful else erased)


async def test_a_cheat_is_kept_before_it_is_shown() -> None:
    around = Around()
    appender = around.appender()
    await appender.stop(EXPOSED)
    assert appender.record.exposed is EXPOSED
    assert around.done == [("keep", EXPOSED), ("show",), ("news",)]


async def test_what_exposes_ones_own_player_is_shown_to_nobody_and_all_stops() -> None:
    around = Around(is_own=True)
    appender = around.appender()
    await appender.stop(EXPOSED)
    assert appender.record.exposed is None
    assert around.done == []
    assert appender.mesh.probe.contradicted
    assert not appender.can_write


async def test_an_entry_that_changes_nothing_is_no_news() -> None:
    around = Around()
    assert not await around.appender()._compare(3, b"entry")
    assert around.done == []


async def test_who_is_dismissed_keeps_what_shows_it_and_needs_no_locks() -> None:
    around = Around(outcome=Outcome.DISMISSED)
    appender = around.appender()
    assert await appender._compare(3, b"entry")
    assert appender.record.dismissed
    assert around.done == [
        ("dismissal", b"entry"),
        ("forget", TABLE, "one"),
        ("forget", TABLE, "two"),
        ("news",),
    ]


@pytest.mark.parametrize("doubtful", [False, True])
async def test_an_absence_that_stands_takes_its_place(doubtful: bool) -> None:
    """To go back leaves the journal in doubt: that ends here, where nothing else is doubted."""
    around = Around(outcome=Outcome.OVERTAKEN, doubtful=doubtful)
    assert await around.appender()._compare(3, b"joint")
    back = [("go back", 3, b"joint"), ("went back",), ("append", b"joint")]
    assert around.done == (back if doubtful else [*back, ("clear", TABLE)])


async def test_an_absence_does_not_take_the_place_from_which_this_node_was_released() -> None:
    around = Around(outcome=Outcome.OVERTAKEN, released=True)
    assert not await around.appender()._compare(3, b"joint")
    assert around.done == []


@pytest.mark.parametrize("done", [False, True])
@pytest.mark.parametrize("is_next", [False, True])
@pytest.mark.parametrize("holds", [False, True])
def test_a_shuffle_is_made_early_by_who_is_next_and_may_write(
    done: bool, is_next: bool, holds: bool
) -> None:
    """And dropped with the proof before it."""
    before, here = next_to_shuffle()
    around = Around()
    player = SimpleNamespace(
        shuffles_next=is_next,
        write_early=lambda after, releases: around.done.append((after.head, releases)),
        drop_early=around.noting("drop"),
    )

    def judge(_state: State, _entry: bytes) -> State:
        if not holds:
            raise EXPOSED
        return here.state

    appender = around.appender(
        player=player, judge=judge, resync=SimpleNamespace(done=done, doubtful=False)
    )
    if holds:
        assert appender._judged(before.state, before.entry, (b"release",)) is here.state
    else:
        with pytest.raises(Exposed):
            appender._judged(before.state, before.entry, (b"release",))
    early = [(here.state.head, (b"release",))] if done and is_next else []
    assert around.done == [*early, *([("drop",)] if early and not holds else [])]


async def test_nothing_is_known_any_more_of_whose_seat_was_given_away() -> None:
    """Who has it now has said nothing yet."""
    around = Around()
    for substitutes, forgotten in (((object(),), [("forget", 1)]), ((), [])):
        content = AbsentContent((1,), substitutes)  # type: ignore[arg-type]
        last = SimpleNamespace(content=content, writer=0)
        after: Any = SimpleNamespace(last=last, due=SimpleNamespace(player=2))
        change = SimpleNamespace(before=SimpleNamespace(charter=None))
        appender = around.appender(
            record=SimpleNamespace(take=lambda *_, told=change: told),
            coordinator=SimpleNamespace(advanced=lambda _: None),
            mesh=SimpleNamespace(forget=around.noting("forget"), advanced=around.waiting("told")),
            player=SimpleNamespace(advanced=lambda erases: ()),
        )
        await appender._tell(after, b"joint")
        assert around.done == [*forgotten, ("news",), ("told", 0, 2)]
        around.done.clear()

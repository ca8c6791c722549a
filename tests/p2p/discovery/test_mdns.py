"""mDNS: the addresses on which it listens, its questions and its announcements."""

import asyncio
import errno
import threading
from collections.abc import Coroutine, Sequence
from concurrent.futures import Future
from types import SimpleNamespace
from typing import Any
from unittest.mock import ANY, AsyncMock, Mock, call

import pytest
import trio
from attrs import define, evolve, field
from trio.testing import MockClock
from zeroconf import EventLoopBlocked, IPVersion, ServiceInfo, Zeroconf
from zeroconf.asyncio import AsyncServiceInfo

from p2p.discovery import mdns as module
from p2p.discovery.beacon import SERVICE, BeaconAnswer, tag_of
from p2p.discovery.beacons import CLOSE_SECONDS, Beacons, open_beacons
from p2p.discovery.interfaces import Interface
from p2p.discovery.mdns import MOST_ASKED, Mdns, _Listener, zeroconf_on
from p2p.storage.identity import Identity
from tests.p2p.discovery.heard_beacons import BEACON, HOST, KEY, OWNER, real_mdns
from tests.patience import PATIENCE

LAN = Interface("eth9", ("10.9.9.9",), ("fe80::9%eth9",))
LOOPBACK = Interface("lo", ("127.0.0.1",), ())


def nobody(_name: str, _service: ServiceInfo | None, _senders: Sequence[str]) -> None:
    """Ignore what is heard."""


def from_here(_name: str) -> Sequence[str]:
    return ("192.0.2.1",)


@pytest.mark.parametrize(
    ("ipv4", "ipv6", "addresses", "version"),
    [
        (("10.9.9.9",), (), ["10.9.9.9"], IPVersion.V4Only),
        ((), ("fe80::9%eth9",), ["fe80::9"], IPVersion.V6Only),
        (("10.9.9.9",), ("fe80::9%eth9",), ["10.9.9.9", "fe80::9"], IPVersion.All),
        (("10.9.9.9",), ("unusable::9",), ["10.9.9.9"], IPVersion.V4Only),
    ],
    ids=["IPv4", "IPv6", "both", "IPv6 in name only"],
)
def test_a_beacon_is_heard_on_all_addresses_of_the_interfaces(
    monkeypatch: pytest.MonkeyPatch,
    ipv4: tuple[str, ...],
    ipv6: tuple[str, ...],
    addresses: list[str],
    version: IPVersion,
) -> None:
    opened: list[object] = []

    def zeroconf(on: list[str], ip_version: IPVersion) -> None:
        if "unusable::9" in on:
            raise OSError("no such protocol")
        opened.append((on, ip_version))

    monkeypatch.setattr(module, "_InThread", zeroconf)
    zeroconf_on([Interface("eth9", ipv4, ipv6)])
    assert opened == [(addresses, version)]


@pytest.mark.parametrize("fails", ["new_event_loop", "start", "__init__"])
def test_mdns_that_cannot_start_raises_its_error_at_once(
    monkeypatch: pytest.MonkeyPatch, fails: str
) -> None:
    """Zeroconf itself would wait for ever for a thread that never started."""
    loops: list[asyncio.AbstractEventLoop] = []
    new_loop = asyncio.new_event_loop

    def opened() -> asyncio.AbstractEventLoop:
        loops.append(new_loop())
        return loops[-1]

    before = threading.active_count()
    monkeypatch.setattr(asyncio, "new_event_loop", opened)
    if fails == "start":
        monkeypatch.setattr(asyncio, "run_coroutine_threadsafe", None)  # no loop runs
    of = {"new_event_loop": asyncio, "start": threading.Thread, "__init__": Zeroconf}
    refused = OSError(errno.EMFILE, "Too many open files")
    monkeypatch.setattr(of[fails], fails, Mock(side_effect=refused))
    with pytest.raises(OSError, match="Too many open files"):
        zeroconf_on([LOOPBACK])
    assert threading.active_count() == before
    assert all(loop.is_closed() for loop in loops)


def test_the_event_loop_ends_with_mdns() -> None:
    """The loop's thread is a daemon, so that a program can exit even if the thread does not end."""
    before = threading.enumerate()
    for _ in range(2):
        zeroconf = zeroconf_on([LOOPBACK])
        loop = zeroconf.loop
        assert loop is not None
        assert zeroconf.started
        assert [one.daemon for one in threading.enumerate() if one not in before] == [True]
        zeroconf.close()
        zeroconf.close()  # no error
        assert zeroconf.done
        assert loop.is_closed()
    assert set(threading.enumerate()) <= set(before)


def test_no_task_is_left_behind_when_its_loop_ends() -> None:
    """Otherwise asyncio would log the task as destroyed."""
    zeroconf = zeroconf_on([LOOPBACK])
    assert zeroconf.loop is not None
    left: list[asyncio.Task[None]] = []

    async def wait() -> None:
        task = asyncio.current_task()
        assert task is not None
        left.append(task)
        try:
            await asyncio.Event().wait()
        finally:
            await asyncio.sleep(0.05)  # like a task that still has something to send

    asyncio.run_coroutine_threadsafe(wait(), zeroconf.loop)
    zeroconf.close()
    (task,) = left
    assert task.cancelled()


def test_mdns_is_outdated_once_the_machine_has_other_addresses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The loopback counts only if the machine has no other address."""
    up = [LAN, LOOPBACK]
    monkeypatch.setattr(module, "interfaces", lambda: tuple(up))
    monkeypatch.setattr(module, "zeroconf_on", asked := Mock())
    monkeypatch.setattr(module, "ServiceBrowser", Mock())
    mdns = Mdns(SERVICE, nobody)
    assert mdns.is_outdated, "mDNS that is not open yet is not outdated"
    mdns.open()
    assert asked.call_args_list == [call((LAN,))]
    assert not mdns.is_outdated
    up[:] = [LOOPBACK]
    assert mdns.is_outdated
    mdns.close()
    mdns.open()
    assert asked.call_args_list == [call((LAN,)), call((LOOPBACK,))]
    assert not mdns.is_outdated
    mdns.close()
    assert mdns.is_outdated


def test_nothing_is_announced_before_the_network_is_heard() -> None:
    with pytest.raises(OSError, match="not open"):
        Mdns(SERVICE, nobody).announce(BEACON.to_service(HOST.sign))


def test_a_later_announcement_replaces_the_earlier_one(monkeypatch: pytest.MonkeyPatch) -> None:
    zeroconf = Mock()
    monkeypatch.setattr(module, "zeroconf_on", Mock(return_value=zeroconf))
    monkeypatch.setattr(module, "ServiceBrowser", Mock(return_value=zeroconf.browser))
    monkeypatch.setattr(module, "_Listener", Mock(return_value=zeroconf.listener))
    first, second = (evolve(BEACON, port=port).to_service(HOST.sign) for port in (7, 8))
    mdns = Mdns(SERVICE, nobody)
    mdns.close()  # no error, although it is not open
    for _ in range(2):
        mdns.open()
        for service in (first, second):
            mdns.announce(service)
        mdns.close()
        assert zeroconf.mock_calls == [
            call.add_listener(ANY, None),
            call.register_service(first),
            call.update_service(second),
            call.listener.close(),
            call.browser.cancel(),
            call.close(),
        ]
        zeroconf.reset_mock()


@define
class Questions:
    """A listener's questions, which wait until the test answers them."""

    asked: list["Future[None]"] = field(factory=list)

    def ask(self, question: Coroutine[Any, Any, None], _loop: object) -> "Future[None]":
        question.close()
        self.asked.append(Future())
        return self.asked[-1]

    @property
    def open(self) -> list[int]:
        return [number for number, one in enumerate(self.asked) if not one.done()]


@pytest.fixture
def questions(monkeypatch: pytest.MonkeyPatch) -> Questions:
    found = Questions()
    monkeypatch.setattr(asyncio, "run_coroutine_threadsafe", found.ask)
    return found


RUNNING: Any = SimpleNamespace(loop="a loop", done=False)


def test_only_a_few_names_are_asked_for_at_once(questions: Questions) -> None:
    """A new question replaces an answered one or one for the same name, or else the oldest one."""
    listener = _Listener(nobody, from_here)
    for number in range(MOST_ASKED):
        listener.add_service(RUNNING, SERVICE, f"{number}")
    left = {*range(MOST_ASKED)}
    assert {*questions.open} == left
    questions.asked[5].set_result(None)
    listener.add_service(RUNNING, SERVICE, "one more")
    assert {*questions.open} == (left := left - {5} | {MOST_ASKED})
    listener.update_service(RUNNING, SERVICE, "3")
    assert {*questions.open} == (left := left - {3} | {MOST_ASKED + 1})
    listener.add_service(RUNNING, SERVICE, "one too many")
    assert {*questions.open} == left - {0} | {MOST_ASKED + 2}
    listener.close()
    assert questions.open == []


@pytest.mark.parametrize(
    "zeroconf",
    [SimpleNamespace(loop=None, done=False), SimpleNamespace(loop="a loop", done=True)],
    ids=["before it runs", "when it ends"],
)
def test_nothing_is_asked_if_no_answer_could_be_heard(questions: Questions, zeroconf: Any) -> None:
    _Listener(nobody, from_here).add_service(zeroconf, SERVICE, "one")
    assert questions.asked == []


def test_a_service_that_has_gone_is_reported_and_not_asked_for(questions: Questions) -> None:
    told: list[tuple[str, object]] = []
    listener = _Listener(lambda name, service, _: told.append((name, service)), from_here)
    listener.add_service(RUNNING, SERVICE, "one")
    listener.remove_service(RUNNING, SERVICE, "one")
    assert questions.open == []
    assert told == [("one", None)]


@pytest.mark.parametrize("answers", [True, False])
async def test_only_services_that_answer_are_reported(
    monkeypatch: pytest.MonkeyPatch, answers: bool
) -> None:
    told: list[str] = []
    monkeypatch.setattr(AsyncServiceInfo, "async_request", AsyncMock(return_value=answers))
    await _Listener(lambda name, *_: told.append(name), from_here)._ask(
        RUNNING, SERVICE, f"one.{SERVICE}"
    )
    assert told == answers * [f"one.{SERVICE}"]


async def test_a_table_is_found_updated_and_removed() -> None:
    """This is real mDNS on this machine's own interfaces, with a port that nobody calls."""
    announcer = Identity.generate()
    mine = evolve(BEACON, key=announcer.public, tag=tag_of(OWNER, OWNER, announcer.public))
    call = AsyncMock(return_value=BeaconAnswer(OWNER, "192.0.2.1"))

    def found(beacons: Beacons) -> list[int]:
        return [beacon.free for beacon in beacons.tables if beacon.key == mine.key]

    with trio.fail_after(PATIENCE):
        async with open_beacons(call) as watching:
            async with open_beacons(call) as announcing:
                await announcing.announce(mine, announcer.sign)
                while found(watching) != [3]:
                    await watching.changed()
                assert watching.of(OWNER, [OWNER])[0].port == 7
                assert not watching.of(OWNER, [KEY])
                await announcing.announce(evolve(mine, free=0), announcer.sign)
                while found(watching) != [0]:
                    await watching.changed()
                call.return_value = None
            while found(watching):
                await watching.changed()


async def test_names_without_an_answer_delay_nothing() -> None:
    """Among a thousand of them a real table is found, and closing waits for no answer."""
    heard: list[str] = []
    found = trio.Event()
    token = trio.lowlevel.current_trio_token()

    def note(name: str, service: ServiceInfo | None, _senders: Sequence[str]) -> None:
        if service is not None:
            heard.append(name)
            token.run_sync_soon(found.set)

    announcer = Identity.generate()
    real = evolve(BEACON, key=announcer.public).to_service(announcer.sign)
    async with real_mdns() as other:
        async with real_mdns(note) as mdns:
            listener = mdns._listener
            assert listener is not None
            assert mdns._zeroconf is not None
            for number in range(1000):
                listener.add_service(mdns._zeroconf, SERVICE, f"nobody-{number}.{SERVICE}")
            assert len(listener._asking) <= MOST_ASKED
            await trio.to_thread.run_sync(other.announce, real)
            with trio.fail_after(PATIENCE):
                while not any(name.startswith(announcer.public.hex()[:24]) for name in heard):
                    await found.wait()
                    found = trio.Event()
        assert listener._asking == {}


# -- Nothing on the network holds up the end of a program for long


@pytest.fixture
def opens_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Mdns, "open", lambda _mdns: None)
    monkeypatch.setattr(Mdns, "is_outdated", False)


@pytest.mark.usefixtures("opens_at_once")
async def test_mdns_that_does_not_close_is_abandoned(
    monkeypatch: pytest.MonkeyPatch, mock_clock: MockClock
) -> None:
    """The thread that closes mDNS is abandoned; the clock jumps ahead, as all tasks are idle."""
    mock_clock.autojump_threshold = 0
    end = threading.Event()
    closed: list[Mdns] = []

    def close(mdns: Mdns) -> None:
        end.wait(PATIENCE)
        closed.append(mdns)

    monkeypatch.setattr(Mdns, "close", close)
    try:
        began = trio.current_time()
        async with open_beacons(AsyncMock()):
            pass
        assert trio.current_time() - began == pytest.approx(CLOSE_SECONDS)
        assert not closed
    finally:
        end.set()


@pytest.mark.usefixtures("opens_at_once")
async def test_an_error_while_mdns_closes_is_not_shown_to_a_player_who_leaves(
    monkeypatch: pytest.MonkeyPatch, autojump_clock: MockClock
) -> None:
    """Zeroconf raises the error if its thread is too busy to say goodbye."""
    monkeypatch.setattr(Mdns, "close", close := Mock(side_effect=EventLoopBlocked))
    async with open_beacons(AsyncMock()):
        pass
    assert close.called

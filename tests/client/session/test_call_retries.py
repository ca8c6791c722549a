"""The decision after a failed call: whether to call again, when, and what the person reads."""

import random

import pytest
import trio

from client.session.call_retries import GIVE_UP_SECONDS, CallingAgain, Meanwhile
from p2p.lobby.guest import NotAnnounced, NotUnderstood
from p2p.refusals import Reason
from p2p.transport.endpoint import Declined
from p2p.transport.frames import LinkClosed, LinkError, LinkStalled
from p2p.transport.link import Unreachable
from p2p.transport.tls import HungUp

pytestmark = pytest.mark.usefixtures("autojump_clock")

QUEUE = Declined(Reason.TOO_MANY_KNOCK)
BUSY = HungUp("Busy.")
BROKE = LinkClosed("It broke.")
AWAY = Unreachable("Nobody answers.")
SEATED = Declined(Reason.SEATED_ALREADY)
NO_TABLE = Declined(Reason.NO_TABLE)
FULL = Declined(Reason.TABLE_FULL)
TURNED_AWAY = Declined(Reason.TURNED_AWAY)
OTHER = NotAnnounced("Another.")
ODD = NotUnderstood("Nothing.")

ALWAYS, AT_FIRST, NEVER = float("inf"), GIVE_UP_SECONDS, 0.0


class Steady(random.Random):
    """A source of chance that is asked for numbers from 1 to 2, and gives 1.5."""

    def uniform(self, a: float, b: float) -> float:
        assert (a, b) == (1, 2)
        return 1.5


def calling(*, was_there: bool) -> CallingAgain:
    """Return the decisions of a caller; if `was_there`, a node of the table has answered before."""
    meanwhile = Meanwhile("Busy.", "Broken.", {Reason.TOO_MANY_KNOCK: "Too many."}, 5.0)
    again = CallingAgain(meanwhile, Steady())
    if was_there:
        again.answered()
    return again


@pytest.mark.parametrize(
    ("error", "was_there", "until", "sentence", "pause"),
    [
        (QUEUE, False, ALWAYS, "Too many.", 7.5),
        (QUEUE, True, ALWAYS, "Too many.", 7.5),
        (BUSY, False, AT_FIRST, "Busy.", 0.18),
        (BUSY, True, AT_FIRST, "Broken.", 1.5),
        (BROKE, False, AT_FIRST, "Busy.", 1.5),
        (BROKE, True, AT_FIRST, "Broken.", 1.5),
        (LinkStalled("Slow."), False, AT_FIRST, "Busy.", 1.5),
        (AWAY, False, NEVER, "Busy.", 1.5),
        (AWAY, True, AT_FIRST, "Broken.", 1.5),
        (SEATED, False, NEVER, "Busy.", 1.5),
        (SEATED, True, AT_FIRST, "Broken.", 1.5),
        (NO_TABLE, False, NEVER, "Busy.", 1.5),
        (NO_TABLE, True, AT_FIRST, "Broken.", 1.5),
        (OTHER, False, NEVER, "Busy.", 1.5),
        (OTHER, True, AT_FIRST, "Broken.", 1.5),
        *[
            (final, was_there, NEVER, "Broken." if was_there else "Busy.", 1.5)
            for final in (FULL, TURNED_AWAY, ODD)
            for was_there in (False, True)
        ],
    ],
)
async def test_each_error_has_its_own_sentence_pause_and_time_limit(
    error: LinkError, was_there: bool, until: float, sentence: str, pause: float
) -> None:
    """Another call may help until `until` seconds after the first failed one.

    `pause` is 1.5 times the minimum pause.
    """
    again = calling(was_there=was_there)
    assert again.sentence(error) == sentence
    began = trio.current_time()
    for seconds in (0, GIVE_UP_SECONDS - 1, GIVE_UP_SECONDS, 10 * GIVE_UP_SECONDS):
        await trio.sleep_until(began + seconds)
        assert again.may_help(error) is (seconds < until), seconds
    began = trio.current_time()
    await again.pause(error)
    assert trio.current_time() - began == pytest.approx(pause)


async def test_each_answer_starts_the_time_limit_afresh() -> None:
    again = calling(was_there=True)
    for _ in range(3):
        await trio.sleep(GIVE_UP_SECONDS - 1)
        assert again.may_help(AWAY)
        again.answered()
    await trio.sleep(GIVE_UP_SECONDS)
    assert not again.may_help(AWAY)

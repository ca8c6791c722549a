"""The search for a table by its name or its address."""

import re
from pathlib import Path

import pytest
import trio
from attrs import evolve

from client.cli.commands.join import TO_JOIN
from client.cli.commands.tables import table_line
from client.cli.commands.watch import TO_WATCH
from client.cli.find_table import NoTable, Wanted, address_of, checked_target, find, typed_way_to
from client.errors import BadRequest
from client.session.joined_lobby import Target
from client.session.network_node import NetworkNode
from p2p.discovery.beacon import Beacon
from p2p.discovery.interfaces import DEFAULT_PORT
from p2p.storage.data_path import JOURNAL_FILE
from p2p.storage.identity import Identity
from p2p.storage.journal import Journal
from p2p.transport.endpoint import Endpoint
from tests.client.cli.tables_that_answer import TablesThatAnswer


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("192.0.2.1", Target(("192.0.2.1",), DEFAULT_PORT)),
        ("192.0.2.1:7", Target(("192.0.2.1",), 7)),
        ("ana.local:7", Target(("ana.local",), 7)),
        ("[2001:db8::1]:7", Target(("2001:db8::1",), 7)),
        ("[2001:db8::1]", Target(("2001:db8::1",), DEFAULT_PORT)),
        ("2001:db8::1", Target(("2001:db8::1",), DEFAULT_PORT)),
        ("fe80::1%eth0", Target(("fe80::1%eth0",), DEFAULT_PORT)),
        ("The kitchen", None),
        ("host:x", None),
        ("host:٣", None),
        (":7", None),
        ("the host:7", None),
        ("host:1", Target(("host",), 1)),
        ("host:65535", Target(("host",), 65535)),
        ("host:00007", Target(("host",), 7)),
        ("10.0.0.7.9:7", Target(("10.0.0.7.9",), 7)),
        ("", None),
    ],
)
def test_addresses_are_read_as_people_type_them(text: str, target: Target | None) -> None:
    assert address_of(text) == target


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("127.0.0.1:99999", "“99999” is no port: a port is a number from 1 to 65535."),
        ("host:0", "“0” is no port"),
        ("host:65536", "“65536” is no port"),
        ("host:000007", "“000007” is no port"),
        ("[::1]:1234567890123456789012345", "“12345678901234567890” is no port"),
        ("192.0.2.1:", "“” is no port"),
        ("192.0.2.1:x", "“x” is no port"),
        ("[2001:db8::1]:kitchen", "“kitchen” is no port"),
        ("192.0.2.256", "“192.0.2.256” is no address of a machine"),
        ("0.0.0.0:7", "“0.0.0.0” is no address of a machine"),
    ],
)
def test_an_impossible_address_is_refused_at_once(text: str, wrong: str) -> None:
    for read in (address_of, checked_target):
        with pytest.raises(BadRequest, match=re.escape(wrong)):
            read(text)
    assert checked_target("The kitchen") == "The kitchen"


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Kitchen", False),
        ("Mrs.Dalloway", False),
        ("Local.Heroes", False),
        ("ana.example.org", False),
        ("ana.example.org:24815", True),
        ("Kitchen:24816", True),
        ("192.0.2.1", True),
        ("kitchen.local", True),
        ("Kitchen.Local.", True),
        ("localhost", True),
    ],
)
async def test_an_unknown_table_name_is_not_looked_up_in_dns(
    home: Path, *, text: str, asked: bool
) -> None:
    ana = Identity.generate()
    with Journal.open(home / JOURNAL_FILE) as journal:
        local = NetworkNode(home, Endpoint(ana), journal, None, ana)
        if asked:
            (target,) = await find(local, text, TO_JOIN)
            assert target.hosts == (text.partition(":")[0],)
        else:
            with pytest.raises(NoTable):
                await find(local, text, TO_JOIN)


OPEN = Beacon(bytes([1]) * 32, ("192.0.2.1",), 7, "Kitchen", "canasta", 4, 3)
BEGUN = evolve(OPEN, begun="00" * 8, free=0)
WATCHED = evolve(BEGUN, spectators=True)


ATTIC = evolve(OPEN, key=bytes([2]) * 32, table="Attic", hosts=("192.0.2.2",), port=8)


async def found(
    text: str | None, moments: dict[float, Beacon] | None, wanted: Wanted = TO_JOIN
) -> tuple[list[Target] | str, float]:
    """Return the targets or the error for a text, and the seconds that the search took.

    The tables answer at `moments`. If it is None, there are no beacons.
    """
    began = trio.current_time()
    answering = moments or {}
    beacons = TablesThatAnswer({began + at: one for at, one in answering.items()})
    local = NetworkNode(Path(), None, None, None if moments is None else beacons, None)  # type: ignore[arg-type]
    try:
        end: list[Target] | str = await find(local, text, wanted)
    except NoTable as error:
        end = str(error)
    return end, trio.current_time() - began


NONE_CALLED = "No table on this network is called “{}”. ".format


@pytest.mark.usefixtures("autojump_clock")
@pytest.mark.parametrize(
    ("wanted", "text", "tables", "said"),
    [
        (TO_JOIN, "Kitchn", [OPEN], NONE_CALLED("Kitchn") + "Did you mean “Kitchen”?"),
        (TO_JOIN, "Roof", [OPEN, ATTIC], f"There are: {table_line(ATTIC)}; {table_line(OPEN)}."),
        (TO_JOIN, "Roof", [], f"{NONE_CALLED('Roof')}{TO_JOIN.none}"),
        (TO_JOIN, "Roof", None, f"{NONE_CALLED('Roof')}{TO_JOIN.none}"),
        (TO_JOIN, "Roof", [BEGUN], f"{NONE_CALLED('Roof')}{TO_JOIN.none}"),
        (TO_JOIN, "kitchen", [BEGUN], "The match at “Kitchen” has begun, and no seat is free."),
        (TO_JOIN, "kitchen", [WATCHED], "You can look on: sobremesa watch Kitchen"),
        (TO_JOIN, "--x; ls", [evolve(WATCHED, table="--x; ls")], "sobremesa watch 192.0.2.1:7"),
        (TO_JOIN, "a; ls", [evolve(WATCHED, table="a; ls")], "sobremesa watch 'a; ls'"),
        (TO_JOIN, None, [], "join it by its address: sobremesa join HOST:PORT."),
        (
            TO_JOIN,
            None,
            [OPEN, ATTIC],
            f"Name one of them, or its address: {table_line(ATTIC)}; {table_line(OPEN)}.",
        ),
        (TO_WATCH, None, [OPEN], "watch it by its address: sobremesa watch HOST:PORT."),
        (TO_WATCH, "kitchen", [OPEN], "has not begun. To play there: sobremesa join Kitchen"),
        (TO_WATCH, "kitchen", [BEGUN], "“Kitchen” admits no spectators"),
        (TO_WATCH, "kitchn", [OPEN, WATCHED], "Did you mean “Kitchen”?"),
        (TO_WATCH, "kitchn", [OPEN, evolve(WATCHED, table="Attic")], "Did you mean “Kitchen”?"),
        (TO_JOIN, "kitchn", [BEGUN], "Did you mean “Kitchen”?"),
        # A table that can be joined is suggested before another that is more similar.
        (TO_JOIN, "Kitchn", [evolve(BEGUN, table="Kitchn2"), OPEN], "Did you mean “Kitchen”?"),
    ],
)
async def test_the_error_for_a_table_that_does_not_fit_says_what_can_be_done(
    wanted: Wanted, text: str | None, tables: list[Beacon] | None, said: str
) -> None:
    moments = None if tables is None else {0.1 * at: one for at, one in enumerate(tables)}
    error, _seconds = await found(text, moments, wanted)
    assert said in str(error)


LOCAL = evolve(OPEN, table="Kitchen.local")


@pytest.mark.usefixtures("autojump_clock")
@pytest.mark.parametrize(
    ("text", "moments", "end", "seconds"),
    [
        (None, {0.5: OPEN}, OPEN, 2),
        (None, {0.5: BEGUN, 3: OPEN}, OPEN, 4.5),
        (None, {3: OPEN, 4.75: ATTIC}, OPEN, 4.5),
        ("attic", {3: OPEN, 4.75: ATTIC}, ATTIC, 5),
        ("KITCHEN", {0: ATTIC, 1: OPEN}, OPEN, 2.5),
        ("kitchen.local", {0: LOCAL}, LOCAL, 1.5),
        ("kitchen.local", {0: OPEN}, Target(("kitchen.local",), DEFAULT_PORT), 5),
        ("192.0.2.1", {0: OPEN}, Target(("192.0.2.1",), DEFAULT_PORT), 0),
        ("kitchen:7", {0: OPEN}, Target(("kitchen",), 7), 0),
        ("localhost", None, Target(("localhost",), DEFAULT_PORT), 0),
        (f"kitchen:{DEFAULT_PORT}", None, Target(("kitchen",), DEFAULT_PORT), 0),
    ],
)
async def test_the_search_ends_a_moment_after_the_first_answer(
    text: str | None, moments: dict[float, Beacon] | None, end: Beacon | Target, seconds: float
) -> None:
    """The moment is for other tables: an answer after 0.5 s ends the search after 2 s.

    Without any answer the search ends after five seconds.
    """
    if isinstance(end, Beacon):
        end = Target(end.hosts, end.port, announced_by=end.key)
    assert await found(text, moments) == ([end], seconds)


@pytest.mark.parametrize(
    ("table", "way"),
    [("Kitchen", "Kitchen"), ("-x", "192.0.2.1:7"), ("a b", "'a b'"), ("a-b", "a-b")],
)
def test_the_suggested_way_to_a_table_can_be_typed_in_a_shell(table: str, way: str) -> None:
    assert typed_way_to(evolve(OPEN, table=table)) == way

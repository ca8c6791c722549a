"""The heights that members are known to have: those that count, and those that are passed on."""

from p2p.table.heights import Heights
from p2p.transport.messages import Acknowledgement, Status
from tests.p2p.table.mesh_peers import (
    ANA,
    BRUNO,
    CARLA,
    CARLAS,
    FakeTable,
    acknowledged,
    entry,
    record,
)

BRUNOS = 1


def ana_knows(length: int = 3) -> tuple[Heights, FakeTable]:
    table = FakeTable(record(length))
    return Heights(table, 0, ANA.sign), table


def by_bruno(height: int, *others: tuple[int, Acknowledgement], branch: int = 0) -> Status:
    return Status(acknowledged(BRUNO, height, entry(height, branch)), others)


def carla_at(height: int, branch: int = 0) -> tuple[int, Acknowledgement]:
    return CARLAS, acknowledged(CARLA, height, entry(height, branch))


def test_of_whom_nothing_was_heard_nothing_is_known() -> None:
    known, _ = ana_knows()
    assert known.all == (3, 0, 0)
    assert known.of(BRUNOS) is None
    assert not known.has_spoken(BRUNOS)
    assert not known.is_apart(BRUNOS)


def test_what_is_new_of_anybody_is_news_once() -> None:
    known, _ = ana_knows()
    assert known.hear(BRUNOS, BRUNO.public, by_bruno(2))
    assert known.has_spoken(BRUNOS)
    assert not known.hear(BRUNOS, BRUNO.public, by_bruno(2))
    assert known.hear(BRUNOS, BRUNO.public, by_bruno(2, carla_at(1)))
    assert not known.has_spoken(CARLAS)
    assert not known.hear(BRUNOS, BRUNO.public, by_bruno(2, carla_at(1)))
    assert known.hear(BRUNOS, BRUNO.public, by_bruno(3, carla_at(1)))
    assert known.all == (3, 3, 1)
    assert known.hear(BRUNOS, BRUNO.public, by_bruno(2, carla_at(2)))
    assert known.see(CARLAS, 3)
    assert not known.see(CARLAS, 3)
    assert known.all == (3, 2, 3)


def test_what_is_refused_of_others_is_no_news() -> None:
    known, _ = ana_knows()
    assert known.hear(BRUNOS, BRUNO.public, by_bruno(3))
    own = (0, acknowledged(ANA, 2, entry(2)))
    nobody = (3, acknowledged(CARLA, 2, entry(2)))
    false = (CARLAS, acknowledged(BRUNO, 2, entry(2)))
    for told in (own, nobody, false, carla_at(2, branch=1), carla_at(4)):
        assert not known.hear(BRUNOS, BRUNO.public, by_bruno(3, told))
        assert known.all == (3, 3, 0)
        assert [player for player, _ in known.status().others] == [BRUNOS]


def test_nothing_is_heard_behind_who_has_taken_entries_back() -> None:
    """Heights that others pass on may be older than the member's own word."""
    known, _ = ana_knows()
    apart = acknowledged(CARLA, 3, entry(3, branch=1))
    known.hear(CARLAS, CARLA.public, Status(apart))
    assert known.is_apart(CARLAS)
    known.hear(BRUNOS, BRUNO.public, by_bruno(3))
    for height in (2, 3):
        assert not known.hear(BRUNOS, BRUNO.public, by_bruno(3, carla_at(height)))
        assert known.is_apart(CARLAS)
    assert known.all == (3, 3, 3)


def test_who_has_another_record_is_apart_as_far_as_ours_goes() -> None:
    known, table = ana_knows()
    for height, branch, apart in ((3, 0, False), (3, 1, True), (2, 1, True), (4, 1, False)):
        known.hear(BRUNOS, BRUNO.public, by_bruno(height, branch=branch))
        assert known.is_apart(BRUNOS) == apart
    table.record.append(entry(4))
    assert known.is_apart(BRUNOS)


def test_what_our_record_bears_out_is_passed_on_in_the_order_of_members() -> None:
    known, table = ana_knows()
    carla = carla_at(3)
    known.hear(CARLAS, CARLA.public, Status(carla[1]))
    bruno = by_bruno(4)
    known.hear(BRUNOS, BRUNO.public, bruno)
    assert known.status().others == (carla,)
    table.record.append(entry(4))
    assert known.status().others == ((BRUNOS, bruno.own), carla)


def test_the_own_height_is_signed_once_and_anew_when_the_record_is_another() -> None:
    known, table = ana_knows()
    said = known.status().own
    assert said.is_signed_by(table.table_id, ANA.public)
    assert known.status().own is said
    table.record[-1] = entry(3, branch=1)
    assert (known.status().height, known.status().head) == (3, entry(3, branch=1))
    del table.record[-1]
    assert (known.status().height, known.status().head) == (2, entry(2))

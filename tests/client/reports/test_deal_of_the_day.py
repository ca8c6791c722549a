"""A deal of the day, played to its end: the record has the cards that its charter promises."""

import random
from functools import partial
from pathlib import Path

import pytest
import trio
from attrs import evolve

from client.i18n.language import choose_language
from client.reports.auditing import audit_file
from client.reports.deal_of_the_day_check import cards_as_promised, day_lines, is_deal_of_the_day
from client.reports.ledger.ledger import ledger_of
from client.reports.ledger.match import AuditedFile, audit_match
from client.reports.ledger.text import day_results
from client.reports.model import AuditReport
from client.session.run_until_signal import until_signalled
from client.session.solo import LEVEL_OF_THE_DAY, SoloTables
from client.settings import Settings
from engine.games import GAMES
from engine.slots import Slot
from p2p.storage.data_path import HOME_VARIABLE
from protocol.extensions import day_extension
from tests.client.session.regulars import play
from tests.in_memory_table import InMemoryTable
from tests.patience import PATIENCE

DAY = "2026-11-23"
CANASTRA = GAMES["canastra"]


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the record of a round as `solo --deal` plays it."""
    home = tmp_path_factory.mktemp("home")
    home.chmod(0o700)
    settings = Settings(name="Ana", level="easy", pace="at once")

    async def played() -> Path:
        with trio.fail_after(PATIENCE):
            outcome = await until_signalled(
                partial(SoloTables(settings, play).of_the_day, CANASTRA, DAY)
            )
        assert outcome.record is not None
        return outcome.record

    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv(HOME_VARIABLE, str(home))
        return trio.run(played)


@pytest.fixture(scope="module")
def report(record: Path) -> AuditReport:
    return audit_file(record)


def test_a_deal_of_the_day_is_sound_and_has_its_day(report: AuditReport) -> None:
    assert report.sound
    assert report.table is not None
    assert (report.table.day, report.table.opponents) == ("2026-11-23", LEVEL_OF_THE_DAY)
    assert report.table.extensions == (), "this program knows both extensions"
    assert is_deal_of_the_day(report)
    told = "\n".join(day_lines(report))
    assert "Deal of the day 2026-11-23" in told
    assert "all are the same" in told
    assert "level strong" in told
    right, total = cards_as_promised(report)
    assert right == total > 40


def test_cards_that_differ_from_the_deal_of_the_day_are_noticed(report: AuditReport) -> None:
    """The attack: a charter names a day, and its players shuffle as they like."""
    assert report.table is not None
    other = evolve(report, table=evolve(report.table, day="2026-11-24"))
    assert not is_deal_of_the_day(other)
    assert "somebody has not shuffled as promised" in "\n".join(day_lines(other))


def test_all_tables_of_a_day_have_the_same_cards(report: AuditReport) -> None:
    """The second table has other people, locks and language, as on another machine."""
    choose_language("pt")
    chance = random.Random(5)
    options = CANASTRA.options(rounds=1)
    names = ("Eve", "Gloria")
    table = InMemoryTable.sit(CANASTRA, options, names, chance.randbytes, (day_extension(DAY),))
    while table.state.match.orders:
        table.write()
    deal = report.rounds[-1].deals[0]
    faces = {given.slot: given.card for given in deal.given if given.dealt}
    count = 0
    for player in range(2):
        view = table.view(player)
        assert view is not None
        for shown in view.hand(table.state.match.seat_of(player)):
            if Slot(shown.slot) in faces:
                assert faces[shown.slot] == shown.card.number
                count += 1
    assert count >= 22


def test_the_ledger_compares_results_of_one_deal_of_the_day(record: Path) -> None:
    mine = audit_match(record)
    assert mine.match is not None
    assert (mine.match.day, mine.match.opponents) == ("2026-11-23", "strong")
    side = mine.match.sides[0]
    more = tuple(t + 100 * (at == side) for at, t in enumerate(mine.match.totals))
    friend = evolve(mine.match, match="ff", names=("Eve", "Bruno"), totals=more)
    other = evolve(mine.match, match="ee", day="")
    before = evolve(mine.match, match="dd", day="2026-11-22")
    ledger = ledger_of(
        (f"{at}", AuditedFile(f"{at:064x}", one))
        for at, one in enumerate((mine.match, friend, other, before))
    )
    first, line = day_results(ledger)
    assert first.startswith("2026-11-22, Canastra of 2: Ana ")
    assert line.startswith("2026-11-23, Canastra of 2: Eve ")
    assert ", Ana " in line

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
from client.reports.ledger.audit_files import AuditedFile, audit_match
from client.reports.ledger.ledger import ledger_of
from client.reports.ledger.text import day_results
from client.reports.model import AuditReport, DealReport
from client.session.run_until_signal import until_signalled
from client.session.solo import LEVEL_OF_THE_DAY, SoloTables
from client.settings import Settings
from engine.games import GAMES
from engine.slots import Slot
from p2p.storage.data_path import HOME_VARIABLE
from protocol.deal_of_the_day import day_extension
from tests.client.session.sessions import play
from tests.in_memory_table import InMemoryTable

DAY = "2026-11-23"
CANASTRA = GAMES["canastra"]


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the record of a round that is played as by `solo --deal`."""
    home = tmp_path_factory.mktemp("home")
    home.chmod(0o700)
    settings = Settings(name="Ana", level="easy", pace="at once")

    tables = SoloTables(settings, play)
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv(HOME_VARIABLE, str(home))
        outcome = trio.run(until_signalled, partial(tables.of_the_day, CANASTRA, DAY))
    assert outcome.record is not None
    return outcome.record


@pytest.fixture(scope="module")
def report(record: Path) -> AuditReport:
    return audit_file(record)


def test_the_record_of_a_deal_of_the_day_is_sound_and_names_its_day(report: AuditReport) -> None:
    assert report.sound
    assert report.table is not None
    assert (report.table.day, report.table.opponents) == ("2026-11-23", LEVEL_OF_THE_DAY)
    assert report.table.extensions == (), (
        "the extensions for the day and for the opponents must not be listed as unknown"
    )
    assert is_deal_of_the_day(report)
    opened = [g for r in report.rounds for d in r.deals for g in d.given if g.card is not None]
    total = len(opened)
    assert total > 40
    assert cards_as_promised(report) == (total, total)
    assert list(day_lines(report)) == [
        "Opponents: programs of the level strong play for all but Ana",
        (
            "Deal of the day 2026-11-23: each shuffle is proven, and follows from the date. "
            "Everybody gets these cards, and anybody could work them out beforehand"
        ),
        f"{total} opened cards are compared with that deal: all are the same",
    ]


def test_only_opened_cards_are_compared_by_their_distance_from_the_first_slot_of_the_deal(
    report: AuditReport,
) -> None:
    def shifted(deal: DealReport) -> DealReport:
        given = tuple(evolve(one, slot=one.slot + 5) for one in deal.given)
        return evolve(deal, first=deal.first + 5, given=given)

    rounds = [evolve(r, deals=tuple(map(shifted, r.deals))) for r in report.rounds]
    assert cards_as_promised(evolve(report, rounds=rounds)) == cards_as_promised(report)
    draw, counted = report.rounds
    one = evolve(counted.deals[0], given=counted.deals[0].given[:1])
    single = evolve(report, rounds=(evolve(draw, deals=()), evolve(counted, deals=(one,))))
    nothing, no_table = evolve(report, rounds=()), evolve(report, table=None)
    assert (cards_as_promised(single), cards_as_promised(nothing)) == ((1, 1), (0, 0))
    assert [*map(is_deal_of_the_day, (single, nothing, no_table))] == [True, False, False]


def test_cards_that_differ_from_the_deal_of_the_day_are_noticed(report: AuditReport) -> None:
    """The attack: a charter names a day, but its players do not shuffle as the day prescribes."""
    assert report.table is not None
    other = evolve(report, table=evolve(report.table, day="2026-11-24"))
    assert not is_deal_of_the_day(other)
    right, total = cards_as_promised(other)
    assert list(day_lines(other))[-1] == (
        f"{total - right} opened cards are not in the deal of the day: somebody has not shuffled "
        "as promised"
    )
    draw, counted = report.rounds
    first, *others = counted.deals[0].given
    given = (evolve(first, card=others[0].card), *others)
    round_ = evolve(counted, deals=(evolve(counted.deals[0], given=given),))
    assert list(day_lines(evolve(report, rounds=(draw, round_))))[-1] == (
        "1 opened card is not in the deal of the day: somebody has not shuffled as promised"
    )
    assert not is_deal_of_the_day(evolve(report, table=evolve(report.table, day="")))
    plain = evolve(report.table, day="", opponents="")
    assert list(day_lines(evolve(report, table=plain))) == []


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

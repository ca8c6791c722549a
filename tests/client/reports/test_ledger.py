"""The ledger: each match with a sound record counts once, and results belong to keys, not names."""

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from attrs import evolve

from client.cli.main import main
from client.record_files import RecordError
from client.reports.ledger import audit_files
from client.reports.ledger.ledger import ledger_of
from client.reports.ledger.match import LedgerMatch, RoundResult, match_of
from client.reports.ledger.page import ledger_page
from client.reports.ledger.text import ledger_json, ledger_lines
from p2p.storage.private_files import data_folder
from tests.client.reports.audited import ANA, BRUNO, CARLA, DIEGO, PAIRS, checksums
from tests.client.reports.audited import audited as audited_once
from tests.client.ui.tui.golden import check_file
from tests.protocol.played import played

FOLDER = Path(__file__).parent / "texts"

ALONE = LedgerMatch(
    match="bb",
    game="canastra",
    players=(BRUNO, ANA),
    names=("Bruno", "Anita"),
    sides=(0, 1),
    totals=(700, 400),
    winner=0,
    rounds=(RoundResult({BRUNO: 700, ANA: 400}, {}),),
    signers=(ANA, BRUNO),
)


def numbered(*matches: LedgerMatch) -> list[tuple[str, audit_files.AuditedFile]]:
    return [
        (f"{n}.sobremesa", audit_files.AuditedFile(f"{n:064x}", one))
        for n, one in enumerate(matches, 1)
    ]


def test_results_are_summed_by_key_with_the_latest_name() -> None:
    ledger = ledger_of(numbered(PAIRS, ALONE))
    sums = {one.key: one for one in ledger.players}
    ana = sums[ANA]
    assert (ana.name, ana.matches, ana.wins, ana.points) == ("Anita", 2, 1, 5500)
    assert (ana.canastas, ana.best_round, ana.longest) == (2, (3100, 1), (2, 1))
    assert ana.partners == {CARLA: 1}
    assert ana.opponents == {BRUNO: 2, DIEGO: 1}
    assert ana.curve == [(1, 5100), (2, 5500)]
    assert ana.records == [1, 2]
    assert sums[CARLA].records == [1]
    assert sums[BRUNO].best_round == (3200, 1)
    assert [one.name for one in ledger.players] == ["Anita", "Carla", "Bruno", "Diego"]


def test_the_best_round_and_the_longest_match_may_come_later() -> None:
    (ana,) = (one for one in ledger_of(numbered(ALONE, PAIRS)).players if one.key == ANA)
    assert (ana.best_round, ana.longest, ana.name) == ((3100, 2), (2, 2), "Ana")
    longer = evolve(PAIRS, rounds=(*PAIRS.rounds, PAIRS.rounds[0]), match="cc")
    first = ledger_of(numbered(longer, PAIRS)).players[0]
    assert (first.longest, first.best_round) == ((3, 1), (3100, 1))
    twice = ledger_of(numbered(PAIRS, evolve(PAIRS, match="cc"))).players
    best = {(one.best_round, one.longest) for one in twice}
    assert best == {((3100, 1), (2, 1)), ((3200, 1), (2, 1))}


def test_one_name_with_two_keys_counts_as_two_players() -> None:
    other = evolve(ALONE, players=(BRUNO, DIEGO), names=("Bruno", "Ana"), match="cc")
    told = sorted((one.name, one.matches) for one in ledger_of(numbered(PAIRS, other)).players)
    assert told == [("Ana", 1), ("Ana", 2), ("Bruno", 2), ("Carla", 1)]


def test_a_match_does_not_count_for_a_replaced_player() -> None:
    gone = evolve(PAIRS, players=(ANA, BRUNO, CARLA, "ff" * 32))
    ledger = ledger_of(numbered(gone))
    assert DIEGO not in {one.key for one in ledger.players}


def test_lines_and_page_of_a_ledger_match_their_file() -> None:
    """The ledger has the deals of two days, and one of these deals was played twice.

    It leaves out two files: a copy, which would count a victory twice, and one without a record.
    """
    day = evolve(ALONE, match="cc", day="2026-11-23", opponents="strong", signers=(ANA, "ee" * 32))
    worse = evolve(day, match="dd", totals=(650, 900), winner=1, rounds=())
    other = evolve(day, match="ee", game="samba", day="2026-11-22", totals=(), winner=None)
    audited = numbered(PAIRS, ALONE, worse, day, other, PAIRS)
    ledger = ledger_of([*audited, ("bad", audit_files.AuditedFile("", None, "No record."))])
    parts = checksums(ledger_page(ledger))
    told = [*ledger_lines(ledger), "", "=== checksums of the page", *parts]
    nothing = ledger_of([])
    told += ["", "=== nothing", *ledger_lines(nothing), *checksums(ledger_page(nothing))]
    check_file(FOLDER / "ledger-en.txt", "\n".join(told))
    assert ledger_json(nothing).startswith('{\n "version": 1,\n')
    assert '"Begoña"' in ledger_json(ledger_of(numbered(evolve(ALONE, names=("Begoña", "Ana")))))


def test_names_are_escaped_on_the_ledger_page() -> None:
    names = ("<b>x</b>", '"><i>', "</main>", "&lt;")
    html = ledger_page(ledger_of(numbered(evolve(PAIRS, names=names))))
    for name in names[:3]:
        assert name not in html.replace("</main></body>", "")
    assert "&amp;lt;" in html
    assert "&lt;b&gt;x&lt;/b&gt;" in html
    assert "script" not in re.sub(r"<style>.*?</style>", "", html, flags=re.DOTALL)
    assert html.count("<polyline") == 4


# -- files


@pytest.fixture
def audited(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Audit files in this process, from an empty cache on. Return the list of audited files."""
    files: list[Path] = []

    def here(
        work: Callable[[Path], Any], asked: Sequence[Path], progress: Callable[[str], None]
    ) -> list[Any]:
        files.extend(asked)
        return [work(file) for file in asked]

    monkeypatch.setattr(audit_files, "each_record", here)
    (data_folder() / audit_files.FILE).unlink(missing_ok=True)
    return files


@pytest.fixture
def record(tmp_path: Path) -> Path:
    path = tmp_path / "one.sobremesa"
    path.write_bytes(played("canastra").record())
    return path


def run(capsys: pytest.CaptureFixture[str], *files: Path) -> tuple[int, dict[str, Any]]:
    code = main(["ledger", "--json", *map(str, files)])
    return code, json.loads(capsys.readouterr().out)


def test_the_ledger_has_the_totals_of_a_sound_record(
    audited: list[Path], record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, told = run(capsys, record)
    match = played("canastra").table.state.match
    keys = [one.key.hex() for one in played("canastra").table.state.charter.members]
    by_key = {one["key"]: one for one in told["players"]}
    sides = [match.seating.index(player) % 2 for player in range(2)]
    assert code == 0
    assert [by_key[key]["points"] for key in keys] == [match.totals[side] for side in sides]
    assert sum(one["wins"] for one in told["players"]) == (match.winner is not None)
    assert told["backings"][0]["match"]["signers"] == keys
    assert told["left"] == []


def test_a_match_of_two_rounds_has_the_gains_of_each_round_and_the_last_signers() -> None:
    report = audited_once()
    first = report.rounds[1]
    assert first.sheet is not None
    assert first.sheet.totals == (50, 745)
    second = evolve(
        first, sheet=evolve(first.sheet, totals=(1000, 700)), signed=((1, 90), (0, 91), (1, 92))
    )
    ana, bruno = (player.key.hex() for player in first.players)
    assert (first.players[0].side, first.players[1].side) == (1, 0)
    both = evolve(report, rounds=(*report.rounds, second), totals=(1000, 700), over=False)
    assert report.table is not None
    assert match_of(both) == LedgerMatch(
        match=report.table.match_id.hex(),
        game="canasta",
        players=(ana, bruno),
        names=("Ana", "Bruno"),
        sides=(1, 0),
        totals=(1000, 700),
        winner=None,
        rounds=(
            RoundResult({ana: 745, bruno: 50}, {ana: 1}),
            RoundResult({ana: -45, bruno: 950}, {ana: 1}),
        ),
        signers=(bruno, ana),
    )
    uncounted = evolve(report, rounds=report.rounds[:1])
    assert (match_of(uncounted).rounds, match_of(uncounted).signers) == ((), ())
    assert match_of(report).winner == report.winner == 1


def test_an_unsound_record_does_not_count_and_the_reason_is_given(
    audited: list[Path], record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cut, junk, missing = (tmp_path / name for name in ("cut", "junk", "missing"))
    cut.write_bytes(played("canastra").record(upto=9))
    junk.write_bytes(b"x")
    code, told = run(capsys, record, cut, junk, missing)
    assert (code, len(told["backings"])) == (1, 1)
    with pytest.raises(RecordError, match="cannot be read"):
        audit_files.file_digest(missing)
    reasons = [(Path(one["file"]).name, one["reason"]) for one in told["left"]]
    assert [file for file, _ in reasons] == ["cut", "junk", "missing"]
    assert reasons[0][1].endswith("sound so far. Every entry up to 9 holds; the match goes on.")
    assert "cannot be read" in reasons[2][1]


def test_audit_results_are_cached_by_the_bytes_of_the_record(
    audited: list[Path], record: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    first = run(capsys, record)
    assert run(capsys, record) == first
    assert audited == [record]
    moved = record.rename(record.with_name("moved.sobremesa"))
    assert run(capsys, moved)[0] == 0
    assert audited == [record]
    data = bytearray(moved.read_bytes())
    data[-1] ^= 1
    moved.write_bytes(data)
    assert run(capsys, moved)[0] == 1, "the cache goes by the bytes, not by the file name"
    assert audited == [record, moved]


def test_a_damaged_or_outdated_cache_is_ignored(audited: list[Path], record: Path) -> None:
    one = audit_files.audit_match(record)
    assert one.match is not None
    folder = data_folder()
    path = folder / audit_files.FILE
    for old, new in (
        *((b'"form": 2', b'"form": 1'), (b'"program": "', b'"program": "0')),
        *((b'"totals"', b'"total"'), (b"}", b"")),
    ):
        audit_files.cache_matches(folder, {one.digest: one.match})
        assert audit_files.cached_matches(folder) == {one.digest: one.match}
        path.write_bytes(path.read_bytes().replace(old, new))
        assert audit_files.cached_matches(folder) == {}, new
    path.write_bytes(b"[]")
    assert audit_files.cached_matches(folder) == {}
    path.unlink()
    assert audit_files.cached_matches(folder) == {}

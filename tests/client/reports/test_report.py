"""The report of an audit has everything of a record, and making it takes constant memory."""

import gc
import json
import pickle
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain, pairwise
from pathlib import Path

import pytest
from attrs import evolve

from client.cli.main import main
from client.i18n.language import choose_language
from client.reports import auditing, rounds_on_disk
from client.reports.as_json import as_json
from client.reports.auditing import audit_file, each_record, progress_bar
from client.reports.gather import Gatherer, card_count
from client.reports.html.page import page
from client.reports.luck.report import luck_report
from client.reports.model import CardCount
from client.reports.rounds_on_disk import KeptRounds
from client.reports.text import report_lines
from client.reports.words import card_places, count_sentence, result, verdict_sentence
from engine.games import GAMES
from engine.hands_set_aside import SetAside
from engine.moves import DrawStock, TakePile, TakeTop
from protocol.audit import Verdict
from protocol.entries import MoveContent, UnlockContent
from protocol.state import State
from protocol.words_for_keys import words
from tests.client.reports.audited import absent, absent_record, audit_bytes, audited
from tests.engine.simulation import states
from tests.protocol.played import played


@pytest.mark.parametrize("game", GAMES)
def test_report_of_a_sound_record_has_all_its_parts(game: str) -> None:
    report, one = audited(game), played(game, 2)
    state = one.table.state
    assert report.sound
    assert report.table is not None
    assert [player.name for player in report.table.players] == ["Ana", "Bruno"]
    assert [player.words for player in report.table.players] == [
        words(member.key) for member in state.charter.members
    ]
    assert [part.number for part in report.rounds] == [0, 1]
    draw, counted = report.rounds
    assert (draw.first, counted.last) == (1, len(one.entries))
    assert counted.first == draw.last + 1
    assert [part.checked.entries.get("close", 0) for part in report.rounds] == [0, 2]
    assert report.totals == state.match.totals
    assert report.winner == state.match.winner
    assert counted.sheet is not None
    assert counted.sheet.sheet == state.match.sheets[0]
    assert sorted(player for player, _ in counted.signed) == [0, 1]
    assert [entry for _, entry in counted.signed] == [counted.last - 1, counted.last]


@pytest.mark.parametrize("game", GAMES)
def test_counts_of_the_rounds_add_up_to_the_totals(game: str) -> None:
    report, one = audited(game), played(game, 2)
    total: Counter[str] = Counter()
    for part in report.rounds:
        total.update(part.checked.entries)
        assert sum(part.checked.entries.values()) == part.last - part.first + 1
    assert total == report.checked.entries
    assert total.total() == len(one.entries)
    assert report.checked.signatures == len(one.entries) + 2
    moved = sum(sum(moves.values()) for part in report.rounds for moves in part.moves)
    assert moved == total["move"]
    rounds = [moment.state.match.round for moment in one.moments]
    aside = [each for each in rounds if isinstance(each, SetAside)]
    told_of = Counter(light.what for part in report.rounds for light in part.highlights)
    assert not aside or told_of[aside[0].takes_up] == max(len(each.took_aside) for each in aside)


@pytest.mark.parametrize("game", GAMES)
def test_the_report_accounts_for_every_card(game: str) -> None:
    report = audited(game)
    assert report.table is not None
    count = report.rounds[1].count
    assert count is not None
    assert count.balanced
    assert count.total == len(report.table.deck.codes)
    for part in report.rounds:
        for deal in part.deals:
            assert sorted(link.player for link in deal.shuffles) == [0, 1]
            assert all(len(link.traces) == len(deal.cards) for link in deal.shuffles)
            given = [one.card for one in deal.given]
            assert None not in given, "in a counted round every card that was given is opened"
            assert len(set(given)) == len(given)
            assert set(given) <= set(deal.cards)
    rounds = (match.round for match, _, _ in states(GAMES[game], GAMES[game].options(), 2, 0))
    hands = next(begun.hands for begun in rounds if begun and begun.has_hands)
    first = report.rounds[1].deals[0].given
    dealt = Counter(one.player for one in first if one.dealt)
    assert sorted(dealt.values()) == sorted(map(len, hands))
    ends = [moment.state.match.round for moment in played(game, 2).moments]
    assert ("bonus" in card_places(count)) == bool(count.bonus)
    aside = max(len(each.took_aside) if isinstance(each, SetAside) else 0 for each in ends)
    assert sum(one.aside for one in first) == aside * min(dealt.values())
    if game == "kanastic":
        assert len(report.rounds[1].deals) > 1, "the stock was rebuilt"


def test_card_count_notices_a_duplicate_and_a_missing_card() -> None:
    moment = played().last("close")
    position, cards = moment.state.match.round, moment.state.cards
    assert position is not None
    assert card_count(position, cards).balanced
    top = position.pile[-1]
    twice = card_count(evolve(position, pile=(*position.pile, top)), cards)
    assert twice.twice == (top.card.number,)
    assert not twice.balanced
    gone = card_count(evolve(position, pile=position.pile[:-1]), cards)
    assert gone.missing == 1
    assert not gone.balanced


@pytest.mark.parametrize("game", ["canasta", "kanastic"])
def test_json_report_is_complete_and_untranslated(game: str) -> None:
    choose_language("es")
    report = audited(game)
    text = "\n".join(as_json([report]))
    assert text.isascii()
    told = json.loads(text)
    assert told["version"] == 1
    (record,) = told["records"]
    assert record["conclusion"]["verdict"] == "sound"
    assert report.table is not None
    assert bytes.fromhex(record["table"]["table_id"]) == report.table.table_id
    count = report.rounds[1].count
    assert count is not None
    assert record["rounds"][1]["count"]["unseen"] == count.unseen
    items = record["rounds"][1]["sheet"]["sheet"]["sides"]
    assert all(item["clause"] for side in items for item in side)


def test_json_report_has_continuations_and_records_without_a_table() -> None:
    ended = audit_bytes(absent_record(substitute=False))
    broken = audit_bytes(played().record(upto=0)[:-1])
    record, other = json.loads("\n".join(as_json([ended, broken])))["records"]
    assert (record["ended"], record["over"], record["conclusion"]["verdict"]) == (
        True,
        False,
        "ended",
    )
    (one,) = record["rounds"][1]["continuations"]
    entries = absent(substitute=False)[2]
    assert (one["entry"], one["players"], one["substitutes"]) == (len(entries), [0], [])
    assert [signer["name"] for signer in one["signers"]] == ["Bruno", "Carla"]
    assert other["table"] is None


def test_the_worst_file_decides_the_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two processes audit the files; an unreadable file does not hide the other results."""
    good, cut, bad = (tmp_path / name for name in ("good", "cut", "bad"))
    good.write_bytes(played().record())
    cut.write_bytes(played().record(upto=12))
    bad.write_text("no record")
    none = str(tmp_path / "none")
    assert main(["audit", str(good), str(bad), str(cut), none, "--json"]) == 2
    shown = capsys.readouterr()
    told = [(one["file"], one["conclusion"]) for one in json.loads(shown.out)["records"]]
    assert [file for file, _ in told] == [str(good), str(bad), str(cut), none]
    found = [(end["verdict"], end["entry"], end["cause"], end["unsigned"]) for _, end in told]
    assert found[0][0] == "sound"
    assert found[1] == ("no record", 0, "R1", [])
    assert found[2][0] == "unfinished"
    assert found[3] == ("unreadable", 0, "", [])
    assert told[1][1].keys() == told[0][1].keys()
    assert "bad: This is no record" in shown.err
    assert main(["audit", str(good), str(good), "--evidence", str(tmp_path / "x")]) == 2
    assert "name that file alone" in capsys.readouterr().err


def test_gathering_entries_takes_constant_memory() -> None:
    """A round in which nobody draws can go on for ever, and must not fill the memory."""
    moments = played("canastra", 2).moments
    states = [moment.state for moment in moments]
    steps = list(pairwise(state for state in states if state.match.round_number == 1))

    def kept(gatherer: Gatherer, some: Iterable[tuple[State, State]]) -> int:
        for before, after in some:
            gatherer.feed(before, after, after.height)
        gc.collect()
        return tracemalloc.get_traced_memory()[0]

    kept(Gatherer(), steps)  # loads modules and fills caches before the measurement
    tracemalloc.start()
    try:
        gatherer = Gatherer()
        begun, grown = kept(gatherer, steps[:60]), kept(gatherer, steps[60:])
    finally:
        tracemalloc.stop()
    assert len(steps) > 300
    assert grown - begun < 20_000


def test_gathering_and_writing_rounds_takes_constant_memory(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Collecting rounds, or writing them in any form, takes no more memory for more rounds."""
    monkeypatch.setattr(rounds_on_disk, "IN_MEMORY", 10_000)
    whole = audited()
    counted = whole.rounds[1]

    def peak(rounds: int) -> int:
        gc.collect()
        tracemalloc.start()
        try:
            many = KeptRounds()
            for place in range(rounds):
                many.append(evolve(counted, number=place + 1))
            report = evolve(whole, rounds=many)
            luck = luck_report([report])
            for part in chain(report_lines(report), as_json([report], luck), page([report], luck)):
                assert len(part) < 60_000
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    peak(1)
    assert peak(12) < 1.15 * peak(6)


def test_kept_rounds_behave_like_a_sequence_also_after_pickling() -> None:
    rounds = audited().rounds
    many = KeptRounds()
    for one in (*rounds, *rounds):
        many.append(one)
    assert len(many) == 4
    assert list(many) == [*rounds, *rounds]
    assert many[-1] == many[1] == rounds[1]
    assert list(many[1:3]) == [rounds[1], rounds[0]]
    with pytest.raises(IndexError):
        many[4]
    sent = pickle.loads(pickle.dumps(many))
    assert sent == many
    assert sent != rounds
    assert sent != len(sent)
    assert sent != [*rounds, rounds[0], rounds[0]]
    sent.append(rounds[0])
    assert (len(sent), len(many)) == (5, 4)
    assert sent[4] == rounds[0]


def test_the_file_of_kept_rounds_is_closed_with_them() -> None:
    many = KeptRounds()
    file = many._file
    assert not file.closed
    del many
    gc.collect()
    assert file.closed


@pytest.mark.parametrize("game", GAMES)
def test_a_round_report_is_small_when_pickled(game: str) -> None:
    report = audited(game)
    assert len(pickle.dumps(report.rounds[1])) < 24_000
    assert pickle.loads(pickle.dumps(report)) == report


def test_a_report_says_if_a_match_is_drawn_or_given_up() -> None:
    report = audited()
    assert result(evolve(report, winner=None)).endswith(" The match is drawn.")
    assert result(evolve(report, over=False)).endswith(".")
    end = evolve(report.conclusion, verdict=Verdict.BROKEN, given_up="Ana")
    said = verdict_sentence(evolve(report, conclusion=end))
    assert said.endswith(" The match was given up by Ana.")


def test_strange_file_names_are_cleaned(tmp_path: Path) -> None:
    path = tmp_path / "a\x1b[31mb\udcff"
    path.write_bytes(played().record(upto=1))
    assert audit_file(path).file.endswith("a?[31mb?")


def test_progress_bar_is_full_only_at_the_end() -> None:
    assert progress_bar(0, 100) == f"[{'.' * 30}]"
    assert progress_bar(99, 100) == f"[{'#' * 29}.]"
    assert progress_bar(100, 100) == progress_bar(1, 1) == f"[{'#' * 30}]"
    assert progress_bar(0, 0) == f"[{'.' * 30}]"


def test_progress_over_many_records_names_their_number(monkeypatch: pytest.MonkeyPatch) -> None:
    def at_once(work: object, files: Sequence[Path], on_done: Callable[[int], None]) -> list[str]:
        assert work is str
        for count in (1, len(files)):
            on_done(count)
        return [*map(str, files)]

    monkeypatch.setattr(auditing, "on_all_cores", at_once)
    told: list[str] = []
    assert each_record(str, 1200 * [Path("a")], told.append) == 1200 * ["a"]
    assert told == ["1 of 1,200 records checked", "1,200 of 1,200 records checked"]


def test_progress_reaches_every_entry(tmp_path: Path) -> None:
    path = tmp_path / "game"
    path.write_bytes(played().record(upto=20))
    seen: list[str] = []
    audit_file(path, seen.append)
    assert [line.split()[3] for line in seen] == list(map(str, range(21)))
    assert seen[-1] == f"[{'#' * 30}] 100 %, 20 entries hold"


@pytest.mark.parametrize("game", GAMES)
def test_report_has_all_draws_and_taken_piles_of_the_match(game: str) -> None:
    """The test compares the report with the moves and the hands of the match itself."""
    one, counted = played(game, 2), audited(game).rounds[1]
    taken, drawing = [], Counter[int]()
    for moment in one.moments:
        content, before = moment.body.content, moment.state.match.round
        if not isinstance(content, MoveContent):
            continue
        drawing[moment.writer] += isinstance(content.move, DrawStock)
        if isinstance(content.move, TakePile | TakeTop):
            assert before is not None
            pile = [shown.card.number for shown in before.pile]
            count = len(pile) if isinstance(content.move, TakePile) else 1
            taken.append((moment.state.height + 1, moment.writer, tuple(pile[-count:])))
    assert [(each.entry, each.player, each.cards) for each in counted.taken] == taken
    entries = {each.entry for deal in counted.deals for each in deal.given if not each.dealt}
    assert len(entries) >= drawing.total() > 10
    by_height = {moment.state.height + 1: moment for moment in one.moments}
    for deal in counted.deals:
        for each in deal.given:
            assert isinstance(by_height[each.entry].body.content, UnlockContent)


@pytest.mark.parametrize(
    ("missing", "twice", "end"),
    [
        (0, (), "every card once."),
        (2, (), "; 2 are not accounted for!"),
        (0, (7,), "; 1 in two places!"),
        (1, (7,), "; 1 are not accounted for!; 1 in two places!"),
    ],
)
def test_count_sentence_names_missing_and_duplicate_cards(
    missing: int, twice: tuple[int, ...], end: str
) -> None:
    count = CardCount(108, 0, 0, 0, 0, missing, twice)
    assert count_sentence(count).endswith(end)
    assert "; 0 " not in count_sentence(count)

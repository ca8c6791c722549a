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
from client.reports.rounds_on_disk import KeptRounds
from client.reports.text import report_lines
from client.reports.words import card_places
from engine.games import GAMES
from engine.hands_set_aside import SetAside
from engine.moves import DrawStock, TakePile, TakeTop
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
    assert [(player.name, player.words) for player in report.table.players] == [
        (member.name, words(member.key)) for member in state.charter.members
    ]
    draw, counted = report.rounds
    assert (draw.number, draw.first, counted.number) == (0, 1, 1)
    assert (counted.first, counted.last) == (draw.last + 1, len(one.entries))
    assert [part.checked.entries.get("close", 0) for part in report.rounds] == [0, 2]
    assert (report.totals, report.winner) == (state.match.totals, state.match.winner)
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
    # The charter is no entry, and has the signatures of both players.
    assert total.total() == len(one.entries) == report.checked.signatures - 2
    assert total["move"] == sum(
        sum(moves.values()) for part in report.rounds for moves in part.moves
    )


@pytest.mark.parametrize("game", GAMES)
def test_the_report_accounts_for_every_card(game: str) -> None:
    report = audited(game)
    draw, counted = report.rounds
    assert report.table is not None
    assert counted.count is not None
    assert counted.count.balanced
    assert counted.count.total == len(report.table.deck.codes)
    for deal in (*draw.deals, *counted.deals):
        assert sorted(link.player for link in deal.shuffles) == [0, 1]
        assert all(len(link.traces) == len(deal.cards) for link in deal.shuffles)
        given = [one.card for one in deal.given]
        assert None not in given, "in a counted round every card that was given must be opened"
        assert len(set(given)) == len(given)
        assert set(given) <= set(deal.cards)
    assert len(counted.deals) > 1 or game != "kanastic", "the stock must have been rebuilt"
    assert ("bonus" in card_places(counted.count)) == bool(counted.count.bonus)


@pytest.mark.parametrize("game", GAMES)
def test_hands_of_the_deal_and_hands_set_aside_are_told(game: str) -> None:
    """A hand aside is told when it is given, and when its owner takes it up."""
    counted = audited(game).rounds[1]
    rounds = (match.round for match, _, _ in states(GAMES[game], GAMES[game].options(), 2, 0))
    hands = next(begun.hands for begun in rounds if begun and begun.has_hands)
    given = counted.deals[0].given
    dealt = Counter(one.player for one in given if one.dealt)
    assert sorted(dealt.values()) == sorted(map(len, hands))
    ends = (moment.state.match.round for moment in played(game, 2).moments)
    aside = [each for each in ends if isinstance(each, SetAside)]
    most = max((len(each.took_aside) for each in aside), default=0)
    assert sum(one.aside for one in given) == most * min(dealt.values())
    told = Counter(light.what for light in counted.highlights)
    assert not aside or told[aside[0].takes_up] == most


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


def test_json_report_is_complete_and_untranslated() -> None:
    """The second match was ended early by a continuation. The third record has a cut charter."""
    choose_language("es")
    report = audited("kanastic")
    ended = audit_bytes(absent_record(substitute=False))
    broken = audit_bytes(played().record(upto=0)[:-1])
    text = "\n".join(as_json([report, ended, broken]))
    assert text.isascii()
    told = json.loads(text)
    assert told["version"] == 1
    record, early, other = told["records"]
    assert report.table is not None
    assert bytes.fromhex(record["table"]["table_id"]) == report.table.table_id
    counted = report.rounds[1]
    assert counted.count is not None
    assert record["rounds"][1]["count"]["unseen"] == counted.count.unseen
    items = record["rounds"][1]["sheet"]["sheet"]["sides"]
    assert all(item["clause"] for side in items for item in side)
    ends = [(one["conclusion"]["verdict"], one["ended"], one["over"]) for one in (record, early)]
    assert ends == [("sound", False, True), ("ended", True, False)]
    (one,) = early["rounds"][1]["continuations"]
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
    assert (found[0][0], found[2][0]) == ("sound", "unfinished")
    assert (found[1], found[3]) == (("no record", 0, "R1", []), ("unreadable", 0, "", []))
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
    """When the rounds are deleted, their file is closed."""
    rounds = audited().rounds
    many = KeptRounds()
    for one in (*rounds, *rounds):
        many.append(one)
    assert (len(many), [*many]) == (4, [*rounds, *rounds])
    assert many[-1] == many[1] == rounds[1]
    assert list(many[1:3]) == [rounds[1], rounds[0]]
    with pytest.raises(IndexError):
        many[4]
    sent = pickle.loads(pickle.dumps(many))
    assert sent == many
    for other in (rounds, len(sent), [*rounds, rounds[0], rounds[0]]):
        assert sent != other
    sent.append(rounds[0])
    assert (len(sent), len(many), sent[4]) == (5, 4, rounds[0])
    file = many._file
    assert not file.closed
    del many
    gc.collect()
    assert file.closed


def test_a_round_report_is_small_when_pickled() -> None:
    for report in map(audited, GAMES):
        assert len(pickle.dumps(report.rounds[1])) < 24_000
        assert pickle.loads(pickle.dumps(report)) == report


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
    given = [each for deal in counted.deals for each in deal.given]
    assert len({each.entry for each in given if not each.dealt}) >= drawing.total() > 10
    for each in given:
        assert isinstance(one.at(each.entry).body.content, UnlockContent)

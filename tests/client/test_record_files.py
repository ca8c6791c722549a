"""Files of records: their paths and errors, and the line about the match in each."""

import errno
import os
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from attrs import evolve

from client import record_summary
from client.cli.main import main
from client.own_statistics_line import StatisticsLine, keep_line, kept_line, newest_of
from client.record_files import (
    RecordError,
    check_new,
    kept_records,
    new_record_path,
    record_folder,
    save_record,
    write_new,
)
from client.record_summary import record_line, standing_after
from p2p.storage.private_files import make_private
from protocol.entries import Body, CloseContent, Entry
from tests.client.quick_reviews import CANASTA
from tests.p2p.table.vector_records import entries, signed_charter


@pytest.mark.parametrize(
    ("number", "remedy"),
    [
        (errno.ENOSPC, "Make room there."),
        (errno.EFBIG, "Make room there."),
        (errno.EACCES, "Let this program write there."),
        (errno.EIO, "Another disk may take it."),
    ],
)
def test_the_error_for_an_unwritten_file_has_a_remedy(
    number: int, remedy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No part of the file is left."""

    def parts() -> Iterator[bytes]:
        yield b"one"
        raise OSError(number, os.strerror(number))

    path = tmp_path / "game"
    with pytest.raises(RecordError) as caught:
        write_new(path, parts())
    why = os.strerror(number)
    assert str(caught.value) == f"The file {path} cannot be written: {why}. {remedy}"
    assert [*tmp_path.iterdir()] == []
    synced: list[int] = []
    monkeypatch.setattr("os.fsync", synced.append)  # otherwise a power cut would leave a part
    write_new(path, [b"one", b"two"])
    assert len(synced) == 1
    assert path.read_bytes() == b"onetwo"


def test_newest_of_returns_the_time_of_the_newest_record_or_0(tmp_path: Path) -> None:
    assert newest_of([]) == 0
    for moment, name in ((7, "b"), (9, "a"), (8, "c")):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, ns=(moment, moment * 10**9))
    assert newest_of([*tmp_path.iterdir()]) == 9 * 10**9


def test_a_file_that_appears_meanwhile_is_not_replaced(tmp_path: Path) -> None:
    path = tmp_path / "game"

    def parts() -> Iterator[bytes]:
        path.write_text("mine")
        yield b"one"

    taken = f"^There is a file {path} already, and it is not replaced. Name another one.$"
    with pytest.raises(RecordError, match=taken):
        write_new(path, parts())
    with pytest.raises(RecordError, match=taken):
        check_new(path)
    assert [one.read_text() for one in tmp_path.iterdir()] == ["mine"]


def test_records_get_the_next_number_of_the_day(home: Path, tmp_path: Path) -> None:
    today = date.today().isoformat()
    folder = record_folder()
    assert folder == home / "records"
    names = [save_record([b"record"], "canasta").name for _ in range(3)]
    names.append(save_record([b"record"], "samba").name)
    assert names == [
        f"{today}-{one}.sobremesa" for one in ("canasta-1", "canasta-2", "canasta-3", "samba-1")
    ]
    other = make_private(tmp_path / "other")
    assert new_record_path(None, "samba", other) == other / "records" / f"{today}-samba-1.sobremesa"
    assert new_record_path(tmp_path / "mine", "samba") == tmp_path / "mine"
    (folder / f"{today}-canasta-2.sobremesa").unlink()
    (folder / "folder.sobremesa").mkdir()
    (folder / "notes.txt").touch()
    for moment, name in enumerate((names[3], names[0], names[2]), 10**9):
        os.utime(folder / name, (moment, moment))
    assert [path.name for path in kept_records()] == [names[2], names[0], names[3]]
    assert new_record_path(None, "canasta").name == names[1]


RECORD = CANASTA.read_bytes()
PARTS = (signed_charter("records.json").encode(), *entries("records.json"))


@pytest.mark.parametrize(
    ("parts", "line"),
    [
        (1, "Canasta with Ana and Bruno: no round counted yet"),
        (4, "Canasta with Ana and Bruno: no round counted yet"),
        (5, "Canasta with Bruno and Ana: no round counted yet"),
        (85, "Canasta with Bruno and Ana: no round counted yet"),
        (86, "Canasta with Bruno and Ana: 145 : 855"),  # one of two has signed the score
        (87, "Canasta with Bruno and Ana: 145 : 855"),
    ],
)
def test_the_line_about_a_record_has_the_players_by_seat_and_the_score(
    parts: int, line: str
) -> None:
    standing = standing_after(PARTS[:parts])
    assert standing is not None
    assert standing.line == line


def test_only_the_draw_for_seats_is_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Following the other entries, too, would take long."""
    drawn = record_summary._drawn
    followed: list[bytes] = []

    def counted(state: object, part: bytes) -> object:
        followed.append(part)
        return drawn(state, part)  # type: ignore[arg-type]

    monkeypatch.setattr(record_summary, "_drawn", counted)
    standing_after(PARTS)
    assert followed == [*PARTS[1:5]]
    assert standing_after(()) is None


def test_a_score_for_another_number_of_sides_is_not_counted() -> None:
    """Only an audit checks a score that players have signed. This one has points of three sides."""
    entry = Entry.decode(PARTS[-1])
    body = Body.decode(entry.body, signed_charter("records.json").charter.deck)
    assert isinstance(body.content, CloseContent)
    forged = evolve(body, content=evolve(body.content, round_number=2, points=(1, 2, 3)))
    standing = standing_after([*PARTS, Entry(forged.encode(), entry.signature).encode()])
    assert standing == standing_after(PARTS)


def test_only_signed_scores_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Any entry may contain the bytes of the word "close". Here all count as containing it."""
    usual = standing_after(PARTS)
    monkeypatch.setattr(record_summary, "_CLOSE", b"")
    assert standing_after(PARTS) == usual


@pytest.mark.parametrize(
    ("data", "line"),
    [
        (RECORD, "2001-09-09 ..:..  Canasta with Bruno and Ana: 145 : 855"),
        (RECORD[:19], "game holds no record."),
        (RECORD[:9], "game holds no record."),
        (RECORD[:-40_000], "2001-09-09 ..:..  Canasta with Bruno and Ana: no round counted yet"),
        (RECORD[:-9], "2001-09-09 ..:..  Canasta with Bruno and Ana: 145 : 855"),
        (b"a letter to my aunt", "game cannot be read: This is no record of a Sobremesa.*"),
        (None, "game cannot be read: No such file or directory."),
    ],
    ids=["whole", "without charter", "tiny", "half", "cut at the end", "a letter", "missing"],
)
def test_the_line_about_a_file_has_its_time_or_says_what_is_wrong(
    data: bytes | None, line: str, tmp_path: Path
) -> None:
    path = tmp_path / "game"
    if data is not None:
        path.write_bytes(data)
        os.utime(path, (10**9, 10**9))
    try:
        told = record_line(path)
    except RecordError as error:
        told = str(error)
    assert re.fullmatch(line, told)


def test_a_cached_line_is_used_if_its_curve_has_only_known_heights(home: Path) -> None:
    """The curve has the heights 0 to 7. A line with another digit is not used."""
    line = StatisticsLine(0, 0, 4, 3, 1200, 80, "01234567")
    keep_line(home, line)
    assert kept_line(home, []) == line
    keep_line(home, line._replace(curve="8"))
    assert kept_line(home, []) is None


@pytest.mark.parametrize(
    "words",
    [
        ("audit", "{record}", "--html", "{out}"),
        ("audit", "{record}", "--evidence", "{out}"),
        ("ledger", "{record}", "--html", "{out}"),
        ("export", "{record}", "-o", "{out}"),
        ("replay", "{record}", "--html", "{out}"),
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("taken", [True, False])
def test_an_unwritable_output_file_is_refused_before_reading_the_record(
    words: tuple[str, ...],
    taken: bool,
    home: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The record does not exist either, but the error about the output comes first."""
    out = tmp_path / "mine" if taken else tmp_path / "nowhere" / "new"
    if taken:
        out.write_text("dear to me")
    assert main([word.format(record=tmp_path / "record", out=out) for word in words]) == 2
    told = f"There is a file {out} already" if taken else "There is no folder"
    assert capsys.readouterr().err.startswith(f"sobremesa: {told}")
    assert not taken or out.read_text() == "dear to me"

"""Threats of `spec/threats.md` and their records in the vectors: causes, and who is exposed.

For every record, test_vectors.py and test_verifier.py check that the program and the second
verifier find what the vectors say.
"""

import re
from functools import cache
from typing import Any

import pytest
from attrs import frozen

from tests.engine.clauses import NUMBER
from tests.spec.documents import text
from tests.spec.run_verifier import vectors
from tests.vectors.recorded import RECORD_FILES, RECORDS

EXPOSED, REFUSED = "## Exposed", "## Refused, and nobody blamed"


@frozen
class Row:
    """A row of one of the tables: the attack, its causes, and the records that show it."""

    attack: str
    causes: str
    records: tuple[str, ...]

    def allows(self, cause: str) -> bool:
        """Return True if the row names this cause; "a clause" stands for any rule of a game."""
        by_the_rules = re.fullmatch(NUMBER, cause) is not None and "a clause" in self.causes
        return by_the_rules or cause in self.causes.split(", ")


def rows(title: str) -> list[Row]:
    (table,) = re.findall(rf"^{title}\n(.*?)^## ", text("threats.md"), re.DOTALL | re.MULTILINE)
    cells = re.findall(r"^\| (.+?) \| (.+?) \| (`.+?`|-) \| `.+` \|$", table, re.MULTILINE)
    assert len(cells) == table.count("\n| ") - 1  # the first such line is the head
    return [
        Row(attack, causes, tuple(re.findall(r"`(.+?)`", named))) for attack, causes, named in cells
    ]


@cache
def records() -> dict[str, dict[str, Any]]:
    """Return the records by their names in threats.md."""
    found = {}
    for file in RECORD_FILES:
        prefix = "" if file == RECORDS else file.removesuffix("json").replace(".", "/")
        for record in vectors(file)["records"]:
            found[prefix + record["name"]] = record
    return found


@pytest.mark.parametrize("row", rows(EXPOSED), ids=lambda row: row.attack)
def test_each_record_of_a_threat_exposes_a_player_for_a_listed_cause(row: Row) -> None:
    if row.causes.startswith("none: "):
        assert not row.records
        return
    seen = set()
    for name in row.records:
        record = records()[name]
        assert record["verdict"] in {"exposed", "illegal"}
        assert row.allows(record["cause"]), name
        assert record["player"] is not None
        # A cause counts as shown if a verifier without the rules finds it, too.
        if not record["without_rules"]:
            seen.add(record["cause"])
    assert seen >= set(row.causes.split(", ")) - {"a clause"}


@pytest.mark.parametrize("row", rows(REFUSED), ids=lambda row: row.attack)
def test_each_record_of_an_unattributable_threat_blames_nobody(row: Row) -> None:
    for name in row.records:
        record = records()[name]
        assert record["verdict"] in {"broken", "unfinished"}
        assert row.allows(record["cause"]), name
        assert record["player"] is None


@pytest.mark.parametrize(
    ("title", "verdict"),
    [(EXPOSED, "exposed"), (EXPOSED, "illegal"), (REFUSED, "broken")],
    ids=["exposed", "illegal", "broken"],
)
def test_every_record_belongs_to_a_threat(title: str, verdict: str) -> None:
    named = {name for row in rows(title) for name in row.records}
    found = {name for name, record in records().items() if record["verdict"] == verdict}
    assert found
    assert found <= named

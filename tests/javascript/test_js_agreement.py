"""The verifier in JavaScript agrees with the program and the second verifier."""

import random
from pathlib import Path
from typing import Any

import pytest

from engine.games import GAMES
from protocol.charter import SignedCharter
from protocol.codec import decode, encode
from protocol.entries import BODY_LIMIT, Entry
from protocol.errors import Malformed, Newer
from tests.javascript.agreement import compare, found_in_javascript
from tests.javascript.node import Verifier
from tests.protocol.continuing import opened_at_a_third_table
from tests.protocol.played import played
from tests.protocol.seeded_table import SeededTable
from tests.spec.alterations import (
    Alteration,
    alterations,
    changed,
    lists,
    program_says,
    vector_sources,
)
from tests.vectors.recorded import recorded


def test_verifiers_agree_on_altered_records(verifier: Verifier) -> None:
    """The test compares 30 records; `python -m tests.javascript.agreement` compares 500."""
    causes = compare(verifier, alterations(random.Random(7), 30))
    assert len(causes) > 6
    assert sum(causes[cause] for cause in causes if ":" in cause) > 3


def test_an_entry_that_another_player_signs_again_exposes_nobody(verifier: Verifier) -> None:
    """The second signer has signed no other entry in this place, so nobody is to blame."""
    moment = recorded().when("close")
    again = moment.signed_bytes(Entry.decode(moment.entry).body, moment.other)
    program = program_says(moment, again, moment.entry)
    one = Alteration(vector_sources()[0], moment.number, again, program, moment.entry)
    ((_, said),) = found_in_javascript(verifier, [one])
    assert said == ("broken", "R6", None)
    assert program == ("broken", "R6", None)


def test_a_whole_match_in_a_file_is_sound(verifier: Verifier, tmp_path: Path) -> None:
    """In the vectors only matches of two and of three players are played to their end."""
    one = played("canasta", 4)
    record = tmp_path / "game.sobremesa"
    record.write_bytes(one.record())
    assert verifier.ask("auditFile", path=str(record)) == {
        "verdict": "sound",
        "entry": len(one.entries),
        "cause": "",
        "player": None,
        "unsigned": [],
        "exposed": [],
    }


def test_nobody_is_blamed_for_opening_a_hand_after_two_continuations(verifier: Verifier) -> None:
    """Only the next entry tells a verifier without the rules if the interrupted round was over.

    If the round was over, hands are opened next; otherwise the round is dealt again.
    """
    table = opened_at_a_third_table()
    found = verifier.ask("audit", record=table.record().hex())
    assert (found["verdict"], found["entry"]) == ("unfinished", len(table.entries))
    assert found["exposed"] == []


def verdict_on_charter(signed: bytes) -> str:
    try:
        SignedCharter.decode(signed)
    except Newer:
        return "newer"
    except Malformed:
        return "form"
    return ""


def refusal_of_charter(verifier: Verifier, table: SeededTable, fields: list[Any]) -> str | None:
    """Return the JavaScript verifier's reason to refuse a charter with these fields, signed by all.

    Returns None if it accepts the charter. The program must agree.
    """
    charter = encode(fields)
    signatures = [sign(b"sobremesa/1/charter", charter) for sign in table.signers]
    signed = encode([charter, signatures])
    told = verifier.ask("tableId", charter=signed.hex())
    refusal: str | None = told.get("refused")
    assert (refusal or "") == verdict_on_charter(signed), fields
    return refusal


@pytest.mark.parametrize("game", GAMES)
def test_verifiers_agree_on_charters(verifier: Verifier, game: str) -> None:
    """Each charter has one changed field, and all members have signed it again."""
    rng = random.Random(game)
    table = SeededTable.sit(game, 2)
    seen = set()
    for _ in range(80):
        fields = lists(decode(table.charter.charter.encode(), limit=BODY_LIMIT))
        at = rng.randrange(len(fields))
        fields[at] = changed(fields[at], rng)
        seen.add(refusal_of_charter(verifier, table, fields))
    assert seen == {"form", "newer", None}


@pytest.mark.parametrize("game", GAMES)
def test_verifiers_agree_on_options(verifier: Verifier, game: str) -> None:
    """Each option gets values at its bounds, beyond them, and of another kind."""
    table = SeededTable.sit(game, 2)
    taken = set()
    for name, about in GAMES[game].options.describe().items():
        bounds = (about["low"], about["high"]) if "low" in about else ()
        beyond = [value + step for value in bounds for step in (-1, 0, 1)]
        for value in (False, True, *(value for value in beyond if value >= 0)):
            fields = lists(decode(table.charter.charter.encode(), limit=BODY_LIMIT))
            fields[3] = [[name, value]]
            if refusal_of_charter(verifier, table, fields) is None:
                taken.add(name)
    assert taken == set(GAMES[game].options.describe())


def test_page_removes_control_characters_from_names(verifier: Verifier) -> None:
    """Names are shown in the verdict and in the list of players; no verdict depends on them."""
    shown = {
        "Ana": "Ana",
        "中村さん": "中村さん",
        "\u001b[2JAna\u202e": "[2JAna",
        "A\u200bn\u00ada\n\u2800": "Ana",
        "a" + 79 * "\u0301": "a\u0301\u0301\u0301",
        "\u0301Ana": "Ana",
        "": "01234567",
        "\u202e...": "01234567",
    }
    assert verifier.ask("shown", names=[*shown]) == [*shown.values()]

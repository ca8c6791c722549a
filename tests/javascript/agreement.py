"""Comparison of the three verifiers on altered records.

The three are the program, the second verifier (`spec/verifier.py`), and the one in JavaScript.

    python -m tests.javascript.agreement --altered 500 --seed 1
    python -m tests.javascript.agreement --altered 500 --game samba

The records come from the matches in the vectors or, with `--game`, from rounds of one game with
each number of players.

An altered record is a recorded match up to some part, and then a false part. The false part is an
entry with one change, signed again by its writer or by another player, or added as a second entry
in one place; or a changed continuation, signed by all its signers; or a part with a changed bit.
"""

import argparse
import random
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

from engine.games import GAMES
from tests.javascript.node import Verifier, find_node, running
from tests.protocol.played import play
from tests.spec.alterations import (
    ACCEPTED,
    Alteration,
    Said,
    Source,
    alterations,
    is_told_apart,
    needs_rules,
)


def third(verifier: Verifier, altered: Iterable[Alteration]) -> list[tuple[Alteration, Said]]:
    """Return each alteration with the finding of the verifier in JavaScript, match by match."""
    by_source = defaultdict(list)
    for one in altered:
        by_source[one.source].append(one)
    said = []
    for source, ones in by_source.items():
        found = verifier.ask(
            "findings",
            charter=source.played.table.charter.encode().hex(),
            entries=[entry.hex() for entry in source.played.entries],
            alternatives=[
                {"keep": one.number, "added": [part.hex() for part in one.parts], "tail": ""}
                for one in ones
            ],
        )
        for one, finding in zip(ones, found, strict=True):
            passed = finding["verdict"] in {"sound", "ended", "unfinished"}
            told = (finding["verdict"], finding["cause"], finding["player"])
            said.append((one, ACCEPTED if passed else told))
    return said


def compare(verifier: Verifier, altered: Iterable[Alteration]) -> Counter[str]:
    """Compare all verifiers, and count how often each cause was found.

    The two verifiers without the rules must find exactly the same. The program must find the same,
    too, unless only the rules show the fault: then the other verifiers must accuse nobody.
    """
    causes: Counter[str] = Counter()
    for one, told in third(verifier, altered):
        assert told == one.second(), (one, told, one.second())
        assert is_told_apart(one.program, told), (one, told)
        if needs_rules(one.program[1] or "R"):  # an accepted part has no cause
            assert told[2] in {None, one.program[2]}, one
        elif one.program[1] == "R19":
            assert told in {one.program, ACCEPTED}, one
        else:
            assert told == one.program, (one, told)
        causes[one.program[1] or "accepted"] += 1
    return causes


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.javascript.agreement")
    parser.add_argument("--altered", type=int, default=500, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", choices=GAMES)
    given = parser.parse_args()
    node = find_node()
    if node is None:
        sys.exit("no Node is on this machine")
    with tempfile.TemporaryDirectory() as folder, running(node, Path(folder)) as verifier:
        numbers = GAMES[given.game].players if given.game else ()
        sources = [Source.of(play(given.game, players, given.seed)) for players in numbers]
        rng = random.Random(given.seed)
        causes = compare(verifier, alterations(rng, given.altered, sources))
    told = ", ".join(f"{cause} {number}" for cause, number in causes.most_common())
    print(f"{given.altered} altered records, and all say the same: {told}.")


if __name__ == "__main__":
    main()

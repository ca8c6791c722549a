"""Three verifiers on altered records: `python -m tests.javascript.agreement [COUNT [SEED]]`.

Each altered record is a recorded match up to some part, and another part in its place: an entry
with one thing in it changed and signed again by its writer or by somebody else, or as a second
entry in one place; a continuation that all its signers have signed; or a part with a bit changed on
the way.
"""

import random
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

from tests.javascript.node import Verifier, find_node, running
from tests.spec.alterations import (
    ACCEPTED,
    Alteration,
    Said,
    alterations,
    is_told_apart,
    needs_rules,
)
from tests.spec.followed import vectors


def third(verifier: Verifier, altered: Iterable[Alteration]) -> list[tuple[Alteration, Said]]:
    """Return the findings of the verifier in JavaScript on each."""
    by_file = defaultdict(list)
    for one in altered:
        by_file[one.file].append(one)
    said = []
    for file, ones in by_file.items():
        about = vectors(file)
        found = verifier.ask(
            "findings",
            charter=about["signed_charter"],
            entries=about["entries"],
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
    """Compare all verifiers, and count how often which cause was found.

    The two without the rules say exactly the same. The program says the same but where only the
    rules show what is wrong: there the others accuse nobody.
    """
    causes: Counter[str] = Counter()
    for one, told in third(verifier, altered):
        assert told == one.second(), (one, told, one.second())
        assert is_told_apart(one.program, told), (one, told)
        if needs_rules(one.program[1] or "R"):
            assert told[2] in {None, one.program[2]}, one
        elif one.program[1] == "R19":
            assert told in {one.program, ACCEPTED}, one
        else:
            assert told == one.program, (one, told)
        causes[one.program[1] or "accepted"] += 1
    return causes


def main(count: int = 500, seed: int = 1) -> None:
    node = find_node()
    if node is None:
        sys.exit("no Node is on this machine")
    with tempfile.TemporaryDirectory() as folder, running(node, Path(folder)) as verifier:
        causes = compare(verifier, alterations(random.Random(seed), count))
    told = ", ".join(f"{cause} {number}" for cause, number in causes.most_common())
    print(f"{count} altered records, and all say the same: {told}.")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

"""Comparison of the three verifiers on altered records, and on demos of every game.

The three are the program, the second verifier (`spec/verifier.py`), and the one in JavaScript.

    python -m tests.javascript.agreement --altered 500 --seed 1
    python -m tests.javascript.agreement --altered 500 --game samba
    python -m tests.javascript.agreement --demos 200 --results FILE

The altered records come from the matches in the vectors or, with `--game`, from rounds of one game
with each number of players. The demos are those of `sobremesa demo`, with real nodes, of each game
(or of one) with each number of players. `FILE` lists the demos that were judged, so a run that was
interrupted can continue.

An altered record is a recorded match up to some part, and then a false part, which is one of these:

- an entry with one change, signed again by its writer or by another player
- a second entry in one place, after the true one
- a changed continuation, signed by all its signers
- a part with a changed bit
"""

import argparse
import json
import random
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable
from contextlib import nullcontext, redirect_stdout
from io import StringIO
from pathlib import Path

from client.cli.main import main as sobremesa
from engine.games import GAMES
from spec import verifier as second_verifier
from tests.javascript.node import Verifier, find_node, running
from tests.protocol.played import play
from tests.spec.alterations import ACCEPTED, Alteration, Said, Source, agrees, alterations
from tests.spec.library_arithmetic import by_the_library


def found_in_javascript(
    verifier: Verifier, altered: Iterable[Alteration]
) -> list[tuple[Alteration, Said]]:
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

    The two verifiers without the rules must find exactly the same.
    """
    causes: Counter[str] = Counter()
    for one, told in found_in_javascript(verifier, altered):
        assert told == one.second(), (one, told, one.second())
        assert agrees(one.program, told), (one, told)
        causes[one.program[1] or "accepted"] += 1
    return causes


def judge_demo(verifier: Verifier, game: str, players: int, seed: int, *, by_itself: bool) -> str:
    """Play a demo, and return a complaint about its record; "" if there is none.

    The second verifier computes points `by_itself`, or lets the library do it, which is quicker.
    """
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "demo.sobremesa"
        arguments = ["--game", game, "--players", str(players), "--seed", str(seed)]
        with redirect_stdout(StringIO()) as printed:
            code = sobremesa(["demo", *arguments, "--record", str(path)])
        if code != 0:
            return printed.getvalue()
        with nullcontext() if by_itself else by_the_library():
            second = second_verifier.verify_record([path.read_bytes()])
        third = verifier.ask("auditFile", path=str(path))
    verdicts, exposed = {second.verdict, third["verdict"]}, [*second.exposed, *third["exposed"]]
    if verdicts == {"sound"} and not exposed:
        return ""
    return f"second: {second}; third: {third}"


def judge_demos(verifier: Verifier, games: Iterable[str], number: int, results: Path) -> None:
    """Judge `number` demos of each game with each number of players, one of each kind in turn."""
    judged = json.loads(results.read_text()) if results.exists() else {}
    for seed in range(number):
        for game in games:
            for players in GAMES[game].players:
                name = f"{game} {players} {seed}"
                if name not in judged:
                    own = seed % 10 == 0  # seldom, because it takes long
                    judged[name] = judge_demo(verifier, game, players, seed, by_itself=own)
                    results.write_text(json.dumps(judged, indent=0))
    wrong = {name: error for name, error in judged.items() if error}
    for name, error in wrong.items():
        print(f"{name}: {error}")
    print(f"{len(judged)} demos, {len(wrong)} of them not sound for all three.")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.javascript.agreement")
    parser.add_argument("--altered", type=int, default=500, metavar="N")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--game", choices=GAMES)
    parser.add_argument("--demos", type=int, default=0, metavar="N")
    parser.add_argument("--results", type=Path, default=Path("demos.json"))
    given = parser.parse_args()
    node = find_node()
    if node is None:
        sys.exit("no Node is on this machine")
    with tempfile.TemporaryDirectory() as folder, running(node, Path(folder)) as verifier:
        if given.demos:
            games = [given.game] if given.game else GAMES
            judge_demos(verifier, games, given.demos, given.results)
            return
        numbers = GAMES[given.game].players if given.game else ()
        sources = [Source.of(play(given.game, players, given.seed)) for players in numbers]
        rng = random.Random(given.seed)
        causes = compare(verifier, alterations(rng, given.altered, sources))
    told = ", ".join(f"{cause} {number}" for cause, number in causes.most_common())
    print(f"{given.altered} altered records, and all say the same: {told}.")


if __name__ == "__main__":
    main()

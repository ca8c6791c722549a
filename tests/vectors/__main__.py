"""The command `python -m tests.vectors`, which writes the test vectors of `spec/vectors/` anew.

Everything in the vectors is computed from fixed seeds and from the moves of the recorded matches
(`moves/`). If the rules no longer allow the moves of a match, for example of "records",
`python -m tests.vectors --moves records` looks for other moves.
"""

import argparse

from tests.vectors import kept_matches
from tests.vectors.files import FILES, text_of
from tests.vectors.json_encoding import FOLDER
from tests.vectors.kept_matches import KeptMatch
from tests.vectors.recorded import PLANS


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.vectors")
    parser.add_argument("--moves", choices=PLANS, help="look for new moves for this match first")
    name = parser.parse_args().moves
    if name:
        new = PLANS[name].new(KeptMatch.read(name))
        (kept_matches.FOLDER / f"{name}.txt").write_text(new.text(), encoding="utf-8")
    FOLDER.mkdir(exist_ok=True)
    for file in FILES:
        (FOLDER / file).write_text(text_of(file), encoding="utf-8")


if __name__ == "__main__":
    main()

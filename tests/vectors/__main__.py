"""The test vectors of `spec/vectors/`: `python -m tests.vectors` makes them anew.

Everything in them is computed by the program from fixed seeds, but for the moves of the recorded
matches, which are those that the files have.
"""

from tests.vectors.files import FILES, text_of
from tests.vectors.shape import FOLDER


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for name in FILES:
        (FOLDER / name).write_text(text_of(name), encoding="utf-8")


if __name__ == "__main__":
    main()

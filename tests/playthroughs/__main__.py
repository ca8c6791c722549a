"""Command that writes the playthroughs anew: `python -m tests.playthroughs`.

Read the difference before you commit it.
"""

from tests.playthroughs.playthrough import PLAYTHROUGHS


def main() -> None:
    for playthrough in PLAYTHROUGHS:
        playthrough.path.write_text(playthrough.text(), "utf-8", newline="\n")


if __name__ == "__main__":
    main()

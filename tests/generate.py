"""Command that writes all that follows from a game or an option: `python -m tests.generate`.

It brings the catalogs up to date, writes the generated parts of `spec/`, the seeded matches of all
games, and a record of each game that has none. Each of these has a command of its own, too.
"""

import sys

from tests import catalogs, spec_texts
from tests.playthroughs import __main__ as playthroughs
from tests.records import __main__ as records


def main() -> int:
    """Write the files, and return 1 if texts still lack a translation."""
    lacking = catalogs.main()
    spec_texts.main()
    playthroughs.main()
    records.main()
    return lacking


if __name__ == "__main__":
    sys.exit(main())

"""Command that writes all generated files anew: `python -m tests.generate`.

It brings the catalogs up to date, and writes the generated parts of `spec/`, the seeded matches and
the opponents' estimates of all games, and a record of each game that has none. There is also a
command for each of these.
"""

import sys

from tests import catalogs, spec_texts
from tests.client.bots.estimates import __main__ as estimates
from tests.playthroughs import __main__ as playthroughs
from tests.records import __main__ as records


def main() -> int:
    """Write the files, and return 1 if texts still lack a translation."""
    lacking = catalogs.main()
    spec_texts.main()
    playthroughs.main()
    estimates.main()
    records.main()
    return lacking


if __name__ == "__main__":
    sys.exit(main())

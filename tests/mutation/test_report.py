"""The report on mutants, its reasons, and the sample."""

import pytest

from tests.mutation.__main__ import sample
from tests.mutation.report import Judged, is_unfinished, reasons, table
from tests.mutation.results import Fate, Verdict
from tests.mutation.switchboard import listed
from tests.mutation.switches import Mutant


def test_a_sample_is_repeatable_and_changes_little_with_the_mutants() -> None:
    all_of_them = [Mutant(n, "code.py", "judge", n, str(n), "None", 0) for n in range(100)]
    drawn = sample(all_of_them, 20, 1)
    assert drawn == sample(all_of_them[::-1], 20, 1)
    assert drawn != sample(all_of_them, 20, 2)
    assert len(set(sample(all_of_them[1:], 20, 1)) & set(drawn)) >= 19


def test_reasons_apply_to_the_names_below_them() -> None:
    text = "# This file.\n\n# One reason,\n# two lines.\na b: c -> d\ne f: 1 -> 2\n\n# Next.\ng\n"
    assert reasons(text) == {
        "a b: c -> d": "One reason, two lines.",
        "e f: 1 -> 2": "One reason, two lines.",
        "g": "Next.",
    }


@pytest.mark.usefixtures("root")
def test_a_hung_mutant_counts_neither_as_killed_nor_as_survivor() -> None:
    chosen = listed(["code.py"])["code.py"][:4]
    fates = [Fate.KILLED, Fate.ENDLESS, Fate.HUNG, Fate.SURVIVED]
    verdicts = {
        one: Verdict(fate, "t" if fate else None) for one, fate in zip(chosen, fates, strict=True)
    }
    judged = Judged("code", 9, chosen, verdicts, [])
    assert list(table([judged], {}))[2:] == ["| code | 9 | 4 | 2 (50.0 %) | 1 | 1 | 0 | 1 | 1 |"]
    assert is_unfinished(judged, {})
    killed = {one: verdicts[one] for one in chosen[:2]}
    assert not is_unfinished(Judged("code", 9, chosen[:2], killed, []), {})
    assert is_unfinished(Judged("code", 9, chosen, killed, []), {})

"""`python -m tests.repeat`: it finds failures, and names the seeds of the runs that have them."""

import shutil
import sys
from pathlib import Path

import pytest

from tests.conftest import LONGEST
from tests.repeat import ROOT, Run, busy_cores, report, run_tests, slow_disk

FAILS_BY_HASH_SEED = """
import os

def test_one():
    assert os.environ["PYTHONHASHSEED"] != "7"

def test_two():
    pass
"""


def test_repeat_finds_a_test_that_fails_with_one_seed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tests = tmp_path / "test_sometimes.py"
    tests.write_text(FAILS_BY_HASH_SEED)
    run = run_tests([str(tests), "-n", "0"], 7, {}, tmp_path)
    assert (run.tests, run.complaint) == (2, "")
    (said,) = run.failed.values()
    assert 'assert os.environ["PYTHONHASHSEED"] != "7"' in said
    passed = Run(6, 1.0, 2, {})
    assert (report([passed, run]), report([passed])) == (1, 0)
    printed = capsys.readouterr().out
    assert "test_one  (seeds 7)" in printed
    assert "1 runs, nothing failed." in printed


def test_a_run_that_cannot_start_is_a_failure(tmp_path: Path) -> None:
    run = run_tests(["no/such/test.py", "-n", "0"], 0, {}, tmp_path)
    assert run.failed or run.complaint


def test_busy_cores_end_with_the_block() -> None:
    with busy_cores(1) as (process,):
        assert process.poll() is None
    assert process.poll() is not None


@pytest.mark.skipif(
    not sys.platform.startswith("linux") or shutil.which("cc") is None,
    reason="slowing the disk needs Linux and a C compiler",
)
def test_slow_disk_preloads_a_library(tmp_path: Path) -> None:
    environment = slow_disk(tmp_path, 5)
    assert Path(environment["LD_PRELOAD"]).is_file()
    assert environment["SLOW_DISK_MS"] == "5"
    assert slow_disk(tmp_path, 0) == {}


def test_the_listed_longest_test_files_exist() -> None:
    names = {path.name for path in (ROOT / "tests").rglob("test_*.py")}
    assert names.issuperset(LONGEST)

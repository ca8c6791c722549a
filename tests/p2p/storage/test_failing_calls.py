"""Failing system calls while an identity and its journal are used.

This is a sample of the cases of `python -m tests.failing_calls`.
"""

import os
import subprocess
import sys
from tempfile import TemporaryDirectory

import pytest

from tests.failing_calls.shim import MEMORY, shimmed_environment, why_not

EVERY = {"ENOSPC": 11, "EIO": 23, "EMFILE": 3, "EACCES": 7, "short": 17, "death": 23}
"""For each kind of failure, which calls are made to fail: with 11 every eleventh one."""


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    if reason := why_not():
        pytest.skip(reason)
    return {**os.environ, **shimmed_environment(tmp_path_factory.mktemp("shim"))}


@pytest.mark.parametrize(("fault", "every"), EVERY.items())
def test_a_failed_call_loses_no_known_address(
    fault: str, every: int, environment: dict[str, str]
) -> None:
    command = [sys.executable, "-m", "tests.failing_calls.journal_calls", fault, f"{every}"]
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        done = subprocess.run(
            [*command, folder], env=environment, capture_output=True, text=True, check=False
        )
    assert done.returncode == 0, done.stdout + done.stderr
    tried = int(done.stdout.split(": ")[-1].split()[0])
    assert tried > 4, done.stdout

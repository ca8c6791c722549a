"""Arithmetic of the verifier in JavaScript, compared with @noble/curves and @noble/hashes.

`npm install --prefix tests/javascript` installs these.
"""

import json
import subprocess
from pathlib import Path

import pytest

from tests.javascript.node import FOLDER, write_script


def test_arithmetic_agrees_with_a_known_library(node: str, tmp_path: Path) -> None:
    if not (FOLDER / "node_modules" / "@noble" / "curves").is_dir():
        pytest.skip("@noble/curves is not installed in tests/javascript")
    command = [node, str(FOLDER / "arithmetic.js"), str(write_script(tmp_path)), "20"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    counted = json.loads(done.stdout)
    assert counted["field"] > 1000
    assert counted["points"] == counted["signatures"] == 20

"""A few hostile inputs for each decoder; the command `python -m tests.fuzz_decoders` tries more."""

import random

import pytest

from protocol.errors import Malformed
from tests.fuzz_decoders import Fuzzer, fuzzers, main
from tests.fuzz_targets import TARGETS, Target


@pytest.mark.parametrize("name", [target.name for target in TARGETS])
def test_hostile_bytes_raise_only_documented_errors(name: str) -> None:
    (fuzzer,) = fuzzers(seed=7, only=name)
    assert fuzzer.corpus
    assert fuzzer.reached
    for _ in range(30):
        fuzzer.step()


def planted(data: bytes) -> None:
    """Raise an error if the input begins with six bytes 0xff.

    Each further such byte reaches a new line, which guides the fuzzer.
    """
    if data[0:1] != b"\xff":
        raise Malformed("no")
    if data[1:2] != b"\xff":
        raise Malformed("no")
    if data[2:3] != b"\xff":
        raise Malformed("no")
    if data[3:4] != b"\xff":
        raise Malformed("no")
    if data[4:5] != b"\xff":
        raise Malformed("no")
    if data[5:6] != b"\xff":
        raise Malformed("no")
    raise ZeroDivisionError("the planted error")


@pytest.mark.parametrize(("files", "finds"), [((__file__,), True), ((), False)])
def test_coverage_guidance_finds_what_random_bytes_miss(
    files: tuple[str, ...], finds: bool
) -> None:
    target = Target("planted", planted, lambda: [b"abcdef"])
    fuzzer, notes = Fuzzer(target, random.Random(1), files), list[str]()
    for _ in range(8000):
        try:
            fuzzer.step()
        except ZeroDivisionError as error:
            notes = error.__notes__
            break
    assert [note[:21] for note in notes] == (["planted: ffffffffffff"] if finds else [])


def test_the_fuzz_command_reports_its_coverage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--seconds", "0.05", "--only", "statements"]) == 0
    assert "pairs of lines: statements" in capsys.readouterr().out

"""Coverage-guided fuzzing of all decoders of bytes from peers, files and people.

    python -m tests.fuzz_decoders [--seconds N] [--seed S] [--only NAME]

An input is kept and mutated further if it covers a new pair of consecutive lines. A decoder may
raise only its documented errors, and if its encoding is canonical, the decoded value must encode to
the same bytes. Any fault is shown with the bytes that cause it, and ends the run with exit code 1.
"""

import argparse
import logging
import random
import sys
import time
import traceback
from collections.abc import Iterator, Sequence
from types import CodeType, FrameType
from typing import Any, cast

import msgpack
from attrs import define, field

from tests import fuzz_targets
from tests.fuzz_targets import ROOT, TARGETS, Target

_FOLDERS = tuple(str(ROOT / name) for name in ("client", "engine", "p2p", "protocol"))
_OTHERS: tuple[Any, ...] = (None, True, [], b"", "", "x" * 40, {}, 1.5, bytes(32), "close")
_LENGTHS = (0, 1, 2, 31, 32, 33, 63, 64, 65, 255, 256, 65_535, 65_536, 1 << 32, -1, 1 << 63)


@define
class Fuzzer:
    """Generator of inputs for one target."""

    target: Target
    rng: random.Random
    files: tuple[str, ...] = (*_FOLDERS, fuzz_targets.__file__)
    """Prefixes of the paths of the files whose lines are traced."""
    corpus: list[bytes] = field(init=False)
    """The examples, and inputs that have reached new code."""
    reached: set[tuple[CodeType, int, int]] = field(factory=set, init=False)
    inputs: int = field(default=0, init=False)
    _lines: dict[FrameType, int] = field(factory=dict, init=False)
    _new: bool = field(default=False, init=False)

    def __attrs_post_init__(self) -> None:
        self.corpus = list(self.target.examples())
        for data in self.corpus:
            self.feed(data)

    def step(self) -> None:
        """Try one more input. Raises any error that is not documented."""
        if self.target.change is not None and self.rng.random() < 0.5:
            data = self.target.change(self.rng)
        else:
            data = self._changed(self.rng.choice(self.corpus))
        if self.feed(data):
            self.corpus.append(data)

    def feed(self, data: bytes) -> bool:
        """Decode an input, and return True if that reaches new code."""
        self.inputs += 1
        self._new = False
        self._lines.clear()
        before = sys.gettrace()
        sys.settrace(self._call)
        try:
            self.target.decode(data)
        except self.target.errors:
            pass
        except Exception as error:
            error.add_note(f"{self.target.name}: {data.hex()}")
            raise
        finally:
            sys.settrace(before)
        return self._new

    def _call(self, frame: FrameType, event: str, argument: object) -> Any:
        if not frame.f_code.co_filename.startswith(self.files):
            return None
        self._lines[frame] = frame.f_lineno
        return self._line

    def _line(self, frame: FrameType, event: str, argument: object) -> Any:
        if event == "line":
            arc = frame.f_code, self._lines.get(frame, 0), frame.f_lineno
            self._lines[frame] = frame.f_lineno
            if arc not in self.reached:
                self.reached.add(arc)
                self._new = True
        elif event == "return":
            self._lines.pop(frame, None)
        return self._line

    # -- changing

    def _changed(self, data: bytes) -> bytes:
        for _ in range(self.rng.choice((1, 1, 2, 4))):
            change = self.rng.choice((self._value, self._bytes, self._piece, self._splice))
            data = change(data)
        return data[:200_000]

    def _bytes(self, data: bytes) -> bytes:
        """Change a byte, or a bit of one."""
        if not data:
            return self.rng.randbytes(3)
        at, bit = self.rng.randrange(len(data)), 1 << self.rng.randrange(8)
        byte = self.rng.choice((data[at] ^ bit, self.rng.randrange(256), 0, 0x7F, 0xFF))
        return data[:at] + bytes([byte]) + data[at + 1 :]

    def _piece(self, data: bytes) -> bytes:
        """Leave out a piece, repeat it, or replace it by random bytes."""
        begin, end = sorted(self.rng.randrange(len(data) + 1) for _ in range(2))
        middle = self.rng.choice((b"", data[begin:end] * 2, self.rng.randbytes(end - begin)))
        return data[:begin] + middle + data[end:]

    def _splice(self, data: bytes) -> bytes:
        """Join the beginning of an input to the end of another."""
        other = self.rng.choice(self.corpus)
        return (
            data[: self.rng.randrange(len(data) + 1)] + other[self.rng.randrange(len(other) + 1) :]
        )

    def _value(self, data: bytes) -> bytes:
        """Replace one value within a packed value; return other bytes unchanged."""
        try:
            value = msgpack.unpackb(data, strict_map_key=False)
            return cast(bytes, msgpack.packb(self._another(value)))
        except (ValueError, TypeError, OverflowError, msgpack.exceptions.UnpackException):
            return data

    def _another(self, value: Any) -> Any:
        if isinstance(value, list) and value and self.rng.random() < 0.9:
            at = self.rng.randrange(len(value))
            instead = self.rng.choice(([], 2 * [value[at]], *6 * ([self._another(value[at])],)))
            return [*value[:at], *instead, *value[at + 1 :]]
        if isinstance(value, bytes) and self.rng.random() < 0.7:
            return self._value(value) if self.rng.random() < 0.5 else self._bytes(value)
        numbers = [*_LENGTHS, self.rng.randrange(20)]
        return self.rng.choice([*numbers, [value], *_OTHERS])


def fuzzers(seed: int, only: str | None = None) -> Iterator[Fuzzer]:
    for target in TARGETS:
        if only in {None, target.name}:
            yield Fuzzer(target, random.Random(f"{seed} {target.name}"))


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="total time for all decoders")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=[target.name for target in TARGETS])
    given = parser.parse_args(arguments)
    number = 1 if given.only else len(TARGETS)
    for fuzzer in fuzzers(given.seed, given.only):
        end = time.monotonic() + given.seconds / number
        try:
            while time.monotonic() < end:
                fuzzer.step()
        except Exception:
            traceback.print_exc()
            return 1
        print(
            f"{fuzzer.inputs:>9} inputs, {len(fuzzer.corpus):>5} kept, "
            f"{len(fuzzer.reached):>5} pairs of lines: {fuzzer.target.name}",
            flush=True,
        )
    return 0


if __name__ == "__main__":
    logging.disable()  # warnings about damaged bytes are expected here
    sys.exit(main())

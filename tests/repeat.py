"""Finder of tests that fail by chance: `python -m tests.repeat --times 30`.

Each run has a seed, which sets the order of the tests, the order in which Trio runs tasks that are
ready together, and the seed of Python's hashes. So the same seed repeats a run. Meanwhile a busy
process runs on each core, and every synced write takes longer (on Linux with a C compiler; a line
says if that is impossible). Each run prints a line. At the end each test that ever failed is listed
with the seeds of its failures.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from xml.etree import ElementTree

from attrs import frozen

ROOT = Path(__file__).parents[1]
SHIM_SOURCE = Path(__file__).with_name("slow_disk.c")
RUN_LIMIT = 3600
"""Seconds that one run may take before it counts as hung."""


@frozen
class Run:
    """Result of one run of the tests."""

    seed: int
    seconds: float
    tests: int
    failed: Mapping[str, str]
    """Messages of pytest, by the names of the tests that failed."""
    complaint: str = ""
    """Reason why the run itself ended badly: it hung, or pytest could not start."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the tests as the arguments say; return 1 if anything failed in any run."""
    parser = argparse.ArgumentParser(prog="python -m tests.repeat", description=__doc__)
    parser.add_argument("--times", type=int, default=30, metavar="N", help="how many runs")
    parser.add_argument(
        "--seed",
        type=int,
        default=0,
        help="seed of the first run; each further run has the next number",
    )
    parser.add_argument(
        "--load", type=int, default=os.cpu_count() or 1, metavar="N", help="busy processes"
    )
    parser.add_argument(
        "--slow-disk", type=int, default=20, metavar="MS", help="a synced write takes up to MS"
    )
    parser.add_argument("tests", nargs="*", help="paths or names of tests; default: all")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder, busy_cores(given.load):
        environment = slow_disk(Path(folder), given.slow_disk)
        runs = []
        for seed in range(given.seed, given.seed + given.times):
            runs.append(run_tests(given.tests, seed, environment, Path(folder)))
            print(_line(runs[-1]), flush=True)
    return report(runs)


def run_tests(tests: Sequence[str], seed: int, environment: Mapping[str, str], folder: Path) -> Run:
    """Run the tests in the order of this seed, and read the results from pytest's JUnit file."""
    results = folder / f"{seed}.xml"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    command += ["--random-order", f"--random-order-seed={seed}", f"--junitxml={results}", *tests]
    seeds = dict.fromkeys(("PYTHONHASHSEED", "SCHEDULE_SEED"), str(seed))
    start = time.monotonic()
    try:
        done = subprocess.run(
            command,
            cwd=ROOT,
            env={**os.environ, **environment, **seeds},
            capture_output=True,
            text=True,
            timeout=RUN_LIMIT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return Run(seed, time.monotonic() - start, 0, {}, f"hung for {RUN_LIMIT} s")
    seconds = time.monotonic() - start
    if not results.exists():
        complaint = f"pytest ended with {done.returncode}: {done.stderr[-500:]}"
        return Run(seed, seconds, 0, {}, complaint)
    cases = list(ElementTree.parse(results).iter("testcase"))
    failed = {
        f"{case.get('classname')}::{case.get('name')}": f"{said.text}"
        for case in cases
        for said in (*case.iter("failure"), *case.iter("error"))
    }
    complaint = "" if done.returncode in (0, 1) else f"pytest ended with {done.returncode}"
    return Run(seed, seconds, len(cases), failed, complaint)


@contextmanager
def busy_cores(processes: int) -> Iterator[Sequence[subprocess.Popen[bytes]]]:
    """Keep `processes` processes computing until the block ends."""
    spinning = [
        subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)
    ]
    try:
        yield spinning
    finally:
        for process in spinning:
            process.kill()
            process.wait()


def slow_disk(folder: Path, milliseconds: int) -> dict[str, str]:
    """Return the environment of a process whose synced writes are slow."""
    compiler = shutil.which("cc")
    if not milliseconds:
        return {}
    if not sys.platform.startswith("linux") or compiler is None:
        print("The disk is not slowed: that needs Linux and a C compiler.", flush=True)
        return {}
    shim = folder / "slow_disk.so"
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", "-o", shim, SHIM_SOURCE], check=True)
    return {"LD_PRELOAD": str(shim), "SLOW_DISK_MS": str(milliseconds)}


def report(runs: Sequence[Run]) -> int:
    """Print each test that ever failed, with its seeds; return the exit code."""
    seeds = defaultdict(list)
    for run in runs:
        for name in (*run.failed, *([run.complaint] if run.complaint else [])):
            seeds[name].append(run.seed)
    if not seeds:
        print(f"{len(runs)} runs, nothing failed.")
        return 0
    print(f"{len(runs)} runs; what failed, how often, and with which seeds:")
    for name, found in sorted(seeds.items(), key=lambda item: (-len(item[1]), item[0])):
        print(f"  {len(found)}  {name}  (seeds {', '.join(map(str, found))})")
    print("Again in the same order: python -m tests.repeat --times 1 --seed SEED")
    return 1


def _line(run: Run) -> str:
    verdict = run.complaint or (f"{len(run.failed)} failed" if run.failed else "all passed")
    line = f"seed {run.seed}: {run.tests} tests, {run.seconds:.0f} s, {verdict}"
    return "\n".join([line, *(f"\n{name}\n{said}" for name, said in run.failed.items())])


if __name__ == "__main__":
    raise SystemExit(main())

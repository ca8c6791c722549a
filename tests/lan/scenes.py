"""Scenes between real processes on a network of namespaces, and a command that plays them."""

import argparse
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from attrs import frozen

from tests.lan.disks import disks_in
from tests.lan.hosts import Lan, NoLan, lan, why_no_lan


@frozen
class Scene:
    """A scene of some machines. A scene fails by raising AssertionError."""

    play: Callable[[Lan], str]
    """Function that plays the scene, and returns its result."""
    machines: int = 3
    delay: float = 0.0
    """Seconds by which each frame is late."""


def main(program: str, scenes: Mapping[str, Scene], about: str | None) -> int:
    """Play the scenes that the arguments name, or all of them; return 1 if one failed."""
    parser = argparse.ArgumentParser(prog=f"python -m {program}", description=about)
    parser.add_argument("scene", nargs="*", help=f"some of: {'; '.join(scenes)}")
    chosen = parser.parse_args().scene or list(scenes)
    if (reason := why_no_lan()) is not None:
        print(f"No LAN can be made here: {reason}.")
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that `with` blocks clean up
    failed = 0
    for name in chosen:
        result = _played(scenes[name])
        failed += result.startswith("FAILED")
        print(f"{name}: {result} (load {os.getloadavg()[0]:.1f})", flush=True)
    print(f"{os.cpu_count()} cores; {len(chosen)} scenes, {failed} failed")
    return 1 if failed else 0


def _played(scene: Scene) -> str:
    with tempfile.TemporaryDirectory() as folder:
        try:
            with disks_in(Path(folder)), lan(scene.machines, Path(folder)) as network:
                network.switch.delay = scene.delay
                return scene.play(network)
        except NoLan as error:
            return f"left out: {error}"
        except (AssertionError, subprocess.TimeoutExpired) as error:
            return f"FAILED: {error}"

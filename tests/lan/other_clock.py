"""A clock for one host alone: it replaces each time of day that its programs get from libc.

Trio and the node use monotonic clocks, which no setting of the time changes.
"""

import struct
import subprocess
from pathlib import Path

from tests.lan.hosts import Host, NoLan

_SOURCE = Path(__file__).with_name("other_clock.c")


def give_clock(host: Host) -> None:
    """Give a host its own clock for all programs started from now on. Raises NoLan."""
    library = host.home.with_name("other_clock.so")
    if not library.exists():
        command = ["cc", "-shared", "-fPIC", "-O1", "-o", f"{library}", f"{_SOURCE}"]
        try:
            subprocess.run(command, check=True, capture_output=True, timeout=60)
        except (OSError, subprocess.CalledProcessError) as error:
            raise NoLan(f"no C compiler works here: {error}") from error
    set_clock(host, 0)
    own = {"LD_PRELOAD": f"{library}", "OTHER_CLOCK": f"{_place(host)}"}
    host.environment = {**host.environment, **own}


def set_clock(host: Host, seconds: int) -> None:
    """Set the clock `seconds` ahead of the real time, or behind it if negative.

    The clock changes for running programs as well.
    """
    place = _place(host)
    if not place.exists():
        place.touch()
    with place.open("r+b") as file:  # running programs have mapped this file
        file.write(struct.pack("=q", seconds))


def _place(host: Host) -> Path:
    return host.home.with_name(f"{host.home.name}.clock")

"""Clock of a host that differs from this machine's, for all times that its programs get from libc.

Trio and the node use clocks that only measure; no setting of the time changes these.
"""

import struct
import subprocess
from pathlib import Path

from tests.lan.hosts import Host, NoLan

_SOURCE = Path(__file__).with_name("other_clock.c")


def give_clock(host: Host) -> None:
    """Give a host a clock of its own for all that it starts from now on. Raises NoLan."""
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
    """Set the clock so many seconds before (< 0) or after the machine's.

    It changes for running programs too.
    """
    place = _place(host)
    if not place.exists():
        place.touch()
    with place.open("r+b") as file:  # mapped by those that run: the same file stays
        file.write(struct.pack("=q", seconds))


def _place(host: Host) -> Path:
    return host.home.with_name(f"{host.home.name}.clock")

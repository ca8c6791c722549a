"""Another calendar for the programs of a host than this machine has: what they ask libc for. Trio
and the node go by clocks that only measure; these no setting of the calendar changes.
"""

import struct
import subprocess
from pathlib import Path

from tests.lan.hosts import Host, NoLan

_SOURCE = Path(__file__).with_name("other_clock.c")


def give_clock(host: Host) -> None:
    """A calendar of its own for all that the host starts from now on. Raises NoLan."""
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
    """Set it so many seconds before (< 0) or after that of this machine, also while they run."""
    place = _place(host)
    if not place.exists():
        place.touch()
    with place.open("r+b") as file:  # mapped by those that run: the same file stays
        file.write(struct.pack("=q", seconds))


def _place(host: Host) -> Path:
    return host.home.with_name(f"{host.home.name}.clock")

"""Which start of the system this is: a new one has lost what was written without a sync."""

from pathlib import Path

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def system_start() -> bytes | None:
    """What tells this start of the system from all others (Linux, random(4)); None where the system
    does not say.
    """
    try:
        return _BOOT_ID.read_bytes().strip() or None
    except OSError:
        return None

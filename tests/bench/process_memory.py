"""The memory that a process takes, read from Linux's /proc."""

from pathlib import Path


def resident_megabytes(process: int | str = "self") -> float:
    """Return the megabytes of a process, shared libraries included; 0 if the system does not tell.

    See proc_pid_status(5), Linux.
    """
    return _megabytes(Path(f"/proc/{process}/status"), "VmRSS:")


def proportional_megabytes(process: int | str = "self") -> float:
    """Return the megabytes of a process, with its part of the pages that it shares with others.

    Each page is divided by the number of processes that have it. The result is 0 if the system does
    not tell. See proc_pid_smaps(5), Linux 4.14.
    """
    return _megabytes(Path(f"/proc/{process}/smaps_rollup"), "\nPss:")


def _megabytes(file: Path, field: str) -> float:
    """Return in megabytes the figure that follows `field` (in KiB); 0 if the field is missing."""
    try:
        figure = file.read_text("utf-8").partition(field)[2].split()
    except OSError:
        return 0.0
    return int(figure[0]) * 1024 / 1e6 if figure else 0.0

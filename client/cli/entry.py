"""The entry point of the command. Until the program can answer Ctrl-C, the system does.

Loading takes a moment, and whoever interrupts it then sees no traceback.
"""

import sys


def main() -> int:
    """Runs the command `sobremesa`; its exit code."""
    if sys.argv[1:] == ["--version"] and _tell_version():
        return 0
    import signal  # noqa: PLC0415 - it takes as long as to tell the version

    ignored = signal.getsignal(signal.SIGINT) == signal.SIG_IGN  # by the shell, in the background
    if not ignored:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from client.cli.main import main as run  # noqa: PLC0415 - while Ctrl-C is the system's

    if not ignored:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return run()


def _tell_version() -> bool:
    """Whether standard output has taken it; if not, the command says what is wrong."""
    from client.version import VERSION  # noqa: PLC0415 - nobody else needs it

    if sys.stdout is None:
        return False
    try:
        sys.stdout.write(f"sobremesa {VERSION}\n")
        sys.stdout.flush()
    except OSError:
        return False
    return True

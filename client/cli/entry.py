"""The entry point of the command. Until the program can answer Ctrl-C, the system does.

Loading takes a moment, and whoever interrupts it then sees no traceback.
"""

import signal


def main() -> int:
    """Runs the command `sobremesa`; its exit code."""
    ignored = signal.getsignal(signal.SIGINT) == signal.SIG_IGN  # by the shell, in the background
    if not ignored:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from client.cli.main import main as run  # noqa: PLC0415 - while Ctrl-C is the system's

    if not ignored:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    return run()

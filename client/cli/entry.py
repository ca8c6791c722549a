"""The entry point of the command. Until the modules of a command are loaded, the system answers
Ctrl-C: Python would raise an error wherever it is, also where that is made another error or lost.
"""

import gc
import sys

_INTERRUPTED = 130


def main() -> int:
    """Runs the command `sobremesa`; its exit code."""
    try:
        if sys.argv[1:] == ["--version"] and _tell_version():
            return 0
        import signal  # noqa: PLC0415 - it takes as long as to tell the version
    except (KeyboardInterrupt, RuntimeError):  # the second is what classes make of the first
        return _INTERRUPTED
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:  # as a shell has it in the background
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    gc.disable()  # little of what is loaded is garbage: it is looked for when that is over
    from client.cli.main import main as run  # noqa: PLC0415 - while Ctrl-C is the system's

    try:
        return run()
    finally:
        # Python would look through all objects several times before it ends: most of the time
        # that an interrupted program takes.
        gc.freeze()


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

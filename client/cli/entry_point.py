"""The entry point of the command.

Until the modules of a command are imported, the system ends the process on Ctrl-C. With Python's
own handler, Ctrl-C would raise KeyboardInterrupt anywhere in the imports, even in code that
swallows the error or replaces it with another one.
"""

import gc
import sys

_INTERRUPTED = 130


def main() -> int:
    """Run the command `sobremesa`, and return its exit code."""
    try:
        if sys.argv[1:] == ["--version"] and _tell_version():
            return 0
        import signal  # noqa: PLC0415 - importing it takes as long as printing the version
    except (KeyboardInterrupt, RuntimeError):  # Ctrl-C in a class body raises RuntimeError
        return _INTERRUPTED
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:  # a shell's background jobs ignore it
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    gc.disable()  # imports make hardly any garbage, so the collector runs later
    from client.cli.main import main as run  # noqa: PLC0415 - after the handler is set

    try:
        return run()
    finally:
        # Without this, the garbage collector would visit all objects several times before Python
        # ends. In a program that Ctrl-C ends early, these visits would take most of the time.
        gc.freeze()


def _tell_version() -> bool:
    """Print the version; return False if standard output did not accept it.

    In that case `main` goes on with the usual parser, which reports the fault.
    """
    from client.version import VERSION  # noqa: PLC0415 - only this function needs it

    if sys.stdout is None:
        return False
    try:
        sys.stdout.write(f"sobremesa {VERSION}\n")
        sys.stdout.flush()
    except OSError:
        return False
    return True

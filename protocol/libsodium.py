"""The library libsodium, which importing this module loads.

So import it when something is to be computed, as `protocol.group` does.

The package rbcl carries the library in its module `_sodium`, which writes it to a temporary file,
loads that and leaves the file behind. Only that module is taken: the rest of rbcl imports doctest,
pdb and unittest, and makes functions that nobody calls here, 2 MB and a third of the time. It is
kept out of `sys.modules`, so that the bytes of the library, 3 MB, do not stay in memory once more.
The file is removed at once where the system allows it (Windows does not, as long as the library is
loaded).

Python sees to it that one thread loads a module, and others that want it wait.
"""

from contextlib import suppress
from ctypes import CDLL
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import module_from_spec
from pathlib import Path

from protocol.errors import Refused


def _found(name: str, folders: list[str] | None = None) -> ModuleSpec:
    """Return the place of a module. Raises ModuleNotFoundError."""
    spec = PathFinder.find_spec(name, folders)
    if spec is None:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return spec


def _load() -> CDLL:
    """Load the library. Raises Refused when it cannot be loaded."""
    spec = _found("rbcl._sodium", _found("rbcl").submodule_search_locations)
    assert spec.loader is not None
    carrier = module_from_spec(spec)
    try:
        spec.loader.exec_module(carrier)
    except OSError as error:
        raise Refused(
            "The cryptographic library could not be loaded from the temporary folder: "
            "{error}. Point TMPDIR (on Windows TEMP) to a folder with a few free "
            "megabytes in which programs may be executed, and start again.",
            error=str(error),
        ) from error
    with suppress(OSError):
        Path(carrier.lib_path).unlink()
    sodium: CDLL = carrier._sodium
    if sodium.sodium_init() < 0:  # 0, and 1 when it has been called before
        raise RuntimeError("libsodium could not be initialized")
    return sodium


LIBRARY = _load()
"""Its functions let other threads run while they compute."""

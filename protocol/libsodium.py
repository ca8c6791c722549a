"""The library libsodium, loaded when this module is imported.

Import the module lazily, when something is to be computed, as `protocol.group` does.

The package rbcl carries the library as bytes in its module `_sodium`, which writes them to a
temporary file, loads that file and leaves it behind. Only `_sodium` is imported: the rest of rbcl
imports doctest, pdb and unittest, and makes functions that nobody calls here, which would take
another 2 MB of memory, and more time. `_sodium` is kept out of `sys.modules`, so that its bytes
(3 MB) are freed once the library has been loaded from the file. The file is removed at once where
the system allows it (Windows does not while the library is loaded).

Several threads may import this module at once: Python lets one load it, and the others wait.
"""

from contextlib import suppress
from ctypes import CDLL
from importlib.machinery import ModuleSpec, PathFinder
from importlib.util import module_from_spec
from pathlib import Path

from protocol.errors import Refused


def _found(name: str, folders: list[str] | None = None) -> ModuleSpec:
    """Return the spec of a module without importing it. Raises ModuleNotFoundError."""
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
    if sodium.sodium_init() < 0:  # 0 is success; 1 means that it was called before
        raise RuntimeError("libsodium could not be initialized")
    return sodium


LIBRARY = _load()
"""The loaded library. Its functions let other threads run while they compute."""

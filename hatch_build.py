"""The build hook that compiles the catalogs: see `client/i18n/compile_catalogs.py`."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CatalogHook(BuildHookInterface):  # type: ignore[type-arg, misc, unused-ignore]
    """A hook that runs before a wheel is built, and before an editable installation."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:  # noqa: ARG002
        sys.path.insert(0, self.root)
        try:
            from client.i18n.compile_catalogs import compile_catalogs  # noqa: PLC0415
        finally:
            sys.path.remove(self.root)
        compile_catalogs(Path(self.root) / "client" / "i18n" / "locale")

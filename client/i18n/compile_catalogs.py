"""Compiles the catalogs: what gettext reads is made of what people write.

The build does it (`hatch_build.py`), and whoever works on the program
(`python -m tests.catalogs`). It takes Babel, which the program itself does not need.
"""

import os
from pathlib import Path

from client.i18n.language import DOMAIN


def compile_catalogs(folder: Path) -> list[Path]:
    """Writes `<language>/LC_MESSAGES/sobremesa.mo` beside each .po in `folder` that is newer than
    it; the files that were written. Several may do this at once.
    """
    # Imported here: the hook of the build is loaded before its requirements are there.
    from babel.messages.mofile import write_mo  # noqa: PLC0415
    from babel.messages.pofile import read_po  # noqa: PLC0415

    written = []
    for source in sorted(folder.glob(f"*/LC_MESSAGES/{DOMAIN}.po")):
        target = source.with_suffix(".mo")
        if target.exists() and target.stat().st_mtime_ns >= source.stat().st_mtime_ns:
            continue
        with source.open("rb") as text:
            catalog = read_po(text, locale=source.parts[-3], domain=DOMAIN)
        half = target.with_suffix(f".{os.getpid()}")
        with half.open("wb") as compiled:
            write_mo(compiled, catalog)
        half.replace(target)
        written.append(target)
    return written

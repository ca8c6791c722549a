"""The compiler of catalogs, from the form that people write to the form that gettext reads.

The build (`hatch_build.py`) and a command for developers (`python -m tests.catalogs`) run it. Only
the compiler needs Babel; the program does not.
"""

import os
from pathlib import Path

from client.i18n.language import DOMAIN


def compile_catalogs(folder: Path) -> list[Path]:
    """Write a .mo file for each `<language>/LC_MESSAGES/sobremesa.po` that is newer than its .mo.

    Return the files that were written. Several processes may do this at the same time.
    """
    # Lazy imports, so that this module can be imported where Babel is not installed.
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

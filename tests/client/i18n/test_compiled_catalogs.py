"""Catalogs are compiled when they are newer than what was compiled from them."""

import os
from pathlib import Path

import pytest

from client.i18n.compile_catalogs import compile_catalogs

CATALOG = """msgid ""
msgstr "Content-Type: text/plain; charset=UTF-8\\n"

msgid "yes"
msgstr "sí"
"""


@pytest.mark.parametrize(("older", "compiled"), [(0, False), (1, True), (-1, False)])
def test_a_catalog_is_compiled_if_it_is_newer(older: int, compiled: bool, tmp_path: Path) -> None:
    folder = tmp_path / "es" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    source, target = folder / "sobremesa.po", folder / "sobremesa.mo"
    source.write_text(CATALOG, encoding="utf-8")
    compile_catalogs(tmp_path)
    first = target.read_bytes()
    assert "sí".encode() in first
    target.write_bytes(b"kept")
    os.utime(source, (10**9, 10**9))
    os.utime(target, (10**9 - older, 10**9 - older))
    compile_catalogs(tmp_path)
    assert target.read_bytes() == (first if compiled else b"kept")

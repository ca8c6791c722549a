"""The files of the catalogs are updated, compiled when they have changed, and merged by git."""

import gettext
import os
import shutil
import subprocess
from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from client.i18n.compile_catalogs import compile_catalogs
from tests import catalogs


def read(text: str) -> Catalog:
    return read_po(BytesIO(text.encode()), locale="es")


def with_text(text: str, forms: tuple[str, ...], translations: tuple[str, ...]) -> str:
    """Return the contents of a catalog file with one more message, sorted in."""
    old = read(text)
    known = {message.id if isinstance(message.id, tuple) else (str(message.id),) for message in old}
    new = catalogs.updated(old, {one[0]: one for one in {*known - {("",)}, forms}})
    added = new.get(forms[0])
    assert added is not None
    added.string = translations if len(forms) > 1 else translations[0]
    return catalogs.written(new)


@pytest.mark.parametrize("language", catalogs.TRANSLATED)
def test_a_catalog_survives_writing_and_reading(language: str) -> None:
    one = catalogs.catalog(language)
    again = read(catalogs.written(one))
    assert {m.id: m.string for m in again if m.id} == {m.id: m.string for m in one if m.id}
    assert catalogs.written(again) == catalogs.written(one)
    assert again.plural_forms == one.plural_forms


def test_an_update_adds_new_texts_drops_old_ones_and_asks_for_new_plurals() -> None:
    old = with_text("", ("A card.",), ("Una carta.",))
    old = with_text(with_text(old, ("{n} b",), ("{n} be",)), ("Old.",), ("Viejo.",))
    wanted = {"A card.": ("A card.",), "New.": ("New.",), "{n} b": ("{n} b", "{n} bs")}
    new = read(catalogs.written(catalogs.updated(read(old), wanted)))
    assert {message.id for message in new} == {"", "A card.", "New.", ("{n} b", "{n} bs")}
    known = new.get("A card.")
    assert known is not None
    assert known.string == "Una carta."
    assert catalogs.missing(new) == ["New.", "{n} b"]


OTHER_FORMS = "nplurals=3; plural=(n > 7 ? 2 : n > 1);"  # no version of Babel has these


def test_a_catalog_keeps_its_plural_forms_if_babel_has_others() -> None:
    before = f'msgid ""\nmsgstr "Language: es\\nPlural-Forms: {OTHER_FORMS}\\n"\n'
    after = catalogs.written(catalogs.updated(read(before), {"{n} b": ("{n} b", "{n} bs")}))
    assert read(after).plural_forms == OTHER_FORMS
    assert "msgstr[2]" in after


@pytest.mark.parametrize(
    ("old", "new", "refused"),
    [
        ("", "", False),
        ("nplurals=2; plural=(n != 1);", "nplurals=2; plural=(n != 1);", False),
        ("nplurals=2; plural=(n != 1);", OTHER_FORMS, True),
        ("nplurals=2; plural=(n != 1);", "", True),
    ],
)
def test_a_changed_header_is_refused(old: str, new: str, refused: bool) -> None:
    before, after = (
        f'msgid ""\nmsgstr "Plural-Forms: {forms}\\n"\n\nmsgid "A"\nmsgstr "{end}"\n'
        for forms, end in ((old, "a"), (new, "b"))
    )
    told = catalogs.changed_header(before, after)
    assert (old in told and new in told) if refused else told == ""


def test_the_empty_file_of_a_new_language_gets_a_header() -> None:
    assert catalogs.changed_header("", with_text("", ("A card.",), ("Una carta.",))) == ""


@pytest.mark.parametrize("language", catalogs.TRANSLATED)
def test_catalogs_have_no_comments_dates_or_duplicate_translations(language: str) -> None:
    text = catalogs.path_of(language).read_text(encoding="utf-8")
    assert "#" not in {line[:1] for line in text.splitlines()}
    assert "Date" not in text
    assert catalogs.doubled(text) == []


# -- compiling


@pytest.mark.parametrize(
    ("seconds", "compiled"), [(-1, False), (0, False), (1, True)], ids=["older", "as old", "newer"]
)
def test_only_a_newer_catalog_is_compiled(seconds: int, compiled: bool, tmp_path: Path) -> None:
    folder = tmp_path / "es" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    source = folder / "sobremesa.po"
    source.write_text(with_text("", ("A card.",), ("Una carta.",)), encoding="utf-8")
    (made,) = compile_catalogs(tmp_path)
    assert gettext.translation("sobremesa", tmp_path, ["es"]).gettext("A card.") == "Una carta."
    first = made.read_bytes()
    made.write_bytes(b"kept")
    time = made.stat().st_mtime_ns + seconds * 10**9
    os.utime(source, ns=(time, time))
    assert compile_catalogs(tmp_path) == ([made] if compiled else [])
    assert made.read_bytes() == (first if compiled else b"kept")
    assert sorted(path.name for path in folder.iterdir()) == ["sobremesa.mo", "sobremesa.po"]


# -- merging

CARDS = [(("A card {a}.",), ("Una {a}.",)), (("A card {b}.",), ("Otra {b}.",))]
HEN = (("~ {n} hen", "~ {n} hens"), ("~ {n} gallina", "~ {n} gallinas"))
OWL = (("~ {n} owl", "~ {n} owls"), ("~ {n} búho", "~ {n} búhos"))
ADDITIONS = {
    "apart": [(("Aaa.",), ("Aaa es.",)), (("Zzz.",), ("Zzz es.",))],
    "neighbours": CARDS,
    "at the end": [(("~ one.",), ("~ uno.",)), (("~ two.",), ("~ dos.",))],
    "plurals": [HEN, OWL],
    "plural and plain": [HEN, (("~ hens.",), ("~ gallinas.",))],
}


def git(folder: Path, *words: str) -> None:
    settings = ("-c", "user.name=Ana", "-c", "user.email=ana@example.org")
    subprocess.run(["git", *settings, *words], cwd=folder, check=True, capture_output=True)


@pytest.mark.skipif(shutil.which("git") is None, reason="this machine has no git")
@pytest.mark.parametrize("additions", ADDITIONS.values(), ids=ADDITIONS)
def test_two_branches_can_be_merged_without_a_conflict_if_each_adds_a_text(
    additions: list[tuple[tuple[str, ...], tuple[str, ...]]], tmp_path: Path
) -> None:
    before = catalogs.path_of("es").read_text(encoding="utf-8")
    file = tmp_path / "es.po"
    shutil.copy(catalogs.ROOT / ".gitattributes", tmp_path)
    file.write_text(before, encoding="utf-8")
    for words in (["init", "-q", "-b", "main"], ["add", "."], ["commit", "-qm", "before"]):
        git(tmp_path, *words)
    for number, (forms, translations) in enumerate(additions):
        git(tmp_path, "checkout", "-q", "-b", f"branch-{number}", "main")
        file.write_text(with_text(before, forms, translations), encoding="utf-8")
        git(tmp_path, "commit", "-qam", "one text more")
    git(tmp_path, "merge", "-q", "--no-edit", "branch-0")
    merged = file.read_text(encoding="utf-8")
    assert catalogs.doubled(merged) == []
    after = read(merged)
    assert catalogs.missing(after) == catalogs.missing(read(before))
    assert len(list(after)) == len(list(read(before))) + 2
    for forms, translations in additions:
        message = after.get(forms[0])
        assert message is not None
        wanted = (forms, translations) if len(forms) > 1 else (forms[0], translations[0])
        assert (message.id, message.string) == wanted


def test_two_translations_of_one_text_are_found() -> None:
    text = with_text("", ("A card.",), ("Una carta.",))
    assert catalogs.doubled(text) == []
    assert catalogs.doubled(text.rstrip() + '\nmsgstr "Otra carta."\n') == ["A card."]
    assert catalogs.doubled(text + "\n" + text.split("\n\n")[1] + "\n") == ["A card."]

"""Command that brings the catalogs up to date with the program's texts: `python -m tests.catalogs`.

Texts are found in the lessons, in the table of texts of the page that verifies records, and in the
sources: the arguments of `_`, `_n` and `N_`, and the templates of sentences and errors. New texts
are added to the catalogs without a translation, old texts are removed, and the catalogs are
compiled. If texts lack a translation, they are listed, and the exit code is 1.

Catalogs are sorted, have one line for each text and each translation, and contain neither dates nor
places in the sources. So two branches can be merged without a conflict if each adds
a text (`.gitattributes`).
"""

import importlib
import inspect
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import escape, read_po

from client.i18n.compile_catalogs import compile_catalogs
from client.i18n.language import DOMAIN, LANGUAGES, LOCALE_FOLDER
from client.lessons.lesson import read_lesson, taught
from client.reports.html.verification import texts as texts_of_verifier
from engine.sentences import SentenceError

ROOT = Path(__file__).parents[1]
PACKAGES = ("engine", "protocol", "p2p", "client")
TRANSLATED = tuple(language for language in LANGUAGES if language != "en")

Places = tuple[int, ...] | None
"""Positions (from 1) of the arguments of a call that are texts: a text, or singular and plural.

None means that only the first argument is a text.
"""


def keywords() -> Mapping[str, Places]:
    """Return the calls whose arguments are texts, including all errors that carry a template."""
    for path in sorted(ROOT.joinpath("client").rglob("*.py")):
        importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
    calls: dict[str, Places] = {"_": None, "N_": None, "_n": (1, 2), "counted": (1, 2)}
    calls["Sentence"] = None
    for error in _errors(SentenceError):
        parameters = list(inspect.signature(error).parameters)
        # Other errors take a whole sentence, whose text is found where the sentence is made.
        if "values" in parameters:
            calls[error.__name__] = (parameters.index("text") + 1,)
    return calls


def _errors(base: type[SentenceError]) -> Iterator[type[SentenceError]]:
    yield base
    for error in base.__subclasses__():
        yield from _errors(error)


def texts() -> dict[str, tuple[str, ...]]:
    """Return every text of the program with all its forms, by its first form."""
    found: dict[str, tuple[str, ...]] = {}
    calls = keywords()
    for package in PACKAGES:
        for _file, _line, text, _comments, _context in extract_from_dir(
            ROOT / package, keywords=calls, comment_tags=()
        ):
            forms = text if isinstance(text, tuple) else (text,)
            found[forms[0]] = max(found.get(forms[0], ()), tuple(forms), key=len)
    for game in taught():
        for step in read_lesson(game).steps:
            told = (step.idea, *step.instead.values())
            found |= {text.english: (text.english,) for text in told}
    found |= {text: (text,) for text in texts_of_verifier().values()}
    return found


def path_of(language: str) -> Path:
    """Return the path of the catalog of a language."""
    return Path(LOCALE_FOLDER) / language / "LC_MESSAGES" / f"{DOMAIN}.po"


def catalog(language: str) -> Catalog:
    """Read the catalog of a language."""
    with path_of(language).open("rb") as file:
        return read_po(file, locale=language, domain=DOMAIN)


def updated(old: Catalog, wanted: Mapping[str, tuple[str, ...]]) -> Catalog:
    """Return a catalog of exactly the wanted texts, with the translations of the old catalog.

    It keeps the plural forms of the old catalog, which belong to its translations. The forms that
    Babel knows change with its version: for Spanish it had two, and has three in version 2.19.
    """
    new = Catalog(locale=old.locale, domain=DOMAIN)
    new.mime_headers = [("Plural-Forms", old.plural_forms)]
    for first, forms in wanted.items():
        known = old.get(first)
        fits = known is not None and isinstance(known.id, tuple) == (len(forms) > 1)
        new.add(forms if len(forms) > 1 else first, known.string if known and fits else None)
    return new


def written(one: Catalog) -> str:
    """Return the content of a catalog's file."""
    header = (
        f"Language: {one.locale}\\n",
        f"Plural-Forms: {one.plural_forms}\\n",
        "MIME-Version: 1.0\\n",
        "Content-Type: text/plain; charset=utf-8\\n",
        "Content-Transfer-Encoding: 8bit\\n",
    )
    messages = sorted((message for message in one if message.id), key=_first)
    blocks = (_block(message, one.num_plurals) for message in messages)
    return "\n\n".join((f'msgid ""\nmsgstr "{"".join(header)}"', *blocks)) + "\n"


def changed_header(before: str, after: str) -> str:
    """Return how the header of a catalog's file would change, or "" if it would not."""
    old, new = (text.split("\n\n")[0].rstrip("\n") for text in (before, after))
    if not old or old == new:
        return ""  # the file of a new language is empty
    return f"its header would change from\n{old}\nto\n{new}"


def _first(message: Message) -> str:
    return message.id[0] if isinstance(message.id, tuple) else str(message.id)


def _block(message: Message, plurals: int) -> str:
    if not isinstance(message.id, tuple):
        return f"msgid {escape(_first(message))}\nmsgstr {escape(str(message.string or ''))}"
    one, many = message.id
    lines = [f"msgid {escape(one)}", f"msgid_plural {escape(many)}"]
    translated = (*(message.string or ()), *plurals * ("",))[:plurals]
    for number, form in enumerate(translated):
        lines.append(f"msgstr[{number}] {escape(form or '')}")
    return "\n".join(lines)


def missing(one: Catalog) -> list[str]:
    """Return the texts without a translation in the catalog, or with a form missing."""
    return [
        _first(message)
        for message in one
        if message.id
        and not all(message.string if isinstance(message.string, tuple) else [message.string])
    ]


def doubled(text: str) -> list[str]:
    """Return the texts with two translations in the file: two branches may have added one each."""
    firsts = re.findall(r'^msgid "(.+)"$', text, re.MULTILINE)
    twice = {first for first in firsts if firsts.count(first) > 1}
    # A text in one place with two translations, one below the other.
    again = r'^msgid "(.+)"$(?:\nmsg(?:id_plural|str\[0\]) .*)*\n(msgstr.*)\n(?!msgstr\[1\])msgstr'
    return sorted(twice | {match[1] for match in re.finditer(again, text, re.MULTILINE)})


def main() -> int:
    wanted, lacking = texts(), 0
    for language in TRANSLATED:
        before = path_of(language).read_text(encoding="utf-8")
        if twice := doubled(before):
            sys.exit(f"{path_of(language)}: choose one of the translations of {twice}")
        new = updated(catalog(language), wanted)
        after = written(new)
        if change := changed_header(before, after):
            sys.exit(f"{path_of(language)}: {change}")
        path_of(language).write_text(after, encoding="utf-8", newline="\n")
        for text in missing(new):
            print(f"{path_of(language).relative_to(ROOT)}: {text!r} is not translated")
            lacking += 1
    for compiled in compile_catalogs(Path(LOCALE_FOLDER)):
        print(f"{compiled.relative_to(ROOT)} is compiled")
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())

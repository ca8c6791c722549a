"""The rules as people read them: by subject, without markup, and searchable by words."""

import re
from collections.abc import Iterable

from attrs import frozen

from client.i18n.language import _, bare
from client.i18n.rulebook.text import NoSuchClause, clause, common_rules, option_lines, rules
from engine.game import Game
from engine.options import Options

_NOTE = re.compile(r"\*\([^)]*\)\* ")
"""Pattern of the note that marks a clause as binding only programs, such as "*(display)* "."""
_NUMBER = re.compile(r"[A-Z]\d+[a-z]?", re.IGNORECASE)
_ITEM = re.compile(r"- |\d\. ")
_FENCE = "```"
_LONGEST_SEARCH = 80


@frozen
class Subject:
    """A title, and the paragraphs under it.

    A paragraph is one line; a clause is a paragraph that begins with its number. Only a picture has
    several lines, which are shown as they are.
    """

    title: str
    paragraphs: tuple[str, ...]


def subjects(game: Game, options: Options) -> tuple[Subject, ...]:
    """Return the rules of a table: those of the game, the common rules, and the options."""
    text = f"{rules(game, options)}\n{common_rules(options)}"
    parts = (one for one in _parts(text.splitlines()) if one.paragraphs)
    values = (plain(line.removeprefix("- ")) for line in option_lines(game, options))
    return (*parts, Subject(_("Options of this table"), tuple(values)))


def rules_about(game: Game, options: Options, about: str) -> tuple[Subject, ...]:
    """Return the part of the rules that a person asks for.

    `about` is one of these:

    - the number of a subject, counted from 1
    - the number of a clause
    - words to search for
    - "", for a list of all subjects.

    Raises NoSuchClause for a clause or words that are not in the rules.
    """
    found = subjects(game, options)
    numbered = {f"{place}": one for place, one in enumerate(found, start=1)}
    if not about:
        listed = (f"{place}. {one.title}" for place, one in numbered.items())
        return (Subject(_("The rules of {game}").format(game=game.title), tuple(listed)),)
    if about in numbered:
        return (numbered[about],)
    if _NUMBER.fullmatch(about):
        text = plain(clause(game, options, about))
        return (Subject(subject_of(found, text.split()[0]).title, (text,)),)
    return _searched(found, about[:_LONGEST_SEARCH])


def subject_of(found: Iterable[Subject], number: str) -> Subject:
    """Return the subject that has the clause `number`; there must be one."""
    return next(
        one
        for one in found
        if any(text.split(maxsplit=1)[0].lower() == number.lower() for text in one.paragraphs)
    )


def _searched(found: Iterable[Subject], words: str) -> tuple[Subject, ...]:
    """Return the paragraphs that contain all the words, under the titles of their subjects.

    A subject whose title has the words is returned as a whole. Words in a picture are not found:
    it shows a table, with the names of players.
    """
    wanted = bare(words).split()
    hits = []
    for one in found:
        whole = all(word in bare(one.title) for word in wanted)
        written = (text for text in one.paragraphs if "\n" not in text)
        texts = (text for text in written if all(word in bare(text) for word in wanted))
        hits.append(Subject(one.title, one.paragraphs if whole else tuple(texts)))
    hits = [one for one in hits if one.paragraphs]
    if not hits:
        raise NoSuchClause("The rules say nothing about {words}.", words=words)
    return tuple(hits)


def plain(text: str) -> str:
    """Return the text without the marks of Markdown."""
    return _NOTE.sub("", text).replace("*", "").replace("`", "")


def _parts(lines: Iterable[str]) -> tuple[Subject, ...]:
    """Return the subjects of a text in Markdown, each paragraph and item on one line.

    A picture between fences keeps its lines.
    """
    parts: list[tuple[str, list[str]]] = []
    joins = False
    picture: list[str] | None = None
    for line in lines:
        if line == _FENCE and picture is not None:
            parts[-1][1].append("\n".join(picture))
            picture = None
            continue
        if line == _FENCE:
            picture = []
            continue
        if picture is not None:
            picture.append(line)
            continue
        if line.startswith("#"):
            parts.append((plain(line.lstrip("# ")), []))
            joins = False
            continue
        texts = parts[-1][1]
        text = plain(line.strip().removeprefix("- "))
        if text and joins and not _ITEM.match(line):
            texts[-1] += " " + text
        elif text:
            texts.append(text)
        joins = bool(text)
    return tuple(Subject(title, tuple(texts)) for title, texts in parts)

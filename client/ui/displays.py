"""Who spends an evening at the screen: a person who plays, or somebody who watches a program."""

import argparse
import random
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext

import trio
from attrs import define, evolve, field, frozen

from client.bots.levels import opponent
from client.bots.runner import PACES, sit_in
from client.i18n.language import _
from client.session.absence import House
from client.session.absence_policy import IfAbsent
from client.session.bot_pool import Style
from client.session.display import Front
from client.session.lobby import Room, sit_in_lobby
from client.session.next_step import Wish
from client.session.table import Manner, opening_lines
from client.settings import LEVELS, Settings, load_settings
from client.ui.appearance import Look, write_out
from client.ui.linear.lobby import LobbyLines
from client.ui.linear.watch import watch
from client.ui.show_lobby import show_lobby
from client.ui.show_table import show_table
from client.ui.text.console import Console
from client.ui.tui.table.pages import Page
from client.ui.tui.toolkit.alternate_screen import stage
from p2p.storage.folders import data_folder
from p2p.storage.memberships import Membership
from p2p.table.node import Node


@define
class PersonFront:
    """For a person: the full screen, or lines. What is `told` while there is a full screen waits
    until it is left; where the screen belongs to somebody else (not `own_screen`), it stays there.
    """

    look: Look
    own_screen: bool = True
    told: list[str] = field(factory=list)
    ready: bool = False
    _staged: bool = False

    @contextmanager
    def stage(self) -> Iterator[None]:
        if self.look.lines is not None or not self.own_screen:
            yield
            return
        self._staged = True
        try:
            with stage():
                yield
        finally:
            self._staged = False
            for line in self.told:
                self._say(line)

    def tell(self, line: str) -> None:
        if self.look.lines is None and (self._staged or not self.own_screen):
            self.told.append(line)
        else:
            self._say(line)

    async def lobby(self, room: Room) -> Membership | None:
        return await show_lobby(room, self.look)

    async def table(self, node: Node, house: House, wishes: Sequence[Wish]) -> Wish:
        if self.look.lines is not None:
            for line in opening_lines(node):
                self.tell(line)
        opening = None if node.height else Page.WORDS  # not for one that is taken up again
        return await show_table(node, self.look, house, wishes, opening)

    def _say(self, line: str) -> None:
        write_out(self.look.glyphs.plain(line) + "\n")


@frozen
class ProgramFront:
    """Lines to look at, and an opponent of the program's that plays."""

    console: Console
    level: str
    seed: int | None
    ready: bool = True

    def stage(self) -> AbstractContextManager[None]:
        return nullcontext()

    def tell(self, line: str) -> None:
        self.console.line(line)

    async def lobby(self, room: Room) -> Membership | None:
        return await sit_in_lobby(room, LobbyLines(self.tell))

    async def table(self, node: Node, house: House, wishes: Sequence[Wish]) -> Wish:
        del house, wishes
        for line in opening_lines(node):
            self.tell(line)
        rng = random.Random(self.seed)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(sit_in, node, opponent(self.level, node.charter.game.name, rng))
            await watch(node, self.console)
            nursery.cancel_scope.cancel()
        return Wish.LEAVE


def add_playing(parser: argparse.ArgumentParser) -> None:
    """The arguments of commands that play with other people."""
    parser.add_argument("--linear", action="store_true", help=_("lines instead of a full screen"))
    parser.add_argument("--autoplay", action="store_true", help=_("an opponent plays for you"))
    parser.add_argument("--level", choices=LEVELS, help=_("how well the program's opponents play"))
    parser.add_argument(
        "--seed", type=int, help=_("with --autoplay: fixes its choices, not the shuffle")
    )
    parser.add_argument(
        "--if-absent",
        choices=[choice.value for choice in IfAbsent],
        default=IfAbsent.WAIT.value,
        help=_("with --autoplay: what to agree on when a player stays away"),
    )


def settings_of(arguments: argparse.Namespace) -> Settings:
    """The person's settings with what `add_playing`'s arguments change. Raises FolderError."""
    settings = load_settings(data_folder()).settings
    linear = settings.linear or arguments.linear
    return evolve(settings, linear=linear, level=arguments.level or settings.level)


def front_of(arguments: argparse.Namespace, settings: Settings) -> Front:
    """What the arguments ask for."""
    if arguments.autoplay:
        return ProgramFront(Console(), settings.level, arguments.seed)
    return PersonFront(Look.of(settings))


def manner_of(arguments: argparse.Namespace, settings: Settings) -> Manner:
    """What the arguments ask for."""
    if arguments.autoplay:
        return Manner(Style(settings.level), IfAbsent(arguments.if_absent))
    return Manner(Style(settings.level, PACES[settings.pace]))

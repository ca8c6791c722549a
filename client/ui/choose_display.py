"""The choice between displays for this terminal, the whole screen or lines, and their runs."""

from collections.abc import Sequence

import trio

from client.i18n.language import _, number
from client.session.display.absence import OwnBots
from client.session.display.display_interface import Reach, Restore, Restoring
from client.session.display.lobby_interface import Lobby, LobbyDisplay, sit_in_lobby
from client.session.display.node_interface import NodeAtSeat
from client.session.display.presenter import LessonAt, Presenter, no_lesson
from client.session.display.snapshot import AfterMatch
from client.session.solo import Show
from client.ui.linear.lobby import LobbyLines
from client.ui.linear.table import LinearTable
from client.ui.model.hint import Hints
from client.ui.model.own_review import OnText, OwnReview, Reviewer, WrittenReview
from client.ui.model.pages import Page
from client.ui.text.events import Narrator
from client.ui.tui.lobby.screen import LobbyScreen
from client.ui.tui.table.screen import TableScreen
from client.ui.tui.toolkit.glyphs import Glyphs
from client.ui.tui.toolkit.terminal_look import TerminalLook, write_out
from client.ui.tui.toolkit.working import OnProgress, while_waiting, while_working
from p2p.storage.memberships import Membership
from p2p.table.asides import Asides


async def show_lobby(lobby: Lobby, look: TerminalLook) -> Membership | None:
    """Show a lobby, and return the signed charter; None when the person leaves.

    Raises the errors of `Lobby.run`, and Interrupted when the terminal is gone.
    """

    def write(line: str) -> None:
        write_out(look.glyphs.plain(line) + "\n")

    display: LobbyDisplay = (
        LobbyScreen(look.glyphs, look.style, colours=look.colours)
        if look.lines is None
        else LobbyLines(write, look.lines)
    )
    return await sit_in_lobby(lobby, display)


async def show_table(
    seat: NodeAtSeat,
    look: TerminalLook,
    bots: OwnBots | None = None,
    choices: Sequence[AfterMatch] = (),
    opening: Page | None = None,
    asides: Asides | None = None,
    *,
    watching: bool = False,
    lesson: LessonAt = no_lesson,
) -> AfterMatch:
    """Show the table until the person leaves, or chooses one of `choices` after the match.

    `bots` and `asides` are for a table with other people, who may stay away, and can be
    talked to. A screen begins with the page `opening`. A spectator is `watching`, and only hears
    the `asides`. `lesson` tells where a learner is.

    Raises Interrupted when the terminal is gone.
    """
    speaks = asides is not None and not watching
    display = (
        TableScreen(
            look.glyphs,
            look.style,
            colours=look.colours,
            bell=look.bell,
            choices=choices,
            opening=opening,
            speaks=speaks,
        )
        if look.lines is None
        else LinearTable(look.glyphs, look.lines, write_out, choices, speaks=speaks)
    )
    display.controls.hints = Hints(look.hints)
    token = trio.lowlevel.current_trio_token()
    alone = watching or lesson is not no_lesson
    own = None if alone else OwnReview(_reviewer(seat, look.glyphs, token))
    display.controls.own_review = own
    if own is not None and isinstance(display, TableScreen):
        own.redraw = display.redraw
    narrator = Narrator(symbols=look.glyphs.symbols)
    async with trio.open_nursery() as nursery:
        presenter = Presenter(seat, display, narrator, bots, asides, watching, lesson)
        nursery.start_soon(presenter.run)
        choice = await display.run()
        if own is not None:
            own.wanted = False
        nursery.cancel_scope.cancel()
    return choice


async def wait_for_table(reach: Reach, look: TerminalLook) -> bool:
    """Show why it takes long until there is a table; False if the person does not wait for it."""

    async def wait(on_progress: OnProgress) -> bool:
        await reach(on_progress)
        return True

    return bool(await while_waiting(_("Looking for the table…"), wait, look))


def _reviewer(seat: NodeAtSeat, glyphs: Glyphs, token: trio.lowlevel.TrioToken) -> Reviewer:
    """Return a function that judges the decisions of a seat's player, for a thread."""

    def review(on_text: OnText) -> WrittenReview:
        # It takes all opponents and reports, and few players ask for it.
        from client.ui.model.game_review import review_record  # noqa: PLC0415
        from client.ui.tui.replay.review_lines import review_lines, review_sentences  # noqa: PLC0415

        record = trio.from_thread.run_sync(seat.record, trio_token=token)
        found = review_record(record, seat.me, on_text)
        sentences = tuple(review_sentences(found, glyphs))
        return WrittenReview(lambda width: review_lines(found, glyphs, width), sentences)

    return review


def restoring_display(look: TerminalLook) -> Restoring:
    """Return a function that shows the progress of restoring a table.

    It takes the keys meanwhile.
    """

    async def restoring(restore: Restore) -> bool:
        def work(on_progress: OnProgress) -> bool:
            def progress(done: int, total: int) -> None:
                template = _("Entry {done} of {total}")
                on_progress(template.format(done=number(done), total=number(total)))

            trio.from_thread.run(restore, progress)
            return True

        return bool(await while_working(_("Taking up the table"), work, look))

    return restoring


def solo_display(look: TerminalLook) -> Show:
    """Return a function that shows a solo table on this terminal.

    After the match the person can choose a rematch.
    """
    return lambda node: show_table(node, look, choices=(AfterMatch.AGAIN, AfterMatch.OTHER_SEATS))

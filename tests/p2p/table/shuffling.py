"""The moments at which one shuffle follows another."""

from tests.protocol.played import Moment, played


def next_to_shuffle() -> tuple[Moment, Moment]:
    """Before a shuffle that another player's follows, and before that one."""
    moments = played().moments
    first = next(
        number
        for number, moment in enumerate(moments)
        if moment.body.content.kind == moments[number + 1].body.content.kind == "shuffle"
    )
    return moments[first], moments[first + 1]

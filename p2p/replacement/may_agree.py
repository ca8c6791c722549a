"""What must hold at a node before its person agrees that somebody is absent, or invites somebody to
their seat.
"""

from engine.sentences import Sentence
from p2p.replacement.node_interface import NodeInterface
from protocol.entries import AbsentContent
from protocol.errors import Refused


def check_may_agree(node: NodeInterface) -> None:
    """Check that the node sits at the table, and that the grace is over. Raises Refused."""
    if not node.live_record.is_seated:
        raise Refused("You have no seat yet: the record in which you get it is not here.")
    if node.grace_left:
        raise Refused(
            Sentence.counted(
                "There is {n} second of grace left.",
                "There are {n} seconds of grace left.",
                round(node.grace_left),
            )
        )


def check_heard(node: NodeInterface, content: AbsentContent) -> None:
    """Check that the node has what the others have, and knows its own earlier votes: after a copy
    of the journal was put back, from every other voter. Raises Refused.
    """
    resync, mesh, height = node.resync, node.mesh, node.state.height
    if not resync.done and not resync.doubtful:
        raise Refused(
            "You have just come back: what the others have written meanwhile has to be heard first."
        )
    voters = (p for p in mesh.others if p not in content.players)
    unheard = [p for p in voters if not mesh.heard_directly(p) or mesh.heights[p] > height]
    if resync.doubtful and unheard:
        raise Refused(
            "Your journal was put back from a copy: what you may have agreed to since "
            "has to be heard from {names} first.",
            names=tuple(map(node.charter.name_of, unheard)),
        )

"""The world (simulated nodes) for the scenarios of each folder."""

from collections.abc import Callable

from tests.protocol.table.machine_world import MachineWorld
from tests.protocol.table.match_world import MatchWorld
from tests.protocol.table.peers_world import PeersWorld
from tests.protocol.table.scenario import World
from tests.protocol.table.without_rules_world import WithoutRulesWorld

WORLDS: dict[str, Callable[[], World]] = {
    "machine": MachineWorld,
    "peers": PeersWorld,
    "match": MatchWorld,
    "without_rules": WithoutRulesWorld,
}

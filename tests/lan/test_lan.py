"""A round among machines on a LAN, with the installed command, real mDNS and real sockets.

`python -m tests.lan.soak` has longer tests.
"""

import time
from pathlib import Path

from tests.lan.at_table import check_records, come_back, sit_down
from tests.lan.hosts import has_ipv6, lan, needs_lan

pytestmark = needs_lan


def test_a_killed_host_and_a_killed_guest_find_each_other_again(tmp_path: Path) -> None:
    """Both have only IPv6 addresses, if this kernel has IPv6."""
    with lan(2, tmp_path, ipv6_only=has_ipv6()) as network:
        sit_down(network, "canastra")
        for victim in network.hosts:
            victim.kill()
            come_back(victim)
            time.sleep(0.3)
        network.wait()
        check_records(network.hosts)

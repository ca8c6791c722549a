"""Whole rounds on a LAN of hosts, with the installed command, real mDNS and real sockets.

`python -m tests.lan.soak` has longer tests.
"""

import time
from pathlib import Path

import pytest

from tests.lan.at_table import check_records, come_back, sit_down
from tests.lan.hosts import has_ipv6, lan, needs_lan

pytestmark = needs_lan


@pytest.mark.skipif(not has_ipv6(), reason="this kernel has no IPv6")
def test_two_hosts_that_find_each_other_by_ipv6_alone_play_a_round(tmp_path: Path) -> None:
    with lan(2, tmp_path, ipv6_only=True) as network:
        sit_down(network, "canastra")
        network.wait()
        check_records(network)


def test_a_killed_host_and_a_killed_guest_come_back(tmp_path: Path) -> None:
    with lan(3, tmp_path) as network:
        sit_down(network, "canasta")
        for victim in network.hosts[:2]:
            time.sleep(0.5)
            victim.kill()
            come_back(victim)
        network.wait()
        check_records(network)

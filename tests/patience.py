"""How long tests wait for what happens in real time: other processes, threads, real sockets."""

PATIENCE = 120
"""Seconds, of which nothing takes more than a few: a bound for a machine on which much else runs. A
test that has to tell something quick from something slow makes the slow one take longer than this.
"""

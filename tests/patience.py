"""Patience of tests that wait for real time: other processes, threads, real sockets."""

PATIENCE = 120
"""Seconds, of which nothing takes more than a few: a bound for a machine on which much else runs.

A test that has to tell something quick from something slow makes the slow one take longer than
this.
"""

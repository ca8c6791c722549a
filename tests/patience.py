"""Timeout of tests that wait in real time: for other processes, threads and sockets."""

PATIENCE = 120
"""Seconds that a test waits at most. Nothing takes more than a few, except on a very busy machine.

A test that distinguishes quick from slow makes the slow one take longer than this.
"""

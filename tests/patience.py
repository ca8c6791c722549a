"""Timeout of tests that wait in real time: for other processes, threads and sockets."""

import os

PATIENCE = int(os.environ.get("SOBREMESA_PATIENCE", "120"))
"""Maximum seconds that a test waits; waits last a few seconds, except on a very busy machine.

In a test that tells quick from slow, the slow case takes longer than this.
"""

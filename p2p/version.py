"""The version of what nodes say to each other."""

MESSAGES = 1
"""The version of messages and beacons: nodes of different ones do not sit together. What is signed
and kept has a version of its own (`protocol.charter.FORMAT`).
"""

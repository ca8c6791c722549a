"""The version of what nodes say to each other."""

MESSAGES = 1
"""The version of messages and beacons. Nodes with different versions cannot play together. Records
have a version of their own (`protocol.charter.FORMAT`).
"""

"""The version of the messages between nodes."""

MESSAGES = 1
"""The version of messages and beacons. Nodes with different versions cannot play together. Records
have another version number (`protocol.charter.FORMAT`).
"""

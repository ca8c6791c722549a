"""Numbers of Samba (S5, S34, S45, S60-S65)."""

from collections.abc import Mapping

HAND_SIZE: Mapping[int, int] = {2: 15, 3: 15, 4: 15, 5: 15, 6: 13}

LONGEST_SEQUENCE = 11
"""The number of cards of a suit from four to ace. With `closed_sequences` the limit is seven."""

MOST_WILDS = 2

SAMBA = 1500
NATURAL_CANASTA = 500
MIXED_CANASTA = 300
RED_THREE = 100
RED_THREES = 6
ALL_RED_THREES = 1000
GOING_OUT = 200

OPENINGS = ((7000, 150), (3000, 120), (1500, 90), (0, 50))
NEGATIVE_OPENING = 15

"""The numbers that the rules' texts leave open, from the engine's own constants and the options."""

from collections.abc import Mapping

from client.i18n.language import _, number
from client.i18n.rulebook.numerals import Number
from engine.canasta import values as canasta
from engine.canastra import values as canastra
from engine.canastra.deck import CANASTRA
from engine.cards import Rank
from engine.games import Game
from engine.kanastic import values as kanastic
from engine.kanastic.deck import KANASTIC
from engine.options import Options


def rule_values(game: Game, options: Options) -> Mapping[str, object]:
    """The values of `game` under `options`, by the names that its text uses."""
    own = {"canasta": _canasta, "kanastic": _kanastic, "canastra": _canastra}[game.name]()
    deck = {"deck": len(game.deck), "last_cut": len(game.deck) - 1}
    chosen = dict(options.pairs())
    flags = {name: option_value(on) for name, on in chosen.items() if isinstance(on, bool)}
    numbers = {name: value for name, value in chosen.items() if name not in flags}
    return {name: Number(value) for name, value in (own | deck | numbers).items()} | flags


def option_value(value: bool | int) -> str:
    """What an option is set to, as people read it: on or off, or a number."""
    if isinstance(value, bool):
        return _("on") if value else _("off")
    return number(value)


def _canasta() -> dict[str, int]:
    points = canasta.CARD_POINTS
    stages = canasta.OPENINGS[::-1]
    return {
        **{f"hand_{players}": size for players, size in canasta.HAND_SIZE.items()},
        **{f"stage_{i}": least for i, (least, _) in enumerate(stages)},
        **{f"opening_{i}": need for i, (_, need) in enumerate(stages)},
        "negative_opening": canasta.NEGATIVE_OPENING,
        "joker": points[Rank.JOKER],
        "two": points[Rank.TWO],
        "ace": points[Rank.ACE],
        "eight": points[Rank.EIGHT],
        "four": points[Rank.FOUR],
        "three": points[Rank.THREE],
        "canasta_size": canasta.CANASTA_SIZE,
        "most_wilds": canasta.MOST_WILDS,
        "clean_canasta": canasta.CLEAN_CANASTA,
        "dirty_canasta": canasta.DIRTY_CANASTA,
        "red_three": canasta.RED_THREE,
        "all_red_threes": canasta.ALL_RED_THREES,
        "going_out": canasta.GOING_OUT,
        "relance": canasta.RELANCE,
        "kept_red_three": canasta.KEPT_RED_THREE_PENALTY,
        "vain_question": canasta.FALSE_QUESTION_PENALTY,
    }


def _kanastic() -> dict[str, int]:
    points, stages = kanastic.CARD_POINTS, kanastic.STAGES[::-1]
    deck = [card.rank for card in KANASTIC]
    first_hand = kanastic.HAND_SIZE + 1
    return {
        "naturals": sum(rank <= Rank.ACE for rank in deck),
        "swords": deck.count(Rank.SWORD),
        "shields": deck.count(Rank.SHIELD),
        "artifacts": deck.count(Rank.ARTIFACT),
        "pots": deck.count(Rank.POT),
        "hand": kanastic.HAND_SIZE,
        "first_hand": first_hand,
        **{f"stock_{n}": len(deck) - n * kanastic.HAND_SIZE - 1 for n in (2, 3, 4)},
        **{f"stage_{i}": stage.least for i, stage in enumerate(stages)},
        **{f"before_{i}": stage.least - 5 for i, stage in enumerate(stages)},
        **{f"opening_{i}": stage.points for i, stage in enumerate(stages) if stage.points},
        **{f"stage_wilds_{i}": stage.wilds for i, stage in enumerate(stages) if stage.wilds},
        "fewest_naturals": kanastic.FEWEST_NATURALS,
        "most_wilds": kanastic.MOST_WILDS,
        "complete": kanastic.COMPLETE,
        "largest_meld": kanastic.LARGEST_RANK_MELD,
        "fewest_to_take": kanastic.FEWEST_TO_TAKE,
        "natural_canasta": kanastic.NATURAL_CANASTA,
        "mixed_canasta": kanastic.MIXED_CANASTA,
        "natural_ace_canasta": kanastic.NATURAL_ACE_CANASTA,
        "mixed_ace_canasta": kanastic.MIXED_ACE_CANASTA,
        "royal_suit": kanastic.ROYAL_SUIT,
        "mixed_suit": kanastic.MIXED_SUIT,
        "pot": kanastic.POT,
        "all_pots": kanastic.ALL_POTS,
        "shield": kanastic.SHIELD_IN_HAND,
        "artifact": points[Rank.ARTIFACT],
        "sword": points[Rank.SWORD],
        "ace": points[Rank.ACE],
        "nine": points[Rank.NINE],
        "four": points[Rank.FOUR],
    }


def _canastra() -> dict[str, int]:
    dealt = 2 * canastra.HAND_SIZE
    dead = canastra.DEAD_SIZE
    return {
        "hand": canastra.HAND_SIZE,
        "dead": dead,
        "dead_1_first": dealt + 1,
        "dead_1_last": dealt + dead,
        "dead_2_first": dealt + dead + 1,
        "dead_2_last": dealt + 2 * dead,
        "stock": len(CANASTRA) - dealt - canastra.DEADS * dead,
        "run": canastra.RUN_SIZE,
        "longest": canastra.LONGEST_SEQUENCE,
        "canastra": canastra.CANASTRA_SIZE,
        "card": canastra.CARD,
        "dirty": canastra.DIRTY_CANASTRA,
        "clean": canastra.CLEAN_CANASTRA,
        "real": canastra.REAL_CANASTRA,
        "going_out": canastra.GOING_OUT,
    }

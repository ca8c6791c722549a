"""The state of a round of Hand and Foot, and its answers to displays and opponents."""

from attrs import frozen

from engine.hand_and_foot.constants import FOOT_SIZE, MELDS, OPENINGS, PILE_PART
from engine.hand_and_foot.deck import DECKS
from engine.hand_and_foot.options import HandAndFootOptions
from engine.hands_set_aside import SetAside
from engine.like_melds.samba_family_round import ThreesInTurn
from engine.melds import Meld
from engine.own_lines import LineKind, OwnLine
from engine.position_facts import MeldClass, MeldWords
from engine.sentences import N_, Sentence
from engine.slots import Shown, Side

_MELD_WORDS = {  # H37
    MeldClass.CLEAN: MeldWords(N_("book|clean"), N_("completes a clean book")),
    MeldClass.DIRTY: MeldWords(N_("book|dirty"), N_("completes a dirty book")),
}


@frozen(kw_only=True, slots=False)
class HandAndFootState(SetAside, ThreesInTurn):
    """The state of a round of Hand and Foot, where hands set aside are called feet."""

    decks = DECKS
    limits = MELDS
    turn_clause = "H12"
    bonus_duty = "H15"
    opening_clause = "H42"
    asking_clause = "H55"
    asking_early_clause = "H56"
    counts_set_aside = True  # H62
    letter = "H"
    meld_words = _MELD_WORDS
    takes_up = N_("takes up the foot")
    own_lines = (
        OwnLine(
            "walking",
            LineKind.SEATS,
            "took_aside",
            "seats that have taken up their foot (H50, H51)",
            "1 3",
        ),
        OwnLine(
            "feet",
            LineKind.HANDS,
            "aside",
            "how many feet are left",
            "2",
            "one for each seat that is not in `walking`",
            size=FOOT_SIZE,
            taken="took_aside",
        ),
    )
    options: HandAndFootOptions

    @property
    def aside_text(self) -> Sentence:
        return Sentence.counted("{n} foot", "{n} feet", len(self.aside))

    @property
    def draws(self) -> int:
        return self.options.draw

    def opening_need(self, side: Side) -> int:
        del side
        # Round 1 is at index 0; round 5 and all later ones need as much as round 4.
        return OPENINGS[min(self.number, len(OPENINGS)) - 1]

    # -- the pile

    @property
    def takes(self) -> tuple[Shown, ...]:
        return self.pile if self.options.whole_pile else self.pile[-PILE_PART:]

    @property
    def pile_bonus(self) -> tuple[Shown, ...]:
        return ()  # H15: red threes of the pile come into the hand

    # -- going out

    @property
    def may_ask(self) -> bool:
        return super().may_ask and not self.has_aside(self.turn.seat)

    def may_go_out(self, side: Side) -> bool:
        return self.has_books(self.laid[side].melds)

    def has_books(self, melds: tuple[Meld, ...]) -> bool:
        """Return True if the melds have the books that going out requires (H53)."""
        return not any(self.books_lacking(melds))

    def books_lacking(self, melds: tuple[Meld, ...]) -> tuple[int, int]:
        """Return how many clean and dirty books these melds lack for going out (H53)."""
        found = [self.meld_class(meld) for meld in melds]
        clean = self.options.clean_books - found.count(MeldClass.CLEAN)
        dirty = self.options.dirty_books - found.count(MeldClass.DIRTY)
        return max(0, clean), max(0, dirty)

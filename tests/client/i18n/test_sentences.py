"""Sentences of engine, protocol and p2p in the language of the person."""

import pytest

from client.i18n.language import choose_language
from client.i18n.sentences import said
from engine.canasta.deck import CANASTA
from engine.errors import IllegalMove, NotationError
from engine.sentences import Sentence
from engine.turn import Step
from p2p.storage.private_files import FolderError
from protocol.errors import ProofFailed, Refused

WILD = IllegalMove("C30", "Wild cards alone are no meld.")
WILD_IN_SPANISH = "Los comodines por sí solos no son un juego. [C30]"
NO_MELD = NotationError("These cards are no meld. {error}", error=WILD)
PROOF = "Shuffle proof, equation {broken}: {what}."
MIXES = Sentence("the commitment mixes cards")
OPENING = "Opening takes {need} points, and these cards have {points}."
STEP = Sentence.of(Step.DRAW.value)
NO_FOLDER = "The folder {folder} cannot be made ({reason}). Set {variable} to a folder of your own."
WRITES = "It is {name} who writes next."
GRACE = ("There is {n} second of grace left.", "There are {n} seconds of grace left.")
SIDES = tuple(Sentence("side {side} {points}", side=n, points=1000 * n) for n in (1, 2))


@pytest.mark.parametrize(
    ("language", "sentence", "told"),
    [
        # A value that is itself a text is translated, too.
        (
            "es",
            IllegalMove("X10", "It is the moment to {step}.", step=STEP),
            "Es el momento de robar. [X10]",
        ),
        (
            "es",
            NotationError("Line {line}: {error}", line=3, error=NO_MELD),
            f"Línea 3: Estas cartas no son un juego. {WILD_IN_SPANISH}",
        ),
        (
            "es",
            ProofFailed("prod", PROOF, broken="prod", what=MIXES),
            "Prueba de barajado, ecuación prod: el compromiso mezcla cartas.",
        ),
        # A name is neither translated nor treated as a template.
        ("es", Sentence(WRITES, name="draw"), "Es draw quien escribe ahora."),
        ("pt", Sentence(WRITES, name="{name}"), "É {name} quem escreve agora."),
        # A text that no catalog has stays English.
        ("pt", Refused("Nobody has ever said this."), "Nobody has ever said this."),
        ("pt", ValueError("in the language already"), "in the language already"),
        # A refusal carries its clause.
        (
            "pt",
            IllegalMove("C37", OPENING, need=90, points=45),
            "Para abrir é preciso ter 90 pontos, e estas cartas somam 45. [C37]",
        ),
        (
            "en",
            IllegalMove("C50", "A pile with a {card} on top cannot be taken.", card=CANASTA[1]),
            "A pile with a 3♠ on top cannot be taken. [C50]",
        ),
        # A text agrees with its number.
        ("es", Sentence.counted(*GRACE, 1), "Queda 1 segundo de espera."),
        ("es", Sentence.counted(*GRACE, 1200), "Quedan 1.200 segundos de espera."),
        # Several texts are joined.
        (
            "es",
            Sentence("the round is over: {points}", points=SIDES),
            "la ronda ha terminado: bando 1 1.000, bando 2 2.000",
        ),
        # An error of this machine is translated, too.
        (
            "es",
            FolderError(NO_FOLDER, folder="/x", reason="No room", variable="SOBREMESA_HOME"),
            "No se puede crear la carpeta /x (No room). Pon en SOBREMESA_HOME una carpeta tuya.",
        ),
    ],
)
def test_a_sentence_is_translated_for_the_person(
    language: str, sentence: Sentence | Exception, told: str
) -> None:
    choose_language(language)
    assert said(sentence) == told

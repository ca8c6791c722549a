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


def test_what_is_filled_in_is_translated_where_it_is_a_text() -> None:
    choose_language("es")
    moment = IllegalMove("X10", "It is the moment to {step}.", step=Sentence.of(Step.DRAW.value))
    assert said(moment) == "Es el momento de robar. [X10]"
    why = IllegalMove("C30", "Wild cards alone are no meld.")
    lie = NotationError("No meld can lie so. {error}", error=why)
    assert said(NotationError("Line {line}: {error}", line=3, error=lie)) == (
        "Línea 3: Ningún juego puede quedar así. Los comodines por sí solos no son un juego. [C30]"
    )
    broken = ProofFailed(
        "prod",
        "Shuffle proof, equation {broken}: {what}.",
        broken="prod",
        what=Sentence("the commitment mixes cards"),
    )
    assert said(broken) == "Prueba de barajado, ecuación prod: el compromiso mezcla cartas."


def test_a_name_is_never_translated() -> None:
    choose_language("es")
    assert said(Sentence("It is {name} who writes next.", name="draw")) == (
        "Es draw quien escribe ahora."
    )


def test_a_name_is_no_template() -> None:
    choose_language("pt")
    assert said(Sentence("It is {name} who writes next.", name="{name}")) == (
        "É {name} quem escreve agora."
    )


def test_what_no_catalog_knows_is_said_in_english() -> None:
    choose_language("pt")
    assert said(Refused("Nobody has ever said this.")) == "Nobody has ever said this."
    assert said(ValueError("in the language already")) == "in the language already"


def test_a_refusal_carries_its_clause() -> None:
    choose_language("pt")
    error = IllegalMove(
        "C37", "Opening takes {need} points, and these cards have {points}.", need=90, points=45
    )
    assert said(error) == "Para abrir é preciso ter 90 pontos, e estas cartas somam 45. [C37]"
    stop = IllegalMove("C50", "A pile with a {card} on top cannot be taken.", card=CANASTA[1])
    assert said(stop).endswith("[C50]")


@pytest.mark.parametrize(
    ("n", "text"), [(1, "Queda 1 segundo de espera."), (1200, "Quedan 1.200 segundos de espera.")]
)
def test_a_text_agrees_with_its_number(n: int, text: str) -> None:
    choose_language("es")
    grace = "There is {n} second of grace left.", "There are {n} seconds of grace left."
    assert said(Sentence.counted(*grace, n)) == text


def test_several_texts_are_joined() -> None:
    choose_language("es")
    sides = tuple(Sentence("side {side} {points}", side=n, points=1000 * n) for n in (1, 2))
    assert said(Sentence("the round is over: {points}", points=sides)) == (
        "la ronda ha terminado: bando 1 1.000, bando 2 2.000"
    )


def test_an_error_of_this_machine_is_told_in_the_language() -> None:
    choose_language("es")
    error = FolderError(
        "The folder {folder} cannot be made ({reason}). Set {variable} to a folder of your own.",
        folder="/x",
        reason="No room",
        variable="SOBREMESA_HOME",
    )
    assert said(error) == (
        "No se puede crear la carpeta /x (No room). Pon en SOBREMESA_HOME una carpeta tuya."
    )

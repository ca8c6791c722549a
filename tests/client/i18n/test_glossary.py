"""One word for each thing: the catalogs and the rules use the same terms."""

import re
from collections.abc import Mapping
from functools import cache

import pytest

from client.i18n.rulebook.text import clauses
from tests.catalogs import TRANSLATED
from tests.client.i18n.rulebook_texts import text_in, translated_rules, translated_texts

TERMS: Mapping[str, tuple[str, str]] = {
    r"stocks?": ("mazo", "monte"),
    r"(discard )?pile": ("pozo", "lixo"),
    r"top card": ("carta de arriba", "carta de cima"),
    r"frozen|freezes": ("premia", "tranca"),
    r"wild cards?": ("comod[ií]n", "coringa"),
    r"naturals?": ("natural", "natura(l|is)"),
    r"canastas?": ("canasta", "canasta"),
    r"canastras?": ("canastra", "canastra"),
    r"clean": ("limpi", "limp"),
    r"dirty": ("suci", "suj"),
    r"red threes?": ("tres(es)? rojo", "três vermelho"),
    r"black threes?": ("tres(es)? negro", "três preto"),
    r"melds?": ("jueg|b[aá][jx]", "jog|baix"),
    r"runs(?! out)": ("juego", "jogo"),
    r"[Aa] sequence|sequences": ("escalera", "sequência"),
    r"go(es|ing)? out|(?<!beacon )went out": ("cierr|cerr|sal", "bat"),
    r"opening|has opened": ("abr|ab(ier|er)t|apertura", "abr|abert"),
    r"partners?": ("compañero|pareja", "parceiro"),
    r"couples?": ("pareja", "dupla"),
    r"(?<!by )side(?! by)|sides(?! of a plus)": ("bando", "lado"),
    r"rounds?": ("ronda", "rodada"),
    r"deads?": ("muerto", "morto"),
    r"Treasure Pots?": ("Tesoro", "Tesouro"),
    r"golden suits?": ("palos? de oro|palo", "naipes? de ouro|naipe"),
    r"gold cards?": ("cartas? de oro", "cartas? de ouro"),
    r"Artifacts?": ("Artefacto", "Artefato"),
    r"Swords?": ("Espada", "Espada"),
    r"Shields?": ("Escudo", "Escudo"),
    r"stop cards?": ("de parada", "de parada"),
    r"bonus cards?": ("cartas? de premio", "cartas? de prêmio"),
    r"deck": ("baraja|cort", "baralh|cort"),
    r"(?<!draw )seats?": ("asiento", "lugar"),
    r"(?<!could )match": ("partida", "partida"),
    r"opponents?": ("adversario", "adversário"),
    r"score sheet": ("tanteo", "placar"),
    r"records?": ("acta", "registro"),
    r"[Ee]ntry|[Ee]ntries": ("entrada", "lançamento"),
    r"journal": ("diario", "diário"),
    r"charter": ("acuerdo", "acordo"),
}
"""English words with their names in Spanish and in Portuguese, as patterns."""

_FIELD = re.compile(r"\{[^}]*\}|%\(\w+\)s")

STRAY: Mapping[str, str] = {
    "es": r"\bcontrario|\bestatuto|\bsólo\b|\blado\b(?! dos naturales)|\bpila\b|\bleed\b|“",
    "pt": r"\bcuringa|\bestatuto|\bcongelad|\bpilha\b|«",
}
"""Words that would be a second name for a thing, as patterns."""


@cache
def pairs(language: str) -> list[tuple[str, str]]:
    """Return English texts and clauses with their translations."""
    found = list(translated_texts(language))
    for name in translated_rules(language):
        translated = clauses(text_in(language, name))
        found += ((text, translated[n]) for n, text in clauses(text_in("en", name)).items())
    return found


@pytest.mark.parametrize("language", TRANSLATED)
@pytest.mark.parametrize("term", TERMS)
def test_translations_use_one_name_for_each_term(language: str, term: str) -> None:
    wanted = TERMS[term][TRANSLATED.index(language)]
    for english, translated in pairs(language):
        if re.search(rf"\b({term})\b", _FIELD.sub("", english)):
            assert re.search(wanted, translated, re.I), f"{english!r}: {translated!r}"


@pytest.mark.parametrize("language", TRANSLATED)
def test_translations_use_no_second_name_for_a_term(language: str) -> None:
    for _english, translated in pairs(language):
        assert not re.search(STRAY[language], translated, re.I), translated

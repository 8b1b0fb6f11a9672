"""Which words point at which fact: the fact's own name, its synonyms, and the role its name gives it."""

import re
from collections.abc import Iterable
from functools import lru_cache

from flows.extraction.port import FactSpec

_SYNONYMS = {
    "name": "naam nom",
    "email": "e-mail mail",
    "phone": "telephone mobile telefoon telefoonnummer gsm téléphone",
    "date": "datum",
    "age": "leeftijd âge",
    "weight": "gewicht poids",
    "height": "lengte taille",
    "city": "stad ville",
    "address": "adres adresse",
}
_ROLE_NAMES = {
    "target": "target goal desired wanted end doel",
    "baseline": "baseline current start now begin huidig",
    "delta": "delta gap difference change verschil",
}
_ROLE_CUES = {
    "target": "want wants target goal aim aiming reach hit wil doel streef naar tot veux objectif",
    "baseline": "currently current now today at from am nu momenteel huidig vanaf actuellement maintenant",
    "delta": "more gain gaining lose losing extra difference meer minder afvallen verliezen gagner perdre",
}
_INTRODUCTIONS = {"name": r"(?:i am|i'm|this is|call me|ik ben|ik heet|je m'appelle|je suis)"}
_COPULA = r"(?:\s*(?:[:=]|-(?=\s))\s*|(?:'s|\s+(?:is|are|will be|would be|zijn|est|sera))\s+)"


def role(spec: FactSpec) -> str | None:
    """`target`, `baseline` or `delta`, by the last part of the fact's name."""
    tail = _parts(spec.name)[-1]
    return next((role for role, names in _ROLE_NAMES.items() if tail in names.split()), None)


def labels(spec: FactSpec, wanted: Iterable[FactSpec]) -> tuple[str, ...]:
    """How a visitor may name the fact; a last part that several wanted facts share names none of them."""
    parts = _parts(spec.name)
    full = " ".join(parts)
    if any(other.name != spec.name and _parts(other.name)[-1] == parts[-1] for other in wanted):
        return (full,)
    return tuple(dict.fromkeys((full, parts[-1], *_SYNONYMS.get(parts[-1], "").split())))


@lru_cache(maxsize=512)
def label_pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """Finds any of the labels as whole words."""
    return _words(names)


@lru_cache(maxsize=8)
def role_pattern(role_name: str) -> re.Pattern[str]:
    """Finds the words that announce a value of that role."""
    return _words(_ROLE_CUES[role_name].split())


ROLES = tuple(_ROLE_CUES)


@lru_cache(maxsize=512)
def mention_pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    """Finds "<label> is <value>"; the value runs to the end of the clause."""
    leads = [rf"(?:{'|'.join(map(re.escape, names))}){_COPULA}"]
    leads += [rf"{_INTRODUCTIONS[name]}\s+" for name in names if name in _INTRODUCTIONS]
    return re.compile(rf"\b(?:{'|'.join(leads)})(?P<value>[^,;.!?\n\x00]+)", re.IGNORECASE)


TRAILING_AND = re.compile(r"\s+(?:and|en|et)(?:\s+(?:my|mijn|mon|ma))?\s*$", re.IGNORECASE)
"""What is left between two labelled mentions ("Jan and my" city is Gent)."""


def _words(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, words))})(?!\w)", re.IGNORECASE)


def _parts(name: str) -> list[str]:
    spaced = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name)
    return re.split(r"[\s_.-]+", spaced.casefold().strip("_.- ")) or [name]

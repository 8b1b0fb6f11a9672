"""How far two people who read the same conversations agree."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations


@dataclass(frozen=True, slots=True)
class Agreement:
    """Of one pair of reviewers; kappa is None where chance alone explains everything."""

    reviewers: tuple[str, str]
    n: int
    agreed: int
    kappa: float | None


def agreements(labels: Mapping[str, Mapping[str, bool]]) -> list[Agreement]:
    """Every pair of reviewers with cases in common; `labels` maps a case to what each reviewer said of it."""
    reviewers = sorted({name for said in labels.values() for name in said})
    found = []
    for one, other in combinations(reviewers, 2):
        pairs = [(said[one], said[other]) for said in labels.values() if one in said and other in said]
        if pairs:
            agreed = sum(a == b for a, b in pairs)
            found.append(Agreement((one, other), len(pairs), agreed, kappa(pairs)))
    return found


def kappa(pairs: list[tuple[bool, bool]]) -> float | None:
    """Cohen's: agreement beyond what two people with these habits would reach by chance."""
    n = len(pairs)
    observed = sum(a == b for a, b in pairs) / n
    one, other = sum(a for a, _ in pairs) / n, sum(b for _, b in pairs) / n
    expected = one * other + (1 - one) * (1 - other)
    return None if expected == 1 else round((observed - expected) / (1 - expected), 3)

"""Intervals of shares and of ratios of what was estimated from samples."""

from dataclasses import dataclass
from math import inf, sqrt

Z95 = 1.959964


@dataclass(frozen=True, slots=True)
class Estimate:
    """A figure and the ends of its 95 % interval."""

    value: float
    low: float
    high: float

    def times(self, factor: float, *, plus: float = 0.0) -> "Estimate":
        return Estimate(self.value * factor + plus, self.low * factor + plus, self.high * factor + plus)


def wilson(share: float, n: float) -> tuple[float, float]:
    """Wilson's 95 % interval of a share of n."""
    square = Z95**2
    centre = share + square / (2 * n)
    spread = Z95 * sqrt(share * (1 - share) / n + square / (4 * n * n))
    scale = 1 + square / n
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


def ratio(one: Estimate, other: Estimate) -> Estimate:
    """One estimate over another, independent one: Donner and Zou's interval from the intervals of the two (MOVER)."""
    if not other.value:
        return Estimate(inf, inf, inf)
    product = one.value * other.value
    below, room = one.low * (2 * one.value - one.low), other.high * (2 * other.value - other.high)
    above, rest = one.high * (2 * one.value - one.high), other.low * (2 * other.value - other.low)
    divisor = product + sqrt(max(0.0, product**2 - below * room))
    low = below / divisor if divisor else 0.0
    high = (product + sqrt(max(0.0, product**2 - above * rest))) / rest if rest > 0 else inf
    return Estimate(one.value / other.value, max(0.0, low), high)

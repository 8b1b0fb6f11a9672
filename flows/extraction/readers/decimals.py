"""Decimals as people write them in English, Dutch and French, shared by the number and quantity readers."""

import re
from decimal import Decimal

_GROUPED = r"\d{1,3}(?:[.,'\u00a0\u202f]\d{3})+(?:[.,]\d{1,6})?"
_STANDS_ALONE = r"(?<![\w@/-])(?<!\d[.,:])"
NUMERAL = rf"{_STANDS_ALONE}-?(?!0\d)(?:{_GROUPED}|\d{{1,15}}(?:[.,]\d{{1,6}})?)"
_THOUSANDS = re.compile(r"-?[1-9]\d{0,2}(?:([.,'\u00a0\u202f])\d{3})(?:\1\d{3})*")

# One ("one", "een", "un") is left out: it is an article far more often than a number.
WORDS = {
    word: str(number)
    for number, words in enumerate(
        (
            "two twee deux", "three drie trois", "four vier quatre", "five vijf cinq", "six zes",
            "seven zeven sept", "eight acht huit", "nine negen neuf", "ten tien dix",
            "eleven elf onze", "twelve twaalf douze",
        ),
        start=2,
    )
    for word in words.split()
}  # fmt: skip
WORD = r"\b(?:" + "|".join(WORDS) + r")\b"


def parse_decimal(words: str) -> tuple[str, float]:
    """The canonical decimal and how sure it is; `1.500` and `1,500` are thousands, but might be 1.5."""
    if (spelled := WORDS.get(words.casefold())) is not None:
        return spelled, 0.9
    grouped = _THOUSANDS.fullmatch(words)
    if grouped:
        sure = 0.7 if words.count(grouped[1]) == 1 and grouped[1] in ".," else 0.95
        return canonical(Decimal(re.sub(r"[^\d-]", "", words))), sure
    whole, separator, fraction = words, "", ""
    if (position := max(words.rfind("."), words.rfind(","))) >= 0:
        whole, separator, fraction = words[:position], ".", words[position + 1 :]
    return canonical(Decimal(re.sub(r"[^\d-]", "", whole) + separator + fraction)), 0.95


def canonical(number: Decimal) -> str:
    """Plain notation without superfluous zeros: `2`, `2.5`, `-0.25`."""
    plain = format(number, "f")
    plain = plain.rstrip("0").rstrip(".") if "." in plain else plain
    return "0" if plain in ("-0", "") else plain

"""A number with its unit: "300 lbs", "2 uur", "€ 12,50"; the value is `{"amount", "unit"}`."""

import re

from flows.extraction.port import Context, FactSpec, Reading
from flows.extraction.readers.decimals import NUMERAL, WORD, parse_decimal
from flows.extraction.readers.number import match_whole_answer

_SPELLINGS = {
    "lb": "lb lbs pound pounds pond livre livres",
    "kg": "kg kgs kilo kilos kilogram kilograms kilogramme kilogrammes",
    "g": "g gram grams gramme grammes",
    "km": "km kms kilometer kilometers kilometre kilometres kilomètre kilomètres",
    "m": "m meter meters metre metres mètre mètres",
    "cm": "cm centimeter centimeters centimetre centimetres centimètre centimètres",
    "mi": "mi mile miles mijl mijlen",
    "ft": "ft foot feet voet",
    "in": "inch inches",
    "l": "l liter liters litre litres",
    "kcal": "kcal calories calorieën",
    "h": "h hr hrs hour hours uur uren heure heures",
    "min": "min mins minute minutes minuut minuten",
    "s": "sec secs second seconds seconde seconden secondes",
    "day": "day days dag dagen jour jours",
    "week": "week weeks weken semaine semaines",
    "month": "month months maand maanden mois",
    "year": "year years yr yrs jaar jaren ans année années",
    "%": "% percent procent pourcent",
    "EUR": "€ eur euro euros",
    "USD": "$ usd dollar dollars",
    "GBP": "£ gbp",
    "rep": "rep reps",
    "time": "times keer fois",
}
_UNITS = {spelling: unit for unit, spellings in _SPELLINGS.items() for spelling in spellings.split()}
_UNIT = "|".join(re.escape(spelling) for spelling in sorted(_UNITS, key=len, reverse=True))
_QUANTITY = re.compile(
    rf"(?P<sign>[€$£])\s?(?P<signed>{NUMERAL})(?!\w)|(?P<amount>{NUMERAL}|{WORD})[\s-]?(?P<unit>{_UNIT})(?!\w)",
    re.IGNORECASE,
)


def read(text: str, spec: FactSpec, context: Context) -> list[Reading]:
    """Every amount with a known unit; a bare number only when it is the whole answer (unit null)."""
    readings = []
    for match in _QUANTITY.finditer(text):
        amount, confidence = parse_decimal(match["signed"] or match["amount"])
        unit = _UNITS[(match["sign"] or match["unit"]).casefold()]
        readings.append(Reading({"amount": amount, "unit": unit}, match.start(), match.end(), confidence))
    if not readings and (bare := match_whole_answer(text)):
        amount, _ = parse_decimal(bare[1])
        readings.append(Reading({"amount": amount, "unit": None}, bare.start(1), bare.end(1), 0.5))
    return readings

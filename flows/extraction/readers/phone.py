"""Phone numbers by phonenumbers; a number without a country code is read in the locale's region."""

import phonenumbers

from flows.extraction.port import Context, FactSpec, Reading


def read(text: str, spec: FactSpec, context: Context) -> list[Reading]:
    """Every valid number, as E.164."""
    matches = phonenumbers.PhoneNumberMatcher(text, context.locale.region, phonenumbers.Leniency.VALID)
    return [
        Reading(
            phonenumbers.format_number(match.number, phonenumbers.PhoneNumberFormat.E164),
            match.start,
            match.end,
            0.97 if match.raw_string.startswith(("+", "00")) else 0.9,
        )
        for match in matches
    ]

"""A search as the access log keeps it: that it was asked, and never what it was asked about.

What somebody looks for is personal data of whom they look for, and the log is kept longer than any payload. A name or
a word is kept as a keyed digest: the same question can be recognised, and "who searched for X?" answered by whoever
holds the server's secret and knows X; nothing can be read off it.
"""

from collections.abc import Mapping

from django.utils.crypto import salted_hmac

from audit.search.question import FILTERS

SALT = "lastword.audit.search"
DIGITS = 16
PLAIN = ("type", "since", "until")


def asked(told: Mapping[str, str]) -> str:
    """Filters in order; leafing through the pages of an answer is the same question."""
    names = [name for name in FILTERS if told.get(name) and name != "before"]
    return " ".join(f"{name}={told[name] if name in PLAIN else digest_of(told[name])}" for name in names)


def digest_of(text: str) -> str:
    """The same for the same words, whatever their case."""
    return "#" + salted_hmac(SALT, " ".join(text.casefold().split()), algorithm="sha256").hexdigest()[:DIGITS]

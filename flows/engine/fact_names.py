"""What a fact nobody declared is, by its name: `facts` is optional, and an e-mail address is still one."""

import re
from collections.abc import Iterable

from .definition import FactSpec, FactType

_KINDS = {
    "email": FactType.EMAIL,
    "mail": FactType.EMAIL,
    "emailadres": FactType.EMAIL,
    "phone": FactType.PHONE,
    "telephone": FactType.PHONE,
    "mobile": FactType.PHONE,
    "telefoon": FactType.PHONE,
    "telefoonnummer": FactType.PHONE,
    "date": FactType.DATE,
    "datum": FactType.DATE,
    "geboortedatum": FactType.DATE,
}
_GENERIC = frozenset({"address", "number"})
"""Last words that say nothing by themselves: an email_address is an email."""


def spec_by_name(names: Iterable[str]) -> FactSpec:
    """The kind the last telling word of one of these names stands for; free text where none does."""
    for name in names:
        words = [word for word in re.split(r"[\W_]+", name.casefold()) if word and word not in _GENERIC]
        kind = _KINDS.get(words[-1]) if words else None
        if kind is not None:
            return FactSpec(kind)
    return FactSpec()

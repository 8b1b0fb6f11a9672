"""One file per fact type, each with `read(text, spec, context) -> list[Reading]`.

The order is that of the claim on words: what an e-mail address used, a number cannot use again.
"""

from collections.abc import Callable, Mapping

from flows.engine.definition import FactType
from flows.extraction.port import Context, FactSpec, Reading
from flows.extraction.readers import choice, date, email, number, phone, quantity, regex, text

Reader = Callable[[str, FactSpec, Context], list[Reading]]

READERS: Mapping[FactType, Reader] = {
    FactType.EMAIL: email.read,
    FactType.REGEX: regex.read,
    FactType.PHONE: phone.read,
    FactType.DATE: date.read,
    FactType.CHOICE: choice.read,
    FactType.QUANTITY: quantity.read,
    FactType.NUMBER: number.read,
    FactType.TEXT: text.read,
}

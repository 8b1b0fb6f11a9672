"""What travels from whoever changed something to whoever watches."""

from typing import NamedTuple, Protocol


class Item(NamedTuple):
    """One message, encoded once. A newer item replaces an unsent one of the same key; without text it only says
    that the number exists, and whoever wants it reads it."""

    topics: tuple[str, ...]
    key: str
    seq: int
    text: str


class Reader(Protocol):
    """Whatever takes items: a socket's mailbox, the presence table, the watch over the layer."""

    def put(self, item: Item) -> None: ...

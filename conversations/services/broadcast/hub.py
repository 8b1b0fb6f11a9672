"""Fan-out inside one process: a topic, and whoever listens to it here."""

from collections.abc import Iterable

from conversations.services.broadcast.items import Item, Reader


class Hub:
    """Hands items to readers directly, without a task, a thread or a copy for each. Belongs to the event loop."""

    def __init__(self) -> None:
        self._readers: dict[str, set[Reader]] = {}

    def subscribe(self, reader: Reader, topics: Iterable[str]) -> None:
        for topic in topics:
            self._readers.setdefault(topic, set()).add(reader)

    def unsubscribe(self, reader: Reader, topics: Iterable[str]) -> None:
        for topic in topics:
            readers = self._readers.get(topic, set())
            readers.discard(reader)
            if not readers:
                self._readers.pop(topic, None)

    def is_watched(self, topic: str) -> bool:
        return topic in self._readers

    def deliver(self, items: Iterable[Item]) -> None:
        for item in items:
            for topic in item.topics:
                for reader in self._readers.get(topic, ()):
                    reader.put(item)


hub = Hub()

"""Who may, in the words of the contract."""

from conversations.models import Role

READERS = frozenset({Role.ROUTER, Role.OPERATOR, Role.AUDITOR})
# The whole log is for whoever reads everything; an operator reads conversations, and verifies one at a time.
OVERSEERS = frozenset({Role.ROUTER, Role.AUDITOR})
PARTIES = frozenset({Role.ROUTER, Role.PARTICIPANT})
READERS_AND_PARTIES = READERS | PARTIES
CLOSERS = PARTIES | {Role.OPERATOR}
OPERATORS = frozenset({Role.OPERATOR})
ROUTERS = frozenset({Role.ROUTER})
EDITORS = frozenset({Role.EDITOR})

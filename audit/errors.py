"""Why the log cannot be signed or read as things stand."""

from conversations.domain.errors import ConversationError


class LedgerError(ConversationError):
    """The log refuses to go on; an operator has to look."""

    code = "ledger_unsound"
    title = "The ledger cannot do this as things stand"


class SigningKeyError(LedgerError):
    """This process does not hold the key that signs this log."""

    code = "signing_key"


class ForkError(LedgerError):
    """The tree is not a continuation of what was already signed: signing it would bless a forgery."""

    code = "ledger_forked"


class MissingNodeError(LedgerError):
    """A stored subtree is gone."""

    code = "ledger_node_missing"

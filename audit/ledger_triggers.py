"""Every event gets its leaf from the database itself, and the log's own tables refuse to change too.

What may change is named per table: a leaf is numbered once, a checkpoint is marked as posted once, a key is retired
once. `lastword_refuse_change` is installed by the conversations app, which this one depends on.
"""

from dataclasses import dataclass
from typing import Any

from conversations.ledger_triggers import run


@dataclass(frozen=True, slots=True)
class Guarded:
    """A table, the one change it allows, and what makes a row the same row."""

    table: str
    lawful_update: str
    same_row: str


GUARDED = (
    Guarded(
        "audit_leaf",
        'OLD."index" IS NULL AND NEW."index" IS NOT NULL AND NEW.event_id = OLD.event_id AND NEW.hash = OLD.hash',
        'event_id = NEW.event_id OR "index" = NEW."index"',
    ),
    Guarded("audit_merklenode", "1 = 0", 'id = NEW.id OR (level = NEW.level AND "index" = NEW."index")'),
    Guarded(
        "audit_checkpoint",
        "OLD.posted_at IS NULL AND NEW.id = OLD.id AND NEW.size = OLD.size AND NEW.root = OLD.root"
        " AND NEW.note = OLD.note AND NEW.key_id = OLD.key_id AND NEW.created_at = OLD.created_at",
        "id = NEW.id OR size = NEW.size",
    ),
    Guarded(
        "audit_signingkey",
        "OLD.voucher = '' AND NEW.id = OLD.id AND NEW.public_key = OLD.public_key AND NEW.created_at = OLD.created_at",
        "id = NEW.id OR public_key = NEW.public_key",
    ),
)

POSTGRES_LEAF = (
    """CREATE OR REPLACE FUNCTION lastword_add_leaf() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit_leaf (event_id, hash) VALUES (NEW.id, NEW.hash);
  RETURN NULL;
END $$""",
    """CREATE TRIGGER lastword_event_leaf AFTER INSERT ON conversations_event
  FOR EACH ROW EXECUTE FUNCTION lastword_add_leaf()""",
    "ALTER TABLE conversations_event ENABLE ALWAYS TRIGGER lastword_event_leaf",
)
SQLITE_LEAF = (
    """CREATE TRIGGER lastword_event_leaf AFTER INSERT ON conversations_event BEGIN
  INSERT INTO audit_leaf (event_id, hash) VALUES (NEW.id, NEW.hash); END""",
)


def postgres_install() -> tuple[str, ...]:
    statements = list(POSTGRES_LEAF)
    for guarded in GUARDED:
        table, refuse = guarded.table, "EXECUTE FUNCTION lastword_refuse_change()"
        triggers = {
            "update": f"BEFORE UPDATE ON {table} FOR EACH ROW WHEN (NOT ({guarded.lawful_update})) {refuse}",
            "delete": f"BEFORE DELETE ON {table} FOR EACH ROW {refuse}",
            "truncate": f"BEFORE TRUNCATE ON {table} {refuse}",
        }
        for name, rule in triggers.items():
            statements.append(f"CREATE TRIGGER lastword_{table}_{name} {rule}")
            statements.append(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER lastword_{table}_{name}")
    return tuple(statements)


def postgres_lift() -> tuple[str, ...]:
    return (
        "DROP TRIGGER IF EXISTS lastword_event_leaf ON conversations_event",
        *(
            f"DROP TRIGGER IF EXISTS lastword_{guarded.table}_{name} ON {guarded.table}"
            for guarded in GUARDED
            for name in ("update", "delete", "truncate")
        ),
    )


def sqlite_install() -> tuple[str, ...]:
    """`INSERT OR REPLACE` deletes without firing a delete trigger, hence the guard before each insert."""
    refuse = "SELECT RAISE(ABORT, 'lastword: history does not change')"
    statements = list(SQLITE_LEAF)
    for guarded in GUARDED:
        table = guarded.table
        triggers = {
            "update": f"BEFORE UPDATE ON {table} WHEN NOT ({guarded.lawful_update}) BEGIN {refuse}; END",
            "delete": f"BEFORE DELETE ON {table} BEGIN {refuse}; END",
            "insert": f"BEFORE INSERT ON {table} BEGIN {refuse}"  # noqa: S608 constants
            f" WHERE EXISTS (SELECT 1 FROM {table} WHERE {guarded.same_row}); END",
        }
        statements.extend(f"CREATE TRIGGER lastword_{table}_{name} {rule}" for name, rule in triggers.items())
    return tuple(statements)


def sqlite_lift() -> tuple[str, ...]:
    return (
        "DROP TRIGGER IF EXISTS lastword_event_leaf",
        *(
            f"DROP TRIGGER IF EXISTS lastword_{guarded.table}_{name}"
            for guarded in GUARDED
            for name in ("update", "delete", "insert")
        ),
    )


def install(connection: Any) -> None:
    """Puts the triggers in place."""
    run(connection, postgres_install() if connection.vendor == "postgresql" else sqlite_install())


def lift(connection: Any) -> None:
    """Takes them away: for a migration backwards, and for tests that must empty or forge tables."""
    run(connection, postgres_lift() if connection.vendor == "postgresql" else sqlite_lift())


def adopt_events(connection: Any) -> None:
    """Gives events written before these triggers their leaves."""
    run(connection, ("INSERT INTO audit_leaf (event_id, hash) SELECT id, hash FROM conversations_event ORDER BY id",))

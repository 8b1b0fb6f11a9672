"""The database's own refusal to change history: triggers for both databases, installed by a migration.

PostgreSQL: ENABLE ALWAYS, so that a replica role does not switch them off. SQLite: `INSERT OR REPLACE` deletes without
firing delete triggers, hence the guard against an existing row before each insert.
"""

from typing import Any

from conversations.domain.hash_chain import EVENT_TAG, GENESIS

EVENT = "conversations_event"
PAYLOAD = "conversations_eventpayload"
TAG_LITERAL = EVENT_TAG.strip()  # the line feed is added in SQL: neither dialect shares an escape for it

POSTGRES_INSTALL = f"""
CREATE OR REPLACE FUNCTION lastword_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'lastword: % on % is refused, history does not change', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE OR REPLACE FUNCTION lastword_check_event() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  told jsonb := NEW.header::jsonb;
  prev text := '{GENESIS}';
BEGIN
  IF NEW.seq > 1 THEN
    SELECT hash INTO prev FROM {EVENT} WHERE relationship_id = NEW.relationship_id AND seq = NEW.seq - 1;
  END IF;
  IF prev IS DISTINCT FROM NEW.prev_hash
     OR NEW.hash IS DISTINCT FROM encode(sha256(convert_to('{TAG_LITERAL}' || chr(10) || NEW.header, 'UTF8')), 'hex')
     OR told->>'relationship' IS DISTINCT FROM NEW.relationship_id::text
     OR (told->>'seq')::int IS DISTINCT FROM NEW.seq
     OR told->>'type' IS DISTINCT FROM NEW.type
     OR told->>'actor' IS DISTINCT FROM NEW.actor
     OR (told->>'at')::timestamptz IS DISTINCT FROM NEW.at
     OR told->>'commitment' IS DISTINCT FROM NEW.commitment
     OR told->>'prev' IS DISTINCT FROM NEW.prev_hash THEN
    RAISE EXCEPTION 'lastword: event % does not continue its chain', NEW.seq
      USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER lastword_event_insert BEFORE INSERT ON {EVENT} FOR EACH ROW EXECUTE FUNCTION lastword_check_event();
CREATE TRIGGER lastword_event_change BEFORE UPDATE OR DELETE ON {EVENT}
  FOR EACH ROW EXECUTE FUNCTION lastword_refuse_change();
CREATE TRIGGER lastword_event_truncate BEFORE TRUNCATE ON {EVENT} EXECUTE FUNCTION lastword_refuse_change();
CREATE TRIGGER lastword_payload_change BEFORE UPDATE ON {PAYLOAD}
  FOR EACH ROW EXECUTE FUNCTION lastword_refuse_change();
CREATE TRIGGER lastword_payload_truncate BEFORE TRUNCATE ON {PAYLOAD} EXECUTE FUNCTION lastword_refuse_change();
ALTER TABLE {EVENT} ENABLE ALWAYS TRIGGER lastword_event_insert;
ALTER TABLE {EVENT} ENABLE ALWAYS TRIGGER lastword_event_change;
ALTER TABLE {EVENT} ENABLE ALWAYS TRIGGER lastword_event_truncate;
ALTER TABLE {PAYLOAD} ENABLE ALWAYS TRIGGER lastword_payload_change;
ALTER TABLE {PAYLOAD} ENABLE ALWAYS TRIGGER lastword_payload_truncate;
"""

POSTGRES_LIFT = f"""
DROP TRIGGER IF EXISTS lastword_event_insert ON {EVENT};
DROP TRIGGER IF EXISTS lastword_event_change ON {EVENT};
DROP TRIGGER IF EXISTS lastword_event_truncate ON {EVENT};
DROP TRIGGER IF EXISTS lastword_payload_change ON {PAYLOAD};
DROP TRIGGER IF EXISTS lastword_payload_truncate ON {PAYLOAD};
"""

# UUIDs are 32 hex digits in SQLite's column and dashed in the header.
SQLITE_INSTALL = (
    f"""CREATE TRIGGER lastword_event_insert BEFORE INSERT ON {EVENT} BEGIN
  SELECT RAISE(ABORT, 'lastword: event does not continue its chain') WHERE
    EXISTS (SELECT 1 FROM {EVENT} WHERE id = NEW.id
            OR (relationship_id = NEW.relationship_id AND (seq = NEW.seq OR prev_hash = NEW.prev_hash)))
    OR NEW.prev_hash IS NOT (CASE WHEN NEW.seq = 1 THEN '{GENESIS}' ELSE
        (SELECT hash FROM {EVENT} WHERE relationship_id = NEW.relationship_id AND seq = NEW.seq - 1) END)
    OR NEW.hash IS NOT lastword_sha256('{TAG_LITERAL}' || char(10) || NEW.header)
    OR replace(json_extract(NEW.header, '$.relationship'), '-', '') IS NOT NEW.relationship_id
    OR json_extract(NEW.header, '$.seq') IS NOT NEW.seq
    OR json_extract(NEW.header, '$.type') IS NOT NEW.type
    OR json_extract(NEW.header, '$.actor') IS NOT NEW.actor
    OR json_extract(NEW.header, '$.commitment') IS NOT NEW.commitment
    OR replace(replace(json_extract(NEW.header, '$.at'), 'T', ' '), 'Z', '')
       IS NOT (CASE WHEN instr(NEW.at, '.') > 0 THEN NEW.at ELSE NEW.at || '.000000' END)
    OR json_extract(NEW.header, '$.prev') IS NOT NEW.prev_hash;
END""",
    f"""CREATE TRIGGER lastword_event_update BEFORE UPDATE ON {EVENT} BEGIN
  SELECT RAISE(ABORT, 'lastword: UPDATE is refused, history does not change'); END""",
    f"""CREATE TRIGGER lastword_event_delete BEFORE DELETE ON {EVENT} BEGIN
  SELECT RAISE(ABORT, 'lastword: DELETE is refused, history does not change'); END""",
    f"""CREATE TRIGGER lastword_payload_update BEFORE UPDATE ON {PAYLOAD} BEGIN
  SELECT RAISE(ABORT, 'lastword: UPDATE is refused, history does not change'); END""",
    f"""CREATE TRIGGER lastword_payload_insert BEFORE INSERT ON {PAYLOAD} BEGIN
  SELECT RAISE(ABORT, 'lastword: a payload is written once')
  WHERE EXISTS (SELECT 1 FROM {PAYLOAD} WHERE event_id = NEW.event_id); END""",
)
SQLITE_LIFT = tuple(
    f"DROP TRIGGER IF EXISTS lastword_{name}"
    for name in ("event_insert", "event_update", "event_delete", "payload_update", "payload_insert")
)


def install(connection: Any) -> None:
    """Puts the triggers in place."""
    run(connection, (POSTGRES_INSTALL,) if connection.vendor == "postgresql" else SQLITE_INSTALL)


def lift(connection: Any) -> None:
    """Takes them away: for a migration backwards, and for tests that must empty the tables."""
    run(connection, (POSTGRES_LIFT,) if connection.vendor == "postgresql" else SQLITE_LIFT)


def run(connection: Any, statements: tuple[str, ...]) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)

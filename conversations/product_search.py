"""Full-text search over the catalogue in both databases, kept in step by the database itself.

Both index and query hold words as `words_of` cuts them, so that the two databases find the same. The first line of
`words` is the product's name and tags: what is found there comes first, then the database's own rank decides.
"""

from typing import Any

TABLE = "conversations_product"
FTS = "conversations_product_fts"

POSTGRES_INSTALL = (f"CREATE INDEX product_words ON {TABLE} USING gin (to_tsvector('simple', words))",)
POSTGRES_LIFT = ("DROP INDEX IF EXISTS product_words",)
SQLITE_INSTALL = (
    f"CREATE VIRTUAL TABLE {FTS} USING fts5(words, content='{TABLE}', tokenize='unicode61 remove_diacritics 2')",
    f"""CREATE TRIGGER product_fts_insert AFTER INSERT ON {TABLE} BEGIN
  INSERT INTO {FTS}(rowid, words) VALUES (NEW.rowid, NEW.words); END""",
    f"""CREATE TRIGGER product_fts_delete AFTER DELETE ON {TABLE} BEGIN
  INSERT INTO {FTS}({FTS}, rowid, words) VALUES ('delete', OLD.rowid, OLD.words); END""",
    f"""CREATE TRIGGER product_fts_update AFTER UPDATE ON {TABLE} BEGIN
  INSERT INTO {FTS}({FTS}, rowid, words) VALUES ('delete', OLD.rowid, OLD.words);
  INSERT INTO {FTS}(rowid, words) VALUES (NEW.rowid, NEW.words); END""",
)
SQLITE_LIFT = (
    *(f"DROP TRIGGER IF EXISTS product_fts_{name}" for name in ("insert", "delete", "update")),
    f"DROP TABLE IF EXISTS {FTS}",
)

POSTGRES_QUERY = f"""
SELECT id FROM {TABLE}, to_tsquery('simple', %s) query WHERE to_tsvector('simple', words) @@ query
ORDER BY {{in_title}} DESC, ts_rank(to_tsvector('simple', words), query, 1) DESC, id LIMIT %s OFFSET %s"""
SQLITE_QUERY = f"""
SELECT {TABLE}.id FROM {FTS} JOIN {TABLE} ON {TABLE}.rowid = {FTS}.rowid WHERE {FTS} MATCH %s
ORDER BY {{in_title}} DESC, bm25({FTS}), {TABLE}.id LIMIT %s OFFSET %s"""
POSTGRES_IN_TITLE = f"(strpos(' ' || split_part({TABLE}.words, chr(10), 1), ' ' || %s) > 0)::int"
SQLITE_IN_TITLE = f"(instr(' ' || substr({TABLE}.words, 1, instr({TABLE}.words, char(10))), ' ' || %s) > 0)"


def install(connection: Any) -> None:
    run(connection, POSTGRES_INSTALL if connection.vendor == "postgresql" else SQLITE_INSTALL)


def lift(connection: Any) -> None:
    run(connection, POSTGRES_LIFT if connection.vendor == "postgresql" else SQLITE_LIFT)


def run(connection: Any, statements: tuple[str, ...]) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def matching(connection: Any, terms: list[str], *, every: bool, limit: int, offset: int) -> list[str]:
    """Ids of products with every term, or with any, best first; each term also matches as a beginning."""
    if connection.vendor == "postgresql":
        query, in_title = POSTGRES_QUERY, POSTGRES_IN_TITLE
        joined = (" & " if every else " | ").join(f"'{term}':*" for term in terms)
    else:
        query, in_title = SQLITE_QUERY, SQLITE_IN_TITLE
        joined = (" AND " if every else " OR ").join(f'"{term}"*' for term in terms)
    ranked = query.format(in_title=" + ".join([in_title] * len(terms)))
    with connection.cursor() as cursor:
        cursor.execute(ranked, [joined, *terms, limit, offset])
        return [row[0] for row in cursor.fetchall()]

"""The only writers of derived columns: they follow the events and nothing else."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from typing import Any
from uuid import UUID

from django.db import connection

from conversations.domain import handoff, loops, turns
from conversations.domain import threads as thread_names
from conversations.domain.events import CLOSURE, Recorded
from conversations.domain.fold import Changes, changes, fold, restored
from conversations.models import Relationship
from conversations.selectors.events import chain_of
from conversations.services.projections import dialogues, flow_runs, handoffs, loop_findings, loop_watches, threads

# Tables beside the relationship's row, and the events that move them.
PROJECTORS: tuple[tuple[tuple[str, ...], Callable[[Relationship, Recorded], None]], ...] = (
    (handoff.EVENTS, handoffs.apply),
    (turns.FLOW_EVENTS, flow_runs.apply),
    ((turns.MIGRATED,), flow_runs.migrate),
    ((turns.TURN,), dialogues.apply),
    (dialogues.OWNER_EVENTS, dialogues.follow_owner),
    (thread_names.EVENTS, threads.apply),
    ((loops.FOUND,), loop_findings.apply),
)

# What ends with a conversation, for all that end in one transaction: a sweep ends hundreds.
WITH_THE_CONVERSATION: tuple[Callable[[Mapping[UUID, Recorded]], None], ...] = (
    handoffs.end_with_conversations,
    threads.end_with_conversations,
)


def apply(told: Sequence[tuple[Relationship, Recorded]]) -> None:
    """Moves the stored columns of each relationship by its event."""
    write([(relationship, changes(relationship, event)) for relationship, event in told])
    for relationship, event in told:
        for types, project in PROJECTORS:
            if event.type in types:
                project(relationship, event)
        loop_watches.apply(relationship, event)
    closures = {relationship.pk: event for relationship, event in told if event.type == CLOSURE}
    if closures:
        for end in WITH_THE_CONVERSATION:
            end(closures)


def rebuild(relationship: Relationship) -> None:
    """Writes every column anew from the events, as after an erasure."""
    chain = restored(chain_of(relationship))
    write([(relationship, asdict(fold(chain)))])
    handoffs.rewrite_words(chain)
    threads.forget_words(relationship)
    loop_findings.rewrite_words(chain)
    loop_watches.rebuild(relationship, chain)
    dialogues.rebuild(relationship, chain)
    flow_runs.rebuild(relationship, chain)


def write(rows: Sequence[tuple[Relationship, Changes]]) -> None:
    """Sets the columns of each row, in memory and stored; rows that change the same columns share a statement."""
    statements: dict[tuple[str, ...], list[list[Any]]] = defaultdict(list)
    for relationship, columns in rows:
        for column, value in columns.items():
            setattr(relationship, column, value)
        statements[tuple(columns)].append([prepared(column, value) for column, value in columns.items()])
        statements[tuple(columns)][-1].append(prepared("id", relationship.pk))
    with connection.cursor() as cursor:
        for names, values in statements.items():
            if len(values) == 1:  # PostgreSQL's executemany costs two more round trips
                cursor.execute(update_statement(names), values[0])
            else:
                cursor.executemany(update_statement(names), values)


def prepared(column: str, value: Any) -> Any:
    return Relationship._meta.get_field(column).get_db_prep_save(value, connection)


@cache
def update_statement(names: tuple[str, ...]) -> str:
    """Every name is a field of the model: nothing of a caller's reaches the text."""
    quote = connection.ops.quote_name
    columns = [quote(Relationship._meta.get_field(name).column) for name in names]
    assignments = ", ".join(f"{column} = %s" for column in columns)
    return f"UPDATE {quote(Relationship._meta.db_table)} SET {assignments} WHERE {quote('id')} = %s"  # noqa: S608

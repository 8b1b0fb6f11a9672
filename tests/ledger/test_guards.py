"""The database itself refuses to change the log; what may change does so once."""

import pytest
from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from audit.models import Checkpoint, Leaf, MerkleNode, SigningKey
from tests.ledger.cast import checkpoint, conversation

pytestmark = pytest.mark.django_db

CHANGES = {
    "a leaf's hash": "UPDATE audit_leaf SET hash = 'x' WHERE \"index\" = 0",
    "a leaf's number": 'UPDATE audit_leaf SET "index" = 99 WHERE "index" = 0',
    "a leaf's number back to none": 'UPDATE audit_leaf SET "index" = NULL WHERE "index" = 0',
    "a leaf gone": 'DELETE FROM audit_leaf WHERE "index" = 0',
    "a node's hash": "UPDATE audit_merklenode SET hash = hash WHERE level = 1",
    "a node gone": "DELETE FROM audit_merklenode WHERE level = 1",
    "a checkpoint's note": "UPDATE audit_checkpoint SET note = 'x'",
    "a checkpoint gone": "DELETE FROM audit_checkpoint",
    "a key's public half": "UPDATE audit_signingkey SET public_key = 'x'",
    "a key gone": "DELETE FROM audit_signingkey",
}
TABLES = ("audit_leaf", "audit_merklenode", "audit_checkpoint", "audit_signingkey")


def contents() -> list[object]:
    return [list(model.objects.order_by("pk").values()) for model in (Leaf, MerkleNode, Checkpoint, SigningKey)]


def assert_refused(statement: str) -> None:
    before = contents()
    connection.check_constraints()  # PostgreSQL would refuse a TRUNCATE for the checks still pending
    refused = pytest.raises(DatabaseError, match="history does not change")
    with refused, transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert contents() == before


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_the_log_refuses(change: str) -> None:
    conversation()
    checkpoint()
    assert_refused(change)


@pytest.mark.parametrize("table", TABLES)
def test_the_log_refuses_to_be_emptied(table: str) -> None:
    conversation()
    checkpoint()
    assert_refused(f"TRUNCATE {table} CASCADE" if connection.vendor == "postgresql" else f"DELETE FROM {table}")


@pytest.mark.sqlite
@pytest.mark.parametrize("table", TABLES)
def test_insert_or_replace_does_not_slip_past(table: str) -> None:
    conversation()
    checkpoint()
    assert_refused(f"INSERT OR REPLACE INTO {table} SELECT * FROM {table}")


def test_a_checkpoint_is_marked_as_posted_once() -> None:
    conversation()
    made = checkpoint()
    assert Checkpoint.objects.filter(pk=made.pk).update(posted_at=timezone.now()) == 1
    assert_refused("UPDATE audit_checkpoint SET posted_at = NULL")

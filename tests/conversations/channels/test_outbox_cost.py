"""The outbox finds what waits without reading what was ever delivered: 10,000 deliveries must not cost 10,000²."""

import pytest
from django.utils import timezone

from conversations.services.relay import due_rows, untold

pytestmark = [pytest.mark.sqlite, pytest.mark.django_db]


def test_events_nobody_was_told_of_come_from_an_index_of_them() -> None:
    plan = untold(now=timezone.now())[:1].explain()
    assert "USING INDEX outbox_waiting" in plan
    assert "TEMP B-TREE" not in plan


def test_the_next_remote_row_comes_from_an_index_of_those_that_wait() -> None:
    plan = due_rows(now=timezone.now())[:1].explain()
    assert "USING INDEX outbox_due" in plan
    assert "USING INDEX outbox_lane (lane=? AND id<?)" in plan, "the row ahead in its lane is looked up, not searched"
    assert "TEMP B-TREE" not in plan, "nothing is sorted to take one"

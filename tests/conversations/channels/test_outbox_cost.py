"""The outbox finds what waits without reading what was ever delivered: 10,000 deliveries must not cost 10,000²."""

import pytest
from django.db.models import Q
from django.utils import timezone

from conversations.services.outbox import AUDIENCE
from conversations.services.relay import IN_ORDER, LONGEST_DUE, due_rows


@pytest.mark.sqlite
@pytest.mark.django_db
@pytest.mark.parametrize(
    ("which", "order", "index"),
    [(Q(destination=AUDIENCE), IN_ORDER, "outbox_waiting"), (~Q(destination=AUDIENCE), LONGEST_DUE, "outbox_due")],
)
def test_the_next_row_comes_from_an_index_of_what_waits(which: Q, order: tuple[str, ...], index: str) -> None:
    plan = due_rows(which, now=timezone.now(), order=order)[:1].explain()
    assert f"USING INDEX {index}" in plan
    assert "USING INDEX outbox_lane (lane=? AND id<?)" in plan, "the row ahead in its lane is looked up, not searched"
    assert "TEMP B-TREE" not in plan, "nothing is sorted to take one"

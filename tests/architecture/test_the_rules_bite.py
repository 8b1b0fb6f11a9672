"""Every rule finds a made-up offender and leaves its innocent neighbour alone."""

from collections.abc import Callable

import pytest

from tests.architecture.rules import interfaces, layering, portability, purity, size, writers
from tests.architecture.source import Source

Rule = Callable[[Source], list[str]]

GUILTY: list[tuple[Rule, str, str]] = [
    (layering.violations, "flows/services/a.py", "from conversations.models import Relationship"),
    (layering.violations, "flows/services/a.py", "import guards.chain"),
    (layering.violations, "conversations/a.py", "from audit import selectors"),
    (layering.violations, "guards/a.py", "from config import env"),
    (layering.violations, "guards/a.py", "def f():\n    from conversations import models"),
    (layering.violations, "conversations/models/a.py", "x = models.ForeignKey('audit.Checkpoint')"),
    (layering.violations, "flows/models.py", "x = models.ForeignKey(to='guards.Policy', on_delete=1)"),
    (layering.violations, "conversations/a.py", "app.send_task('audit.sequence_leaves')"),
    (layering.violations, "conversations/a.py", "apps.get_model('audit', 'Checkpoint')"),
    (layering.violations, "flows/migrations/0001_a.py", "dependencies = [('conversations', '0001_initial')]"),
    (layering.violations, "client/lastword_client/a.py", "import conversations.domain"),
    (layering.violations, "conversations/a.py", "from tests import factories"),
    (interfaces.upward_imports, "flows/services/a.py", "from flows.api import schemas"),
    (interfaces.upward_imports, "audit/selectors/a.py", "from conversations.tasks import sweep"),
    (interfaces.upward_imports, "flows/services/a.py", "from ..api import schemas"),
    (interfaces.upward_imports, "flows/models.py", "from flows.services import publishing"),
    (interfaces.writes, "flows/api/a.py", "flow.save()"),
    (interfaces.writes, "flows/api/a.py", "Flow.objects.create(slug='a')"),
    (interfaces.writes, "flows/tasks.py", "from flows.models import Flow\nFlow.objects.filter(x=1).update(x=2)"),
    (interfaces.writes, "flows/consumers.py", "async def f(x):\n    await x.asave()"),
    (interfaces.writes, "flows/management/commands/a.py", "rows.bulk_create(new)"),
    (interfaces.writes, "flows/views/a.py", "cursor.execute('DELETE FROM flows_flow')"),
    (interfaces.writes, "flows/admin/a.py", "class A:\n    def act(self, flow):\n        flow.delete()"),
    (interfaces.writes, "flows/views/a.py", "def save_model(self, flow):\n    flow.save()"),
    (purity.violations, "flows/engine/a.py", "from django.utils import timezone"),
    (purity.violations, "flows/engine/a.py", "import requests"),
    (purity.violations, "flows/engine/a.py", "from flows.models import Flow"),
    (purity.violations, "guards/chain.py", "from flows.engine import runtime"),
    (purity.violations, "guards/loops/a.py", "import os"),
    (purity.violations, "conversations/domain/a.py", "from datetime import datetime\nnow = datetime.now()"),
    (purity.violations, "conversations/domain/a.py", "import datetime as d\nnow = d.datetime.utcnow()"),
    (purity.violations, "conversations/domain/a.py", "import time\nx = time.time()"),
    (purity.violations, "conversations/domain/a.py", "from time import monotonic as m\nx = m()"),
    (purity.violations, "conversations/domain/a.py", "from uuid import uuid4\nx = uuid4()"),
    (purity.violations, "guards/policies/a.py", "import random\nx = random.choice([1])"),
    (purity.violations, "guards/policies/a.py", "from random import Random\nx = Random()"),
    (purity.violations, "guards/policies/a.py", "import secrets\nx = secrets.token_hex()"),
    (purity.violations, "audit/metrics/a.py", "open('x')"),
    (writers.event_creations, "audit/services/a.py", "from conversations.models import Event\nEvent(seq=1)"),
    (
        writers.event_creations,
        "conversations/services/a.py",
        "from conversations.models.event import EventPayload as P\nP.objects.bulk_create([])",
    ),
    (writers.channel_layer_uses, "conversations/consumers.py", "layer.group_send('a', {})"),
    (
        writers.channel_layer_uses,
        "flows/services/a.py",
        "from channels.layers import get_channel_layer\nget_channel_layer()",
    ),
    (writers.derived_column_writes, "conversations/services/a.py", "relationship.closed_at = now"),
    (writers.derived_column_writes, "flows/services/a.py", "turn.relationship.conversation_depth += 1"),
    (
        writers.derived_column_writes,
        "conversations/services/a.py",
        "Relationship.objects.filter(pk=1).update(closed_at=now)",
    ),
    (writers.signals, "audit/apps.py", "from django.db.models.signals import post_save"),
    (writers.signals, "audit/apps.py", "@receiver(saved)\ndef f(): ..."),
    (writers.signals, "audit/apps.py", "saved.connect(f)"),
    (size.violations, "flows/a.py", "x = 1\n" * 301),
    (size.violations, "flows/a.py", "def f():\n" + "    x = 1\n" * 60),
    (size.violations, "tests/a.py", "x = 1\n" * 301),
]

INNOCENT: list[tuple[Rule, str, str]] = [
    (layering.violations, "config/urls.py", "MODULES = ['audit.api.urls', 'flows.api.urls']"),
    (layering.violations, "audit/a.py", "from conversations.models import Event\nimport guards, flows"),
    (layering.violations, "conversations/a.py", '"""Not audit.ledger itself."""\nx = "audit"'),
    (layering.violations, "flows/models.py", "x = models.ForeignKey('auth.User')\ny = 'flows.Flow'"),
    (layering.violations, "tests/a.py", "import audit, config, flows"),
    (interfaces.upward_imports, "flows/api/a.py", "from flows.services import publishing"),
    (interfaces.upward_imports, "flows/services/a.py", "from flows.models import Flow"),
    (interfaces.writes, "flows/api/a.py", "from flows.services import flows\nflows.create(slug='a')"),
    (interfaces.writes, "flows/api/a.py", "figures.update({'a': 1})"),
    (interfaces.writes, "flows/services/a.py", "flow.save()"),
    (interfaces.writes, "flows/admin/a.py", "class A:\n    def save_model(self, r, flow):\n        flow.save()"),
    (purity.violations, "flows/engine/a.py", "import re, json\nfrom dataclasses import dataclass\nimport regex"),
    (purity.violations, "conversations/domain/a.py", "from datetime import datetime\nx = datetime(2024, 1, 1)"),
    (purity.violations, "conversations/domain/a.py", "from guards.chain import decide\nimport rfc8785"),
    (purity.violations, "guards/policies/a.py", "from random import Random\nx = Random(7)"),
    (purity.violations, "guards/services/a.py", "from django.utils import timezone"),
    (writers.event_creations, "conversations/services/event_store.py", "Event(seq=1)"),
    (writers.event_creations, "conversations/services/a.py", "from sched import Event\nEvent(1)"),
    (
        writers.event_creations,
        "audit/a.py",
        "from conversations.models import Event\nEvent.objects.filter(seq=1)",
    ),
    (writers.channel_layer_uses, "conversations/services/broadcast/listening.py", "layer.group_send('a', {})"),
    (writers.derived_column_writes, "conversations/services/projections.py", "relationship.closed_at = now"),
    (writers.derived_column_writes, "conversations/services/a.py", "relationship.nickname = 'x'"),
    (writers.signals, "config/onehop/chain.py", "from django.core import signals"),
    (writers.signals, "guards/a.py", "import sqlite3\nsqlite3.connect('x')"),
    (size.violations, "flows/a.py", "x = 1\n" * 300),
    (size.violations, "flows/migrations/0001_a.py", "x = 1\n" * 900),
]


@pytest.mark.parametrize(("rule", "path", "text"), GUILTY)
def test_an_offender_is_found_and_named(rule: Rule, path: str, text: str) -> None:
    offences = rule(Source.parse(path, text))
    assert offences
    assert all(offence.startswith(f"{path}:") for offence in offences)


@pytest.mark.parametrize(("rule", "path", "text"), INNOCENT)
def test_an_innocent_neighbour_is_left_alone(rule: Rule, path: str, text: str) -> None:
    assert rule(Source.parse(path, text)) == []


def test_a_file_that_does_not_parse_is_named() -> None:
    with pytest.raises(SyntaxError) as caught:
        Source.parse("flows/broken.py", "def (:")
    assert caught.value.filename == "flows/broken.py"


@pytest.mark.parametrize("line", ["see " + "/work" + "/shared", "cd " + "/tmp" + "/x", "https://" + "pypi" + ".org"])
def test_a_machine_path_or_registry_is_found(line: str) -> None:
    assert portability.violations("docs/a.md", line)


@pytest.mark.parametrize("line", ["GET /api/v1/work", "docs/work/x", "/ws/live", "https://example.org/tmp/x"])
def test_an_ordinary_path_is_left_alone(line: str) -> None:
    assert not portability.violations("docs/a.md", line)

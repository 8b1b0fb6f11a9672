"""The screens of Audit: who may, what they show, what they leave in the access log, and that nothing changes."""

import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from verify_bundle import problems

from audit.models import RetentionPolicy, VerificationRun
from audit.search.asked import digest_of
from audit.services.indexing import index_events
from audit.services.sequencer import sequence
from audit.services.verification_runs import run_verification
from conversations.access import ConsoleRole
from conversations.models import AccessLog, ApiKey, Event, EventPayload, Relationship
from conversations.services.api_keys import create_api_key
from tests.cast import Actor
from tests.console.conftest import sign_in
from tests.ledger import forger
from tests.ledger.cast import checkpoint, conversation

pytestmark = pytest.mark.django_db

# Who may, a line an address: those who read, those who change.
EVERYBODY = set(ConsoleRole)
AUDITORS = {"auditor", "admin"}
EXPORTERS = {"auditor", "operator", "admin"}
READS = {
    "audit": AUDITORS,
    "audit_people": AUDITORS,
    "audit_person": AUDITORS,
    "audit_trail": AUDITORS,
    "audit_lineage": AUDITORS,
    "audit_verify": EVERYBODY,
    "audit_export": EXPORTERS,
    "audit_export_lineage": EXPORTERS,
    "audit_verification": EVERYBODY,
    "audit_verification_news": EVERYBODY,
    "audit_checkpoints": AUDITORS,
    "audit_period": AUDITORS,
    "audit_retention": AUDITORS,
    "audit_verifier": EVERYBODY,
    "audit_verifier_file": EVERYBODY,
}
CHANGES = {"audit_erase": {"admin"}, "audit_retention": {"admin"}, "audit_verification": AUDITORS}


def address(name: str, relationship: Relationship) -> str:
    if name == "audit_person":
        return reverse("console:audit_person", args=["participant", relationship.initiator_id])
    one = ("trail", "lineage", "verify", "export", "export_lineage", "erase")
    return reverse(f"console:{name}", args=[relationship.pk] if name.removeprefix("audit_") in one else [])


@pytest.fixture
def talk() -> Relationship:
    relationship = conversation(close=True)
    checkpoint()
    index_events()
    return relationship


@pytest.fixture
def auditor() -> Client:
    return sign_in("aud", ConsoleRole.AUDITOR)


def test_every_screen_of_the_audit_is_in_this_table() -> None:
    from audit.views.ledger.urls import urlpatterns

    assert {pattern.name for pattern in urlpatterns} == {*READS, *CHANGES}


@pytest.mark.parametrize("role", ConsoleRole)
def test_who_reads_and_who_changes(role: str, talk: Relationship) -> None:
    somebody = sign_in("somebody", role)
    before = Event.objects.count()
    for name, allowed in READS.items():
        assert (somebody.get(address(name, talk)).status_code == 200) == (role in allowed), name
    assert Event.objects.count() == before
    for name, allowed in CHANGES.items():
        answer = somebody.post(address(name, talk), {"basis": "b", "meant": "1", "days": "30"})
        assert answer.status_code == (302 if role in allowed else 403), name
    assert (Event.objects.count() > before) == (role == "admin")
    assert RetentionPolicy.objects.exists() == (role == "admin")


@pytest.mark.parametrize("name", [*READS, *CHANGES])
def test_a_stranger_is_sent_to_the_login(name: str, talk: Relationship) -> None:
    assert "/admin/login/" in Client().get(address(name, talk))["Location"]


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_needs_the_token_of_its_own_page(name: str, talk: Relationship) -> None:
    user = sign_in("root", ConsoleRole.ADMIN).session["_auth_user_id"]
    careful = Client(enforce_csrf_checks=True)
    from django.contrib.auth import get_user_model

    careful.force_login(get_user_model().objects.get(pk=user))
    assert careful.post(address(name, talk), {"basis": "b", "meant": "1"}).status_code == 403


def looks(user: str) -> list[tuple[str, str]]:
    rows = AccessLog.objects.filter(user__username=user).order_by("id")
    return [(look.what, str(look.relationship_id or look.about)) for look in rows]


def test_reading_leaves_a_trace_of_every_kind(auditor: Client, talk: Relationship) -> None:
    person = f"participant:{talk.initiator_id}"
    today = timezone.now().date().isoformat()
    auditor.get(reverse("console:audit"), {"q": "lowe", "party": "did:ada"})
    auditor.get(reverse("console:audit"), {"q": "lowe", "party": "did:ada"})
    for name in ("audit_trail", "audit_verify", "audit_export", "audit_person", "audit_checkpoints"):
        auditor.get(address(name, talk))
    auditor.get(reverse("console:audit_period"), {"since": today, "until": today})
    assert looks("aud") == [
        ("search", f"party={digest_of('did:ada')} q={digest_of('lowe')}"),
        ("trail", str(talk.pk)),
        ("verification", str(talk.pk)),
        ("export", str(talk.pk)),
        ("person", person),
        ("checkpoints", ""),
        ("export", f"since={today} until={today}"),
    ]


def test_a_key_that_reads_leaves_a_trace_too(talk: Relationship) -> None:
    record, key = create_api_key(name="authority", role="auditor")
    reader = Actor(key)
    for path in ("events", "export", "verify"):
        assert reader.get(f"/relationships/{talk.pk}/{path}").status_code == 200
    made = AccessLog.objects.filter(key=ApiKey.objects.get(pk=record.pk)).order_by("id")
    assert [look.what for look in made] == ["conversation", "export", "verification"]


def test_a_search_shows_what_it_found_and_the_way_there(auditor: Client, talk: Relationship) -> None:
    page = auditor.get(reverse("console:audit"), {"q": "lowe"}).content.decode()
    assert f"{reverse('console:audit_trail', args=[talk.pk])}?after_seq=-1#event-4" in page
    assert "Löwe" in page


@pytest.mark.parametrize(
    "told",
    [
        {"since": "2026-02-02", "until": "2026-01-01"},
        {"since": "1990-01-01"},
        {"colour": "red"},
        {"q": "…"},
    ],
)
def test_a_senseless_search_is_answered_clearly(auditor: Client, talk: Relationship, told: dict[str, str]) -> None:
    answer = auditor.get(reverse("console:audit"), told)
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()
    assert looks("aud") == []


def test_a_trail_shows_erased_words_with_their_basis(talk: Relationship) -> None:
    root = sign_in("root", ConsoleRole.ADMIN)
    told = {"basis": "Art. 17 GDPR, request of Ada", "seqs": "2, 4", "meant": "1"}
    assert root.post(address("audit_erase", talk), told).status_code == 302
    page = root.get(address("audit_trail", talk)).content.decode()
    assert page.count("Art. 17 GDPR, request of Ada") >= 2
    gone = EventPayload.objects.filter(event__relationship=talk, event__seq__in=[2, 4])
    assert not gone.exists()


@pytest.mark.parametrize(
    "told",
    [{"basis": ""}, {"basis": "b", "meant": ""}, {"basis": "b", "seqs": "99"}, {"basis": "b", "seqs": "two"}],
)
def test_a_refused_erasure_changes_nothing(talk: Relationship, told: dict[str, Any]) -> None:
    root = sign_in("root", ConsoleRole.ADMIN)
    before = EventPayload.objects.count()
    root.post(address("audit_erase", talk), {"meant": "1", **told})
    assert EventPayload.objects.count() == before


def test_a_person_s_trail_has_their_acts_and_what_they_looked_at(auditor: Client, talk: Relationship) -> None:
    root = sign_in("root", ConsoleRole.ADMIN)
    root.get(reverse("console:conversation", args=[talk.pk]))
    root.post(address("audit_erase", talk), {"basis": "b", "seqs": "2", "meant": "1"})
    sequence()
    index_events()
    user = AccessLog.objects.filter(user__username="root").values_list("user", flat=True)[0]
    page = auditor.get(reverse("console:audit_person", args=["user", user])).content.decode()
    assert "Words erased on request" in page
    assert "transcript" in page


def test_a_name_leads_to_the_person(auditor: Client, talk: Relationship) -> None:
    answer = auditor.get(reverse("console:audit_people"), {"name": "did:ada"})
    assert answer["Location"] == address("audit_person", talk)
    assert b"Nobody here" in auditor.get(reverse("console:audit_people"), {"name": "zed"}).content


def test_what_nobody_knows_is_not_found(auditor: Client) -> None:
    for name in ("audit_trail", "audit_lineage", "audit_verify", "audit_export"):
        assert auditor.get(reverse(f"console:{name}", args=[uuid.uuid4()])).status_code == 404
    for kind, key in (
        ("user", "99999"),
        ("user", "x"),
        ("user", "²"),
        ("key", "9" * 30),
        ("ghost", "1"),
        ("participant", "1"),
    ):
        assert auditor.get(reverse("console:audit_person", args=[kind, key])).status_code == 404


def test_an_export_is_a_bundle_that_passes(auditor: Client, talk: Relationship) -> None:
    today = timezone.now().date().isoformat()
    for answer in (
        auditor.get(address("audit_export", talk)),
        auditor.get(address("audit_export_lineage", talk)),
        auditor.get(reverse("console:audit_period"), {"since": today, "until": today}),
    ):
        assert (answer["Content-Type"], problems(answer.content)) == ("application/zip", [])


@pytest.mark.parametrize("until", ["2020-01-01", "2020-12-01", "nonsense", ""])
def test_a_senseless_period_exports_nothing(auditor: Client, talk: Relationship, until: str) -> None:
    answer = auditor.get(reverse("console:audit_period"), {"since": "2020-02-01", "until": until})
    assert answer.status_code == 422
    assert b'role="alert"' in answer.content


def test_a_verification_is_started_shown_and_names_the_first_broken_event(auditor: Client, talk: Relationship) -> None:
    forger.edit_payload(Event.objects.get(relationship=talk, seq=3), "{}")
    auditor.post(reverse("console:audit_verification"))
    assert b"<progress" in auditor.get(reverse("console:audit_verification_news")).content
    run_verification(VerificationRun.objects.get().pk)
    page = auditor.get(reverse("console:audit_verification")).content.decode()
    assert "first broken event" in page
    assert f"{talk.pk}</code> #3" in page
    home = auditor.get(reverse("console:home")).content.decode()
    assert 'data-figure="broken"><span class="lw-number lw-warn">1<' in home
    told = auditor.get(address("audit_verify", talk)).json()
    assert (told["ok"], told["first_bad_seq"]) == (False, 3)


def test_checkpoints_show_a_forged_signature_and_a_missing_double(auditor: Client, talk: Relationship) -> None:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    page = auditor.get(reverse("console:audit_checkpoints")).content.decode()
    assert ("by a trusted key" in page, "same note" in page, "not by a trusted key" in page) == (True, True, False)
    forger.resign(Ed25519PrivateKey.generate())
    page = auditor.get(reverse("console:audit_checkpoints")).content.decode()
    assert ("not by a trusted key" in page, "missing" in page) == (True, True)


def test_the_kept_verifier_is_one_file_that_loads_nothing(auditor: Client) -> None:
    page = auditor.get(reverse("console:audit_verifier_file")).content.decode()
    assert "src=" not in page
    assert "\nimport " not in page
    assert "\nexport " not in page
    assert "attachment" in auditor.get(reverse("console:audit_verifier_file"))["Content-Disposition"]

"""What the editor's page asks the server, and who may."""

import json
from collections.abc import Callable

import pytest
from django.test import Client

from conversations.models import Relationship
from flows.models import Exploration, Flow, FlowScript, FlowVersion
from flows.services.exploration import run_exploration
from flows.services.publishing import publish
from tests.cast import accepted, refused
from tests.flows.api.support import SLUG, codes, contact_flow
from tests.flows.views.conftest import Person


def test_the_list_says_how_each_flow_stands(author: Person, stored: Flow) -> None:
    page = author.opens().content.decode()
    assert "Contact" in page
    assert "not yet" in page
    publish(slug=SLUG, author="editor")
    page = author.opens().content.decode()
    assert "v1" in page
    assert "as published" in page


def test_a_flow_is_made_by_the_form_and_opens_in_the_editor(author: Person) -> None:
    answer = author.client.post("/admin/console/flows", {"name": "Booking", "slug": "booking"})
    assert (answer.status_code, answer.url) == (302, "/admin/console/flows/booking")
    assert Flow.objects.get().draft["name"] == "Booking"
    assert author.opens("/booking").status_code == 200


@pytest.mark.parametrize("slug", ["", "No spaces", SLUG])
def test_a_flow_without_a_free_and_lawful_address_is_not_made(author: Person, stored: Flow, slug: str) -> None:
    assert author.client.post("/admin/console/flows", {"name": "x", "slug": slug}).status_code == 422
    assert Flow.objects.count() == 1


def test_an_unknown_flow_is_not_found(author: Person) -> None:
    assert author.opens("/nobody").status_code == 404


def test_text_of_a_definition_never_becomes_markup(author: Person, stored: Flow) -> None:
    hostile = '</script><script>alert(1)</script>"><img src=x onerror=alert(2)>'
    Flow.objects.update(name=hostile, draft=contact_flow(name=hostile))
    for page in (author.opens(), author.opens(f"/{SLUG}")):
        assert hostile not in page.content.decode()
        assert "<img src=x" not in page.content.decode()
    document = contact_flow()
    document["nodes"][0]["id"] = "<img src=x onerror=alert(3)>"
    drawing = accepted(author.asks("check", {"text": json.dumps(document)}))["drawing"]
    assert "<img" not in drawing
    assert "&lt;img" in drawing


def test_a_check_tells_findings_and_drawing_of_what_is_on_the_screen(author: Person, stored: Flow) -> None:
    document = contact_flow()
    document["nodes"][1]["requires"] = ["NOWHERE"]
    told = accepted(author.asks("check", {"text": json.dumps(document)}))
    assert not told["ok"]
    assert ("undefined_gate", "/nodes/1/requires/0") in codes(told["findings"])
    assert told["drawing"].startswith("<svg")
    assert Flow.objects.get().draft == contact_flow()


def test_a_check_of_what_is_no_json_says_so(author: Person, stored: Flow) -> None:
    told = accepted(author.asks("check", {"text": '{"nodes": ['}))
    assert (told["findings"][0]["code"], told["drawing"]) == ("invalid_document", None)


def test_a_draft_is_saved_once_for_each_revision(author: Person, stored: Flow) -> None:
    saved = accepted(author.asks("draft", {"definition": {"name": "mine"}, "revision": 1}))
    assert (saved["draft_revision"], saved["draft_author"]) == (2, "editor")
    problem = refused(author.asks("draft", {"definition": {}, "revision": 1}), 409, "draft_conflict")
    assert problem["author"] == "editor"
    assert Flow.objects.get().draft == {"name": "mine"}


def test_a_flow_is_called_what_its_draft_is_called_in_the_form(author: Person, stored: Flow) -> None:
    for told, called in (({"name": " Booking "}, "Booking"), ({"name": ""}, "Booking"), ({"name": ["x"]}, "Booking")):
        revision = Flow.objects.get().draft_revision
        accepted(author.asks("draft", {"definition": told, "revision": revision}))
        assert Flow.objects.get().name == called


def test_a_talk_with_the_screens_definition_writes_nothing(author: Person, stored: Flow) -> None:
    script = [{"text": ""}, {"text": "a@example.com"}]
    assert accepted(author.asks("try", {"definition": contact_flow(), "script": script}))["status"] == "COMPLETE"
    refused(author.asks("try", {"definition": {"nodes": 1}, "script": script}), 422, "flow_invalid")
    assert not Relationship.objects.exists()


def test_scripts_are_kept_judged_and_deleted(author: Person, stored: Flow) -> None:
    accepted(author.asks("scripts", {"name": "talk", "script": [{"text": ""}]}), 201)
    kept = accepted(author.asks("scripts", method="GET"))["results"]
    assert [(each["name"], each["passes"]) for each in kept] == [("talk", True)]
    changed = contact_flow()
    changed["nodes"].pop(0)
    accepted(author.asks("draft", {"definition": changed, "revision": 1}))
    kept = accepted(author.asks("scripts", method="GET"))["results"]
    assert (kept[0]["passes"], kept[0]["found"]["decisions"]) == (False, [["mail-1", "EXECUTE"]])
    assert author.asks("scripts", {"name": "talk"}, method="DELETE").status_code == 204
    assert not FlowScript.objects.exists()


def test_an_exploration_is_started_followed_and_found_again(author: Person, stored: Flow) -> None:
    assert accepted(author.asks("explore", method="GET")) == {"latest": None}
    job = accepted(author.asks("explore"), 202)["job"]
    run_exploration(Exploration.objects.get().pk)
    followed = accepted(author.asks(f"explore/{job}", method="GET"))
    assert (followed["status"], len(followed["handoffs"])) == ("done", 1)
    assert accepted(author.asks("explore", method="GET")) == {"latest": followed}


def test_publishing_comparing_and_rolling_back(author: Person, stored: Flow) -> None:
    refused(author.asks("publish", {"note": "", "revision": 7}), 409, "draft_conflict")
    assert accepted(author.asks("publish", {"note": "first", "revision": 1}), 201)["version"] == 1
    changed = contact_flow(name="Other")
    found = accepted(author.asks("diff", {"version": 1, "definition": changed}))
    assert [each["path"] for each in found["changed"]] == ["/name"]
    accepted(author.asks("draft", {"definition": changed, "revision": 1}))
    accepted(author.asks("publish", {"note": "second", "revision": 2}), 201)
    assert accepted(author.asks("diff", {"version": 1, "other": 2})) == found
    assert accepted(author.asks("rollback", {"version": 1}), 201)["version"] == 3
    listed = accepted(author.asks("versions", method="GET"))["results"]
    assert [each["note"] for each in listed] == ["Back to version 1", "second", "first"]
    assert accepted(author.asks("versions/2", method="GET"))["definition"] == changed


def test_a_definition_that_cannot_be_compared_says_where(author: Person, stored: Flow) -> None:
    publish(slug=SLUG, author="editor")
    problem = refused(author.asks("diff", {"version": 1, "definition": {"nodes": [{}]}}), 422, "flow_invalid")
    assert ("invalid_document", "/nodes/0/id") in codes(problem["findings"])


WRITES = [
    ("draft", {"definition": {}, "revision": 1}, "POST"),
    ("publish", {"note": "", "revision": 1}, "POST"),
    ("rollback", {"version": 1}, "POST"),
    ("explore", {}, "POST"),
    ("scripts", {"name": "x", "script": [{}]}, "POST"),
    ("scripts", {"name": "x"}, "DELETE"),
]


@pytest.mark.parametrize("role", ["viewer", "operator", "auditor"])
def test_readers_see_and_try_and_change_nothing(person: Callable[[str], Person], stored: Flow, role: str) -> None:
    reader = person(role)
    assert reader.opens().status_code == 200
    assert 'data-may-edit="no"' in reader.opens(f"/{SLUG}").content.decode()
    accepted(reader.asks("check", {"text": "{}"}))
    accepted(reader.asks("try", {"definition": contact_flow(), "script": [{}]}))
    for call, body, method in WRITES:
        assert reader.asks(call, body, method=method).status_code == 403, call
    assert reader.client.post("/admin/console/flows", {"name": "x", "slug": "x"}).status_code == 403
    assert (Flow.objects.count(), FlowVersion.objects.count(), FlowScript.objects.count()) == (1, 0, 0)


def test_nobody_gets_in_without_a_role_or_a_login(person: Callable[[str], Person], stored: Flow) -> None:
    assert person("gardener").opens().status_code == 403
    answer = Client().get(f"/admin/console/flows/{SLUG}")
    assert (answer.status_code, answer.url.split("?")[0]) == (302, "/admin/login/")


def test_a_change_from_another_site_is_refused(author: Person, stored: Flow) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = author.client.cookies
    body = {"definition": {}, "revision": 1}
    answer = strict.post(f"/admin/console/flows/{SLUG}/draft", json.dumps(body), content_type="application/json")
    assert answer.status_code == 403
    assert Flow.objects.get().draft == contact_flow()


@pytest.mark.parametrize("body", ["{", '{"definition": {"name": "\\u0000"}, "revision": 1}', '{"revision": 1}'])
def test_bodies_are_read_as_strictly_as_the_apis(author: Person, stored: Flow, body: str) -> None:
    assert author.asks("draft", body).status_code in {400, 422}
    assert Flow.objects.get().draft == contact_flow()

"""Personas through the API."""

from collections.abc import Iterator

import pytest
from pytest_django import Settings

from conversations.models import Persona
from conversations.services.personas import responder_of
from tests.cast import Actor, accepted, refused

pytestmark = pytest.mark.django_db
AGENT = {"kind": "http", "url": "http://127.0.0.1:9/agent", "secret": "a secret of sixteen"}


@pytest.fixture
def private_urls(settings: Settings) -> Iterator[None]:
    settings.LASTWORD_ALLOW_PRIVATE_URLS = True
    yield


def test_a_persona_is_a_template_unless_it_says_otherwise(router: Actor) -> None:
    made = accepted(router.post("/personas", {"handle": "ada", "name": "Ada"}), 201)
    assert (made["handle"], made["name"], made["responder"]) == ("ada", "Ada", {"kind": "template"})


def test_without_a_name_the_handle_is_the_name(router: Actor) -> None:
    assert accepted(router.post("/personas", {"handle": "ada"}), 201)["name"] == "ada"


def test_a_handle_is_taken_once(router: Actor) -> None:
    accepted(router.post("/personas", {"handle": "ada", "name": "Ada"}), 201)
    refused(router.post("/personas", {"handle": "ada", "name": "Other"}), 409, "persona_exists")
    assert Persona.objects.get().name == "Ada"


@pytest.mark.usefixtures("private_urls")
def test_an_agents_secret_is_sealed_and_never_read_back(router: Actor, auditor: Actor) -> None:
    answer = router.post("/personas", {"handle": "ada", "responder": AGENT})
    accepted(answer, 201)
    assert AGENT["secret"] not in answer.content.decode()
    assert AGENT["secret"] not in auditor.get("/personas").content.decode()
    stored = Persona.objects.get()
    assert AGENT["secret"] not in f"{stored.responder}{stored.secret_sealed}"
    assert responder_of(stored).secret == AGENT["secret"]


@pytest.mark.parametrize(
    ("responder", "field"),
    [
        ({"kind": "oracle"}, "kind"),
        ({"kind": "llm"}, "kind"),
        ({"kind": "template", "voice": "x"}, "voice"),
        (AGENT, "url"),
    ],
)
def test_a_senseless_responder_is_refused_by_field(router: Actor, responder: dict, field: str) -> None:
    problem = refused(router.post("/personas", {"handle": "ada", "responder": responder}), 422, "invalid")
    assert [error["field"] for error in problem["errors"]] == [field]
    assert not Persona.objects.exists()


def test_personas_are_listed_page_by_page(router: Actor, operator: Actor) -> None:
    for handle in ("ada", "ben", "cleo"):
        accepted(router.post("/personas", {"handle": handle}), 201)
    first = accepted(operator.get("/personas", limit=2))
    rest = accepted(operator.get("/personas", limit=2, cursor=first["next"]))
    assert [row["handle"] for row in first["results"] + rest["results"]] == ["cleo", "ben", "ada"]
    assert rest["next"] is None


@pytest.mark.parametrize("role", ["operator", "auditor", "editor"])
def test_only_a_router_makes_personas(request: pytest.FixtureRequest, role: str) -> None:
    refused(request.getfixturevalue(role).post("/personas", {"handle": "ada"}), 403, "forbidden")

"""What the published schema says of the drivers' endpoints: what they take, and what they answer."""

from typing import Any

import pytest

from tests.cast import Actor, accepted

pytestmark = pytest.mark.django_db

API = "/api/v1"


@pytest.fixture
def schema(nobody: Actor) -> dict[str, Any]:
    return accepted(nobody.get("/schema"))


def shape(schema: dict[str, Any], told: dict[str, Any]) -> dict[str, Any]:
    """The schema behind a reference."""
    reference = told["content"]["application/json"]["schema"]["$ref"]
    return schema["components"]["schemas"][reference.rpartition("/")[2]]


def test_the_catalogue_takes_a_list(schema: dict[str, Any]) -> None:
    told = shape(schema, schema["paths"][f"{API}/catalog/products"]["post"]["requestBody"])
    assert (told["type"], told["items"]) == ("array", {"$ref": "#/components/schemas/ProductData"})


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("turns", {"message_id": "m1", "text": "shoes"}),
        ("steps", {"step_id": "s1", "operation": "list"}),
        ("dialogue", None),
    ],
)
def test_an_answer_has_every_field_the_schema_names(
    router: Actor, schema: dict[str, Any], path: str, body: dict[str, Any] | None
) -> None:
    terms = {"initiator": "a", "responder": "b", "driver": "workflow" if path == "steps" else "assistant"}
    at = f"/relationships/{accepted(router.post('/relationships', terms), 201)['id']}/{path}"
    answer = accepted(router.get(at) if body is None else router.post(at, body))
    operation = schema["paths"][f"{API}/relationships/{{relationship_id}}/{path}"]["get" if body is None else "post"]
    told = shape(schema, operation["responses"]["200"])
    assert set(told["required"]) <= set(answer) and len(told["required"]) > 5

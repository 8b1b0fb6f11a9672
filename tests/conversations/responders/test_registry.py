import pytest

from conversations.responders.http import HttpResponder
from conversations.responders.llm import LlmResponder
from conversations.responders.registry import InvalidResponderError, ResponderSettings, build_responder
from conversations.responders.template import TemplateResponder
from flows.extraction.llm_endpoint import LlmConfig

MODEL = LlmConfig(base_url="http://127.0.0.1:1/v1", model="m")
SETTINGS = ResponderSettings(llm=MODEL)
SECRET = "sixteen letters!"
HTTP = {"kind": "http", "url": "https://agent.example/reply", "secret": SECRET}


@pytest.mark.parametrize(
    ("document", "responder"),
    [
        (None, TemplateResponder()),
        ({}, TemplateResponder()),
        ({"kind": "template", "text": "Hi"}, TemplateResponder(text="Hi")),
        (HTTP, HttpResponder(url="https://agent.example/reply", secret=SECRET)),
        (
            HTTP | {"timeout_seconds": 3},
            HttpResponder(url="https://agent.example/reply", secret=SECRET, timeout_seconds=3.0),
        ),
        ({"kind": "llm", "instructions": "Be brief."}, LlmResponder(config=MODEL, instructions="Be brief.")),
    ],
)
def test_a_document_becomes_a_responder(document, responder):
    assert build_responder(document, SETTINGS) == responder


@pytest.mark.parametrize(
    ("document", "errors"),
    [
        ([], {("", "wrong_type")}),
        ("template", {("", "wrong_type")}),
        ({"text": "Hi"}, {("kind", "unknown_kind")}),
        ({"kind": "magic"}, {("kind", "unknown_kind")}),
        ({"kind": ["http"]}, {("kind", "unknown_kind")}),
        ({"kind": "template", "text": 3, "url": "x"}, {("text", "wrong_type"), ("url", "unknown_key")}),
        ({"kind": "template", "text": "x" * 5000}, {("text", "too_long")}),
        ({"kind": "http"}, {("url", "required"), ("secret", "required")}),
        (HTTP | {"secret": "short"}, {("secret", "too_short")}),
        (HTTP | {"url": "http://127.1/"}, {("url", "address_loopback")}),
        (HTTP | {"url": "ftp://agent.example/"}, {("url", "url_scheme")}),
        (HTTP | {"timeout_seconds": 0}, {("timeout_seconds", "out_of_range")}),
        (HTTP | {"timeout_seconds": 31}, {("timeout_seconds", "out_of_range")}),
        (HTTP | {"timeout_seconds": True}, {("timeout_seconds", "out_of_range")}),
        (HTTP | {"timeout_seconds": float("nan")}, {("timeout_seconds", "out_of_range")}),
        ({"kind": "llm", "base_url": "http://evil"}, {("base_url", "unknown_key")}),
    ],
)
def test_a_senseless_document_is_refused_field_by_field(document, errors):
    with pytest.raises(InvalidResponderError) as refused:
        build_responder(document, SETTINGS)
    assert {(error.field, error.code) for error in refused.value.errors} == errors
    assert refused.value.status == 422
    assert all(set(error) == {"field", "code", "message"} for error in refused.value.figures["errors"])
    assert SECRET not in str(refused.value.figures)


def test_a_model_is_refused_where_the_deployment_has_none():
    with pytest.raises(InvalidResponderError) as refused:
        build_responder({"kind": "llm"}, ResponderSettings())
    assert [(error.field, error.code) for error in refused.value.errors] == [("kind", "llm_not_configured")]


def test_private_urls_are_the_deployments_decision():
    private = HTTP | {"url": "http://10.0.0.5/reply"}
    responder = build_responder(private, ResponderSettings(allow_private_urls=True))
    assert isinstance(responder, HttpResponder)
    assert responder.allow_private

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversations.responders.port import MAX_REPLY
from conversations.responders.template import TemplateResponder, fill
from tests.conversations.responders.support import request

FACTS = {"name": "Jan", "goal": {"amount": "300", "unit": "lb"}, "bare": {"amount": "3", "unit": None}, "n": 3}


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("Hi {name}!", "Hi Jan!"),
        ("Hi {nobody}!", "Hi!"),
        ("{nobody}", ""),
        ("So {goal}?", "So 300 lb?"),
        ("{bare} or {n}", "3 or 3"),
        ("{{name}}", "{name}"),
        ("{", "{"),
        ("{}", "{}"),
        ("{name", "{name"),
        ("{name!r}", "{name!r}"),
        ("{name:>999999999}", "{name:>999999999}"),
        ("{0}", "{0}"),
        ("a{name.__class__.__mro__}b", "ab"),
        ("{name[0]}", "{name[0]}"),
        ("%(name)s $name", "%(name)s $name"),
    ],
)
def test_only_plain_placeholders_are_filled(template, text):
    assert fill(template, FACTS) == text


def test_a_value_with_braces_is_not_filled_again():
    assert fill("{a}", {"a": "{b}{{", "b": "secret"}) == "{b}{{"


@given(st.text(), st.dictionaries(st.text(), st.text()))
def test_no_template_raises(template, facts):
    assert isinstance(fill(template, facts), str)


def test_without_a_text_of_its_own_the_prompt_is_said():
    assert TemplateResponder().respond(request=request()).text == "Hi Jan, what is your e-mail address?"
    assert TemplateResponder(text="Bye {name}").respond(request=request()).text == "Bye Jan"


def test_a_reply_is_never_longer_than_a_channel_takes():
    long = request(prompt="{name}" * 10, facts={"name": "x" * 1000})
    assert len(TemplateResponder().respond(request=long).text) == MAX_REPLY

from string import Formatter

import pytest

from conversations.domain.dialogue.messages import CATALOGUE, ENGLISH, Language, text
from conversations.domain.intents.types import Meaning
from tests.conversations.dialogue.world import Talk


def blanks(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


@pytest.mark.parametrize("language", Language)
def test_every_language_says_the_same_things_with_the_same_blanks(language):
    sentences = CATALOGUE[language]
    assert sentences.keys() == ENGLISH.keys()
    for code, sentence in sentences.items():
        assert blanks(sentence) == blanks(ENGLISH[code]), code


@pytest.mark.parametrize("meaning", sorted(set(Meaning) - {Meaning.SELECT}))
def test_every_button_that_is_no_product_has_a_title(meaning):
    assert text(Language.ENGLISH, f"button_{meaning}")


def test_a_question_names_the_item_by_its_title_and_by_its_id_only_without_one():
    choose = {"meaning": Meaning.SELECT, "target_id": "s2"}
    assert "Red shoe" in Talk().say(**choose, target_title="Red shoe").reply.text
    assert "s2" not in Talk().say(**choose, target_title="Red shoe").reply.text
    assert "s2" in Talk().say(**choose).reply.text


def test_sentences_and_buttons_are_in_the_visitors_language():
    reply = Talk().say(meaning=Meaning.SELECT, target_id="s2", language=Language.FRENCH).reply
    assert reply.text == "Vous avez choisi s2. Je continue ?"
    assert [button.title for button in reply.quick_replies] == ["Oui", "Non"]


def test_what_a_visitor_typed_is_never_taken_for_a_blank():
    assert text(Language.ENGLISH, "none_found", query="{target}") == (
        "I found nothing new for “{target}”. Try other words?"
    )

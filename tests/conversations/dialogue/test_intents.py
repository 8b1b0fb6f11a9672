import pytest

from conversations.domain.intents.rules import RuleRecogniser
from conversations.domain.intents.types import Intent, Meaning, Recognised, Source
from conversations.domain.intents.understand import understand

CATALOGUE_WORDS = RuleRecogniser(["Red running shoes", "Blue summer dress", "Tasse à café"])
NO_CATALOGUE = RuleRecogniser()


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("Hello!", "greeting"),
        ("Bonjour", "greeting"),
        ("salam", "greeting"),
        ("thank you :)", "thanks"),
        ("merci beaucoup", "thanks"),
        ("chokran", "thanks"),
        ("show me more", "show_more"),
        ("Voir plus", "show_more"),
        ("zid", "show_more"),
        ("YES", "confirm"),
        ("wakha", "confirm"),
        ("mansalich", "cancel"),
        ("human", "human"),
        ("humann", "human"),
        ("I want to talk to a real person", "human"),
        ("can I speak with somebody?", "human"),
        ("Je voudrais parler à quelqu’un", "human"),
        ("bghit nhder m3a chi wahed", "human"),
        ("I need an agent", "human"),
        ("An agent? Please!", "human"),
        ("agent, please", "human"),
        ("Please show me more", "show_more"),
        ("un conseiller svp", "human"),
        ("3afak chi wahed", "human"),
        ("yes please", None),
        ("select P-12", "select"),
        ("je prends SKU9.", "select"),
        ("I'm looking for red shoes", "product_search"),
        ("je cherche une tasse", "product_search"),
        ("bghit wahed tasse", "product_search"),
        ("hello, do you have a dress?", "product_search"),
        ("blue dres", "product_search"),
        ("la tasse", "product_search"),
        ("hmm", None),
        ("???", None),
        ("", None),
        ("🙂", None),
        ("yesss", None),
        ("asdf qwer", None),
        ("I don't know", None),
    ],
)
def test_what_people_type_is_recognised(text, intent):
    recognised = CATALOGUE_WORDS.recognise(text)
    assert recognised.clear_intent == intent
    assert 0 <= recognised.confidence <= 1


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("I am looking for some RED shoes, please!", "red shoes"),
        ("hello, do you have a dress?", "dress"),
        ("je cherche une tasse à café", "tasse cafe"),
        ("bghit nchri tasse", "tasse"),
        ("show me something nice", None),
        ("I want", None),
    ],
)
def test_the_query_is_what_is_left_of_the_wish(text, query):
    assert CATALOGUE_WORDS.recognise(text).query == query


def test_without_catalogue_words_a_few_bare_words_are_a_search_and_a_long_story_is_not():
    assert NO_CATALOGUE.recognise("green teapot").clearly(Intent.PRODUCT_SEARCH)
    story = "yesterday my neighbour told me about that teapot which broke again"
    assert NO_CATALOGUE.recognise(story).intent is None


@pytest.mark.parametrize(
    ("text", "target"), [("select P-12", "P-12"), ("I take SKU9. 👍", "SKU9"), ("I take both", None)]
)
def test_a_typed_choice_keeps_the_ids_spelling(text, target):
    assert NO_CATALOGUE.recognise(text).target_id == target


class TestUnderstanding:
    def test_a_click_beats_caller_and_text(self):
        assert understand(
            text="shoes",
            recogniser=NO_CATALOGUE,
            meaning=Meaning.SELECT,
            target_id="p1",
            intent="x",
            confidence=0.1,
        ) == Recognised("select", 1.0, target_id="p1", source=Source.CLICK)

    def test_the_caller_beats_the_recogniser_and_is_believed_unless_it_doubts(self):
        sure = understand(text=" red shoes ", recogniser=NO_CATALOGUE, intent="Product Search")
        assert sure == Recognised("product_search", 1.0, query="red shoes", source=Source.CALLER)
        assert not understand(text="x", recogniser=NO_CATALOGUE, intent="select", confidence=0.2).is_clear

    def test_a_callers_confidence_alone_judges_the_recognisers_intent(self):
        doubted = understand(text="shoes", recogniser=NO_CATALOGUE, confidence=0.1)
        assert (doubted.intent, doubted.confidence) == ("product_search", 0.1)

    def test_an_empty_label_is_no_intent(self):
        assert understand(text="shoes", recogniser=NO_CATALOGUE, intent=" - ").intent is None

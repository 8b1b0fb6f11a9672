"""Every word of ours is there in Dutch, and what Django loads is what the catalogue says."""

from pathlib import Path

import pytest
from django.utils.translation import override

from conversations.console_words import CODES, said
from conversations.handoff_words import reason_words
from conversations.silence_words import silence_words
from tests.console.conftest import sign_in
from tools import messages
from tools.template_texts import texts_of


@pytest.mark.parametrize("domain", messages.DOMAINS)
def test_every_text_in_the_tree_has_dutch_words(domain: str) -> None:
    catalogue = messages.catalogue(domain)
    catalogue.update(messages.extracted(domain), no_fuzzy_matching=True)
    assert messages.untranslated(catalogue) == []


@pytest.mark.parametrize("domain", messages.DOMAINS)
def test_the_compiled_catalogue_is_fresh(domain: str) -> None:
    kept = (messages.FOLDER / f"{domain}.mo").read_bytes()
    assert kept == messages.compiled(messages.catalogue(domain)), "run make messages"


def test_words_that_lose_a_placeholder_count_as_none() -> None:
    assert messages.is_translated("%(n)s lines", "%(n)s regels")
    assert not messages.is_translated("%(n)s lines", "regels")
    assert not messages.is_translated(("%s line", "%s lines"), ("%s regel",))
    assert not messages.is_translated("Home", "")


def test_a_template_gives_up_every_kind_of_text(tmp_path: Path) -> None:
    template = tmp_path / "page.html"
    template.write_text(
        '{% translate "One" %}{% blocktranslate with n=x %}Two {{ n }} %{% endblocktranslate %}'
        '{% blocktranslate count n=x %}{{ n }} cat{% plural %}{{ n }} cats{% endblocktranslate %}{{ _("Three") }}'
        '{% translate "Four" context "cards" %}{% blocktranslate context "cards" %}Five{% endblocktranslate %}',
        encoding="utf-8",
    )
    none = [(text, None) for text in ("One", "Two %(n)s %%", ("%(n)s cat", "%(n)s cats"), "Three")]
    assert list(texts_of(template)) == [*none, ("Four", "cards"), ("Five", "cards")]


def test_the_console_speaks_dutch_to_who_chose_it(db: None) -> None:
    browser = sign_in("vera", "viewer")
    chosen = browser.post("/i18n/setlang/", {"language": "nl", "next": "/admin/console/"})
    assert chosen["Location"] == "/admin/console/"
    page = browser.get("/admin/console/").content.decode()
    assert '<html lang="nl"' in page
    assert "Wacht op een mens, de langst wachtende eerst" in page
    assert '"none seen": "geen gezien"' in browser.get("/i18n/words.js").content.decode()


def test_a_code_is_said_in_the_language_of_the_page() -> None:
    with override("en"):
        assert said(CODES, "queue") == "waiting for a person"
    with override("nl"):
        assert said(CODES, "queue") == "wacht op een mens"
        verdicts = ["ignored", "unreadable", "refused", "stale", "taken_over"]
        assert not [code for code in verdicts if said(CODES, code) in (code, code.replace("_", " "))]


def test_a_reason_of_ours_is_worded_and_a_typed_one_left_as_it_is() -> None:
    with override("nl"):
        assert reason_words("low_confidence", {}) == "De assistent begreep het meermaals niet."
        assert reason_words("A person wrote in the channel.", {}) == "Een mens schreef in het kanaal."
        assert reason_words("Please call me", {}) == "Please call me"


def test_why_nothing_was_said_is_worded_also_where_a_figure_or_a_sentence_follows_the_code() -> None:
    with override("nl"):
        assert silence_words("no_text") == "er staan geen woorden in"
        assert silence_words("nothing_to_say (status COMPLETE)") == silence_words("nothing_to_say")
        assert silence_words("conversation_closed: This conversation is closed.") == "het gesprek is gesloten"
        assert silence_words("gave up: http_503") == "na veel pogingen opgegeven: antwoordde met status 503"
        assert silence_words("held_by anna") == "anna heeft het"
        assert silence_words("channel_not_found") == ""

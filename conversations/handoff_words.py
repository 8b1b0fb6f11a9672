"""Why a person was asked for and what had happened, in the page's language.

What was recorded without figures, and what somebody typed, is shown as it was written.
"""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from conversations.console_words import CODES, RULES, Words, said
from conversations.domain.handoff_summary import sentences

# Reasons of ours that are their own code.
REASONS: Words = {
    "human_request": _("The visitor asks for a person."),
    "low_confidence": _("The assistant did not understand several times."),
    "repeated_errors": _("The assistant failed several times in a row."),
    "A person wrote in the channel.": _("A person wrote in the channel."),
    "Returned in the channel.": _("Returned in the channel."),
}


def reason_words(reason: str, figures: Mapping[str, Any]) -> str:
    because = figures.get("reason") or {}
    match because.get("code"):
        case "node":
            return f"{because['node']}: {'; '.join(said(CODES, code) for code in because['reasons'])}"
        case "no_node":
            blocked = "; ".join(node_words(node, rules) for node, rules in because["why_not"].items())
            return gettext("No node can run. %(blocked)s") % {"blocked": blocked}
        case "loop":
            return gettext("Loop: %(what)s") % {"what": said(CODES, because["rule"])}
    return str(REASONS.get(reason, reason))


def node_words(node: str, rules: list[Mapping[str, Any]]) -> str:
    return f"{node}: {', '.join(map(rule_words, rules))}"


def rule_words(rule: Mapping[str, Any]) -> str:
    missing = f" ({', '.join(rule['missing'])})" if rule["missing"] else ""
    return f"{said(RULES, rule['rule'])}{missing}"


def summary_words(summary: str, figures: Mapping[str, Any]) -> str:
    told = figures.get("summary")
    if not told:
        return summary
    count = ngettext("%(n)s event", "%(n)s events", told["events"]) % {"n": told["events"]}
    deep = gettext("depth %(depth)s/%(limit)s") % {"depth": told["depth"], "limit": told["max_depth"]}
    parts = [f"{count}, {deep}" if told["depth"] else count]
    if told["known"]:
        parts.append(gettext("Known: %(facts)s") % {"facts": ", ".join(told["known"])})
    if told["asked"]:
        parts.append(gettext("Last asked: %(words)s") % {"words": told["asked"]})
    if told["said"]:
        parts.append(gettext("Said: %(words)s") % {"words": " · ".join(told["said"])})
    return sentences(parts)

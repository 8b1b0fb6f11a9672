"""How the console's screens spell moments and codes."""

from datetime import datetime
from typing import Any

from django import template
from django.forms import BoundField
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timesince import timesince, timeuntil
from django.utils.translation import gettext as _

from conversations import console_words as words
from conversations.domain import threads
from conversations.domain.handoff import REQUESTED
from conversations.domain.times import from_text, to_text
from conversations.domain.transcript import Detail, Line
from conversations.handoff_words import reason_words, summary_words
from conversations.models import Handoff
from conversations.silence_words import WHY, silence_words
from guards.policy_words import GUARDS

register = template.Library()
LONG = 600
GUARDED = (threads.SKIPPED, threads.DROPPED, threads.POSTPONED)
CODED = ("reason", "suppressed")
OPENING = 200


@register.simple_tag
def when(moment: datetime | str) -> SafeString:
    """A moment, relative, with the exact time on hover; `times.js` keeps it going."""
    at = from_text(moment) if isinstance(moment, str) else moment
    if at <= timezone.now():
        told = _("%(span)s ago") % {"span": timesince(at, depth=1)}
    else:
        told = _("in %(span)s") % {"span": timeuntil(at, depth=1)}
    text = to_text(at)
    return format_html('<time datetime="{}" title="{}" data-relative>{}</time>', text, text, told)


@register.filter
def event_words(code: str) -> str:
    return words.said(words.EVENTS, code)


@register.filter
def detail_words(code: str) -> str:
    return words.said(words.DETAILS, code)


@register.filter
def rule_words(code: str) -> str:
    return words.said(words.RULES, code)


@register.filter
def code_words(code: str) -> str:
    """Codes of our own (drivers, owners, voices, closure types, reasons) as a person says them."""
    return words.said(words.CODES if code in words.CODES else WHY, code)


@register.filter
def why(reason: str) -> SafeString:
    """Why nothing was said, sent or let through: in words, and the code that logs and the API go by."""
    told = silence_words(reason)
    if not told:
        return format_html("{}", reason or "–")
    return format_html('{} <code class="lw-faint">{}</code>', told, reason)


@register.filter
def why_words(reason: str) -> str:
    """The same without the code; a sentence of its own stays as it is."""
    return silence_words(reason) or reason


@register.filter
def handoff_reason(handoff: Handoff) -> str:
    return reason_words(handoff.reason, handoff.figures)


@register.filter
def handoff_summary(handoff: Handoff) -> str:
    return summary_words(handoff.summary, handoff.figures)


@register.filter
def line_words(line: Line) -> str:
    """What a line says: somebody's words as they are, our reasons in the page's language."""
    if line.type == REQUESTED:
        return reason_words(line.text, line.figures)
    return why_words(line.text) if line.type in GUARDED else line.text


@register.filter
def line_details(line: Line) -> list[Detail]:
    if line.type == REQUESTED:
        return [(name, summary_words(value, line.figures)) for name, value in line.details]
    return [(name, why_words(value) if name in CODED else value) for name, value in line.details]


@register.filter
def guard_words(name: str) -> Any:
    """A guard as the Guards screen calls it; a refusal no guard spoke has none."""
    return GUARDS.get(name, name or "–")


@register.filter
def plain_number(value: Any) -> str:
    """A setting as it is typed: no separators, whatever the language; a switch in words."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    return str(value)


@register.filter
def with_number(example: Any, value: Any) -> str:
    """An example with its number put in."""
    return str(example).replace("{n}", str(value))


@register.filter
def only_of(field: BoundField) -> str:
    """The one kind that has this field, in a form that asks for several kinds of a thing."""
    return str(getattr(field.form, "ONLY_OF", {}).get(field.name, ""))


@register.filter
def needed_by(field: BoundField) -> str:
    """The one kind that cannot do without it."""
    return str(getattr(field.form, "NEEDED_BY", {}).get(field.name, ""))


@register.filter
def is_long(text: str) -> bool:
    return len(text) > LONG


@register.filter
def opening(text: str) -> str:
    """The first words of a text that is too long for one line."""
    return f"{text[:OPENING]}…"


@register.filter
def share(part: Any, whole: int) -> int:
    """A percentage, between 0 and 100."""
    return min(100, max(0, round(100 * part / whole))) if whole else 0


@register.filter
def near(depth: Any, limit: Any) -> bool:
    """Whether the next intent may be the last."""
    return int(depth) >= int(limit) - 1

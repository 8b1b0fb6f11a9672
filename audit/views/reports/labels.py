"""The words for subjects, spans, sizes and days."""

from collections.abc import Callable

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from audit.metrics import buckets
from audit.metrics.keys import COHORT, REPLIES, Measure
from audit.metrics.periods import Period
from conversations.console_words import CODES, said


def code_label(code: str) -> str:
    return said(CODES, code) if code else _("none")


def step_label(step: Period) -> str:
    first = date_format(step.first, "j M")
    return first if step.first == step.last else f"{first} – {date_format(step.last, 'j M')}"


def span_label(bucket: str) -> str:
    words = {"60": _("1 min"), "120": _("2 min"), "300": _("5 min"), "600": _("10 min"), "1800": _("30 min")}
    words |= {"3600": _("1 h"), "14400": _("4 h"), "43200": _("12 h"), "86400": _("1 day")}
    if bucket == buckets.MORE:
        return _("more than 1 day")
    return _("up to %(span)s") % {"span": words.get(bucket, _("%(n)s s") % {"n": bucket})}


def size_label(bucket: str) -> str:
    if bucket == buckets.MORE:
        return _("more than %(n)d") % {"n": buckets.SIZES[-1]}
    if not bucket.isdecimal() or int(bucket) not in buckets.SIZES:
        return bucket
    place = buckets.SIZES.index(int(bucket))
    lowest = buckets.SIZES[place - 1] + 1 if place else 0
    return bucket if lowest == int(bucket) else f"{lowest}–{bucket}"


def subject_words(measure: str, subject: str | None) -> str:
    """A figure in words: what is counted, and of which subject."""
    words = {
        Measure.STARTED: _("Began"),
        Measure.DEPTH: _("Depth"),
        Measure.LENGTH: _("Messages"),
        Measure.CLOSED: _("Ended"),
        Measure.EXPIRED: _("Expired"),
        Measure.OUTCOME: _("Outcome"),
        Measure.FLOW_STARTED: _("Followed a flow"),
        Measure.NODE_TRIED: _("Tried the node"),
        Measure.NODE_RETRIED: _("Retried the node"),
        Measure.NODE_HANDED: _("Handed over at the node"),
        Measure.NODE_DROPPED: _("Ended at the node"),
        Measure.GATE: _("Satisfied the gate"),
        Measure.GUARD: _("Refused by a guard"),
        Measure.LOOP: _("Loop alarm"),
        Measure.HANDOFF: _("Handed over"),
        Measure.CLAIM: _("Waited for an operator"),
        Measure.RESOLVE: _("Until resolved or returned"),
        Measure.RATING: _("Rated"),
        Measure.REPLY_RESPONDER: _("Answered by the responder"),
        Measure.REPLY_OPERATOR: _("Answered by an operator"),
        Measure.REPLY_PERSONA: _("Answered by a persona"),
        Measure.REPLY_AGENT: _("Steps of an agent"),
    }
    told = str(words.get(Measure(measure), said(CODES, measure)))
    return f"{told}: {SUBJECTS.get(Measure(measure), code_label)(subject)}" if subject else told


SUBJECTS: dict[str, Callable[[str], str]] = {
    **dict.fromkeys((Measure.DEPTH, Measure.LENGTH), size_label),
    **dict.fromkeys((Measure.CLAIM, Measure.RESOLVE, *REPLIES), span_label),
    **dict.fromkeys((*COHORT, Measure.RATING), str),
}

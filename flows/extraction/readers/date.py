"""Days, with or without a time: found by a small grammar, computed by dateparser from the given `now`.

dateparser's own search reads "may I ask" and "call me" as dates, so the grammar decides what is a date
and dateparser only says which one.
"""

import re
from datetime import date, datetime, time, timedelta
from itertools import islice
from zoneinfo import ZoneInfo

import dateparser

from flows.extraction.port import Context, FactSpec, Reading

_WEEKDAY = (
    r"(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday"
    r"|maandag|dinsdag|woensdag|donderdag|vrijdag|zaterdag|zondag"
    r"|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)"
)
_MONTH = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|januari|februari|maart|mei|juni|juli|augustus|oktober"
    r"|janvier|février|mars|avril|mai|juin|juillet|août|septembre|octobre|novembre|décembre"
    r"|jan|feb|mrt|apr|jun|jul|aug|sept?|oct|okt|nov|dec)\b\.?"
)
_DAY = r"(?:[12]\d|3[01]|0?[1-9])(?:st|nd|rd|th|ste|de|er)?\b"
_YEAR = r"(?:19|20)\d\d\b"
# "5 mei 99" could be 1999 or 2099, and is certainly not this year; "5 mei 10 uur" is a time.
_NO_SHORT_YEAR = r"(?!,? ?['’]?\d\d\b(?![:.]\d| ?(?:u|uur|h|heures?|am|pm)\b))"
_UNIT = r"(?:days?|weeks?|months?|dagen|dag|weken|maanden|maand|jours?|semaines?|mois)"
_NEXT_WEEK = r"(?:next week|volgende week|(?:la )?semaine prochaine)"
# "morgen" is also the morning: "goede morgen", "deze morgen", "dinsdag morgen".
_TOMORROW = r"(?<!goede )(?<!deze )(?<!elke )(?<!dag )morgen"

# In order of preference: an explicit date beats the weekday beside it. Each is (pattern, confidence).
_GRAMMAR = tuple(
    (re.compile(rf"(?<![\w/.-])(?:{pattern})(?![\w/-])", re.IGNORECASE), confidence)
    for pattern, confidence in (
        (r"(?P<core>\d{4}-\d{2}-\d{2})", 0.99),
        (rf"(?P<core>{_DAY} (?:of |de )?{_MONTH}(?:,? {_YEAR})?|{_MONTH} {_DAY}(?:,? {_YEAR})?){_NO_SHORT_YEAR}", 0.95),
        (r"(?P<core>\d{1,2}(?P<mark>[/.-])\d{1,2}(?P=mark)\d{4})", 0.7),
        (r"(?P<core>\d{1,2}/\d{1,2})", 0.5),
        (
            r"(?P<core>day after tomorrow|today|tomorrow|overmorgen|vandaag|après-demain|demain|aujourd'hui)",
            0.95,
        ),
        (rf"(?P<core>{_TOMORROW})", 0.9),
        (rf"(?P<core>(?:in|over|dans) (?:\d{{1,3}}|an?|een|une?) {_UNIT})", 0.9),
        (rf"(?P<next_week>{_NEXT_WEEK}) (?:on |op )?(?P<core>{_WEEKDAY})", 0.9),
        (rf"(?P<core>{_WEEKDAY}) (?:de )?(?P<next_week>{_NEXT_WEEK})", 0.9),
        (rf"(?:(?:next|this|volgende|komende|deze|ce) )?(?P<core>{_WEEKDAY})(?: prochain)?", 0.9),
        (rf"(?P<core>{_NEXT_WEEK})", 0.6),
    )
)
_CLOCK = (
    r"(?:(?P<hour>[01]?\d|2[0-3])(?::|u|h|\.)(?P<minute>[0-5]\d)"
    r"|(?P<hour12>1[0-2]|0?[1-9])(?:[:.](?P<minute12>[0-5]\d))? ?(?P<half>am|pm)"
    r"|(?P<hour_alone>[01]?\d|2[0-3]) ?(?:u|h|uur|heures?))"
)
_TIME_AFTER = re.compile(rf",? *(?:at|om|à|vers|around|rond)? *{_CLOCK}(?!\w)", re.IGNORECASE)
_TIME_BEFORE = re.compile(rf"(?<![\w:.,]){_CLOCK},? (?:on |op |le )?$", re.IGNORECASE)
_LONGEST_TIME = 20
MAX_READINGS = 6
"""A message naming more days answers no question, and each costs dateparser a millisecond."""


def read(text: str, spec: FactSpec, context: Context) -> list[Reading]:
    """Every day named, as `2026-01-20`, or with a time as `2026-01-20T15:00:00+01:00`."""
    zone = ZoneInfo(context.locale.timezone)
    today = context.now.astimezone(zone).date()
    readings: list[Reading] = []
    for grammar, confidence in _GRAMMAR:
        for match in islice(grammar.finditer(text), MAX_READINGS):
            if any(match.start() < taken.end + 2 and taken.start - 2 < match.end() for taken in readings):
                continue
            day = _resolve(match, today, context)
            if day is not None:
                readings.append(_reading(text, match, day, confidence, zone))
    return sorted(readings, key=lambda reading: reading.start)


def _resolve(match: re.Match[str], today: date, context: Context) -> date | None:
    """The day meant, or None when there is none such (31 February)."""
    base = today
    if match.groupdict().get("next_week"):
        base = today + timedelta(days=6 - today.weekday())  # this week's Sunday: the weekday after it is meant
    parsed = dateparser.parse(
        match["core"].casefold().replace(" een ", " 1 "),
        languages=list(context.locale.languages),
        settings={
            # Midnight, not now: dateparser keeps every distinct settings object for ever.
            "RELATIVE_BASE": datetime.combine(base, time()),
            "PREFER_DATES_FROM": "future",
            "DATE_ORDER": "YMD" if match["core"][:4].isdigit() else context.locale.date_order,
            "RETURN_AS_TIMEZONE_AWARE": False,
        },
    )
    return parsed.date() if parsed else None


def _reading(text: str, match: re.Match[str], day: date, confidence: float, zone: ZoneInfo) -> Reading:
    start, end = match.span()
    if at := _TIME_AFTER.match(text, end):
        end = at.end()
    elif at := _TIME_BEFORE.search(text[:start], max(0, start - _LONGEST_TIME)):
        start = at.start()
    else:
        return Reading(day.isoformat(), start, end, confidence)
    moment = datetime.combine(day, _time_of_day(at), zone)
    return Reading(moment.isoformat(), start, end, confidence)


def _time_of_day(at: re.Match[str]) -> time:
    if at["hour12"]:
        afternoon = 12 if at["half"].casefold() == "pm" else 0
        return time(int(at["hour12"]) % 12 + afternoon, int(at["minute12"] or 0))
    return time(int(at["hour"] or at["hour_alone"]), int(at["minute"] or 0))

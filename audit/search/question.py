"""What a search may ask, read strictly: a filter nobody knows or a period backwards is answered, not ignored."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from audit.search.moments import first_key
from audit.search.words import terms_of
from conversations.domain.events import NAME

FILTERS = ("party", "type", "actor", "since", "until", "q", "before")
DEFAULT_DAYS = 30
MAX_DAYS = 366
MAX_TEXT = 200


@dataclass(frozen=True, slots=True)
class Question:
    """A search as asked; `problems` has a code for each filter that makes no sense."""

    since: datetime
    until: datetime
    party: str = ""
    type: str = ""
    actor: str = ""
    terms: tuple[str, ...] = ()
    before: int | None = None
    problems: Mapping[str, str] = field(default_factory=dict)

    @property
    def first(self) -> int:
        return first_key(self.since)

    @property
    def end(self) -> int:
        """Keys below this one are asked for."""
        end = first_key(self.until)
        return end if self.before is None else min(end, self.before)


def question_of(told: Mapping[str, str], *, now: datetime) -> Question:
    """Reads the filters of an address."""
    problems = {name: "unknown_filter" for name in told if name not in FILTERS}
    asked = {name: told.get(name, "").strip() for name in FILTERS}
    for name, text in asked.items():
        if len(text) > MAX_TEXT or "\x00" in text:
            problems[name] = "too_long"
            asked[name] = ""
    until = moment_in(asked["until"], "until", problems, end_of_day=True) or now + timedelta(minutes=1)
    since = moment_in(asked["since"], "since", problems) or until - timedelta(days=DEFAULT_DAYS)
    if since >= until:
        problems.setdefault("until", "backwards")
    elif until - since > timedelta(days=MAX_DAYS):
        problems.setdefault("since", "too_long_ago")
    if asked["type"] and not NAME.match(asked["type"]):
        problems["type"] = "no_type"
    terms = tuple(terms_of(asked["q"]))
    if asked["q"] and not terms:
        problems["q"] = "no_words"
    if asked["before"] and not (asked["before"].isascii() and asked["before"].isdigit() and len(asked["before"]) <= 19):
        problems["before"] = "no_page"
        asked["before"] = ""
    return Question(
        since=since,
        until=until,
        party=asked["party"],
        type=asked["type"],
        actor=asked["actor"],
        terms=terms,
        before=int(asked["before"]) if asked["before"] else None,
        problems=problems,
    )


def moment_in(text: str, name: str, problems: dict[str, str], *, end_of_day: bool = False) -> datetime | None:
    """A date or a moment; without a zone it is UTC, and a date as an end means the whole day."""
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text.replace(" ", "+") if "T" in text else text)
        moment = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
        moment = moment + timedelta(days=1) if end_of_day and len(text) == len("2025-01-31") else moment
        first_key(moment)
    except (ValueError, OverflowError):
        problems[name] = "no_moment"
        return None
    if moment.year < 1971:
        problems[name] = "no_moment"
        return None
    return moment

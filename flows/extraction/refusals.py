"""What people write instead of an answer: refusals, questions back, greetings (English, Dutch, French)."""

import re
from collections.abc import Iterator

_SENTENCE = re.compile(r"\S.*?(?:[.!?…]+(?=\s|$)|(?=\n)|$)", re.MULTILINE)
_FILLERS = re.compile(
    r"(?:(?:u+h*m+|u+h+|h+m+|well|sorry|actually|honestly|oh|okay|ok|nou|tja|e+h*m*|euh|bah|ben)\b[\s,.…-]+)+",
    re.IGNORECASE,
)
_SHARING = r"(?:share|tell|say|give|answer|disclose|zeggen|delen|geven|vertellen|dire|partager|donner|répondre)"
_REFUSAL = re.compile(
    r"(?:i )?(?:do not|don't|dont) (?:really )?know\b|idk\b|no idea\b|(?:i'm |i am )?not sure\b|no comment\b"
    r"|(?:i'm |i am )?not (?:yet )?(?:ready|comfortable|willing|telling)\b|not (?:now|yet|today)\b"
    r"|(?:i'd |i would |i )?(?:rather|prefer) not\b|none of your business"
    rf"|i (?:don't|do not|won't|will not|can't|cannot) .{{0,20}}\b{_SHARING}\b"
    r"|geen idee\b|(?:dat )?weet ik (?:nog |echt )?niet|ik weet (?:het|dat) (?:nog |echt )?niet|liever niet"
    r"|(?:niet nu|nog niet)\b|(?:dat )?(?:zeg|vertel|geef|deel) ik (?:liever )?niet"
    r"|geen commentaar|gaat (?:je|u) niets aan"
    rf"|ik wil .{{0,20}}niet {_SHARING}|ik (?:zeg|deel|geef|vertel) (?:dat |dit |het )?(?:liever )?niet"
    r"|(?:je )?(?:ne )?sais pas|aucune idée|pas (?:encore|maintenant)\b|je préfère (?:ne )?pas"
    rf"|ça ne vous regarde pas|je ne (?:veux|souhaite) pas .{{0,10}}{_SHARING}"
    r"|(?:skip|pass|later|maybe later|plus tard|overslaan|sla over)(?: this| it| dit)?\W*$",
    re.IGNORECASE,
)
_CONTRAST = re.compile(r"\b(?:but|maar|mais)\b[\s,]*", re.IGNORECASE)
_ASKING = re.compile(r"(?:why|what for|waarom|waarvoor|pourquoi)\b", re.IGNORECASE)
_GREETING = re.compile(
    r"(?:hi|hello|hey|hallo|hoi|dag|bonjour|salut|goede?morgen|goeden?dag"
    r"|good (?:morning|afternoon|evening)|thanks|thank you|dank (?:je|u)(?: wel)?"
    r"|bedankt|merci)(?: there| daar)?\W*",
    re.IGNORECASE,
)


def answer_spans(text: str) -> Iterator[tuple[int, int]]:
    """The sentences that could hold an answer, as (start, end)."""
    plain = text.replace("’", "'")
    for sentence in _SENTENCE.finditer(plain):
        start, end = sentence.span()
        if filler := _FILLERS.match(plain, start, end):
            start = filler.end()
        while start < end and _REFUSAL.match(plain, start, end):
            contrast = _CONTRAST.search(plain, start, end)
            start = contrast.end() if contrast else end
        if _says_something(plain[start:end]):
            yield start, end


def _says_something(sentence: str) -> bool:
    asks = sentence.endswith(("?", "？")) or _ASKING.match(sentence)
    return any(c.isalnum() for c in sentence) and not asks and not _GREETING.fullmatch(sentence)

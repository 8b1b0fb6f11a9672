"""The words the rules know, in English, French and Darija (Latin letters), without accents."""

from collections.abc import Mapping

from conversations.domain.intents.types import Intent

CONFIRMING = frozenset({"yes", "y", "confirm", "ok", "okay", "sure", "ah", "wakha", "mzyan", "iyyeh", "na3am"})
CANCELLING = frozenset({"no", "n", "cancel", "stop", "nope", "la", "bala", "mansalich"})
"""Seed 002, 6.1, word by word: these two sets are normative, the rest of this file is not."""

GREETINGS = frozenset(
    {"hello", "hi", "hey", "good morning", "good evening", "bonjour", "bonsoir", "salut", "coucou"}
    | {"salam", "slm", "salam alikom", "ahlan", "sbah lkhir", "mslkhir"}
)

PHRASES: Mapping[Intent, frozenset[str]] = {
    Intent.SHOW_MORE: frozenset(
        {"more", "show more", "show me more", "more results", "next", "next page", "see more", "others"}
        | {"plus", "voir plus", "encore", "suivant", "page suivante", "d'autres", "montre plus"}
        | {"zid", "zidni", "zid werrini", "kter", "okhrin", "chi haja khra"}
    ),
    Intent.GREETING: GREETINGS,
    Intent.THANKS: frozenset(
        {"thanks", "thank you", "thank you very much", "thx", "cheers", "bye", "goodbye"}
        | {"merci", "merci beaucoup", "au revoir", "chokran", "choukran", "lah ykhellik", "bslama"}
    ),
    Intent.HUMAN: frozenset(
        {"human", "agent", "operator", "a human", "a person", "an agent", "an operator", "real person"}
        | {"representative", "customer service", "support", "help desk", "humain", "un humain", "conseiller"}
        | {"un conseiller", "service client", "une vraie personne", "bnadem", "chi wahed", "insan", "mas2oul"}
    ),
}

POLITE_WORDS = frozenset({"please", "pls", "svp", "stp", "3afak", "3afakom"})
"""They change nothing about a wish; a yes or a no is a whole message even so."""

SPEAKING_WORDS = frozenset(
    {"talk", "speak", "chat", "call", "contact", "connect", "transfer", "reach"}
    | {"parler", "discuter", "joindre", "appeler", "contacter"}
    | {"nhder", "nahder", "nehder", "hder", "ntkellem", "dewzni"}
)
WANTING_WORDS = frozenset({"want", "need", "voudrais", "veux", "bghit"})
PERSON_WORDS = frozenset(
    {"human", "person", "somebody", "someone", "agent", "operator", "representative", "advisor"}
    | {"humain", "humaine", "quelqu'un", "personne", "conseiller", "conseillere"}
    | {"bnadem", "insan", "mas2oul"}
)
SOMEBODY_WORDS = frozenset({"wahed"})
"""Somebody to speak to, but only a number in a wish: "bghit wahed sebbat" wants one pair of shoes."""

SEARCH_OPENINGS = (
    *("i am looking for", "i'm looking for", "im looking for", "looking for", "i would like", "i'd like"),
    *("i want to buy", "i want", "i need", "do you have", "do you sell", "have you got", "show me"),
    *("search for", "search", "find me", "find"),
    *("je cherche", "je recherche", "je veux", "je voudrais", "j'aimerais", "avez-vous", "avez vous"),
    *("montrez-moi", "montrez moi", "montre-moi", "montre moi", "vous avez"),
    *("kan9elleb 3la", "kan9lleb 3la", "kan9leb 3la", "bghit nchri", "bghit", "wach 3endkom", "wach kayn"),
    *("3endkom", "werrini", "werini"),
)
SELECT_OPENINGS = (
    *("i take", "i'll take", "i will take", "i choose", "choose", "select", "pick"),
    *("je prends", "je choisis", "ghadi nakhod", "nakhod", "khtarit"),
)

STOP_WORDS = frozenset(
    {"a", "an", "the", "some", "any", "for", "of", "to", "me", "my", "i", "it", "is", "are", "you", "please"}
    | {"and", "or", "in", "on", "with", "this", "that", "these", "those", "one", "ones", "can", "could", "do"}
    | {"un", "une", "des", "du", "de", "le", "les", "l", "d", "et", "ou", "svp", "je", "tu", "vous", "est"}
    | {"chi", "wahd", "3afak", "dyal", "3la", "f", "w", "wla", "ana", "had"}
)
VAGUE_WORDS = frozenset(
    {"something", "anything", "stuff", "thing", "things", "nice", "good", "idk", "maybe", "dunno", "what"}
    | {
        "hm",
        "hmm",
        "hmmm",
        "uh",
        "uhm",
        "um",
        "umm",
        "er",
        "huh",
        "well",
        "so",
        "blah",
        "lol",
        "help",
        "know",
    }
    | {"don't", "not", "sure", "how", "why", "who", "which", "when", "whatever", "else"}
    | {"quelque", "chose", "truc", "euh", "bof", "quoi", "bien", "pas", "sais", "autre"}
    | {"haja", "zwina", "chno", "ma3reftch", "ma3rftch"}
)

"""Every sentence the dialogue can say, by code and language; the machine itself holds none."""

from collections.abc import Mapping
from enum import StrEnum


class Language(StrEnum):
    """The languages of the catalogue; Darija is written in Latin letters."""

    ENGLISH = "en"
    FRENCH = "fr"
    DARIJA = "ary"


ENGLISH: Mapping[str, str] = {
    "greeting": "Hello! What are you looking for?",
    "thanks": "You are welcome!",
    "found": "Here is what I found for “{query}”:",
    "more_found": "Here are more results for “{query}”:",
    "none_found": "I found nothing new for “{query}”. Try other words?",
    "no_more": "That was everything. Would you like to look for something else?",
    "ask_query": "Could you tell me more precisely what you are looking for?",
    "ask_item": "Which item do you mean?",
    "ask_criteria": "I lost track of your search. What are you looking for?",
    "ask_yes_or_no": "Please answer yes or no: shall I go ahead with {target}?",
    "disambiguate": "We are going round in circles. Do you want something else, or a person to help?",
    "ask_confirmation": "You chose {target}. Shall I go ahead?",
    "confirmed": "Done: {target}.",
    "cancelled": "All right, cancelled.",
    "nothing_to_confirm": "There is nothing waiting for an answer. What are you looking for?",
    "confirmation_expired": "That question has expired. Please choose again if you still want it.",
    "fallback": "Let us start afresh. What are you looking for?",
    "error": "Something went wrong on our side. Please try again.",
    "handoff": "I am passing you on to a person.",
    "waiting": "A person will be with you soon.",
    "position": "You are number {position} in the queue.",
    "button_confirm": "Yes",
    "button_cancel": "No",
    "button_show_more": "Show more",
    "button_human": "Talk to a person",
}

FRENCH: Mapping[str, str] = {
    "greeting": "Bonjour ! Que cherchez-vous ?",
    "thanks": "Avec plaisir !",
    "found": "Voici ce que j’ai trouvé pour « {query} » :",
    "more_found": "Voici d’autres résultats pour « {query} » :",
    "none_found": "Je n’ai rien trouvé de nouveau pour « {query} ». Essayez d’autres mots ?",
    "no_more": "C’était tout. Voulez-vous chercher autre chose ?",
    "ask_query": "Pouvez-vous préciser ce que vous cherchez ?",
    "ask_item": "De quel article parlez-vous ?",
    "ask_criteria": "J’ai perdu le fil de votre recherche. Que cherchez-vous ?",
    "ask_yes_or_no": "Répondez par oui ou non avec les boutons : je continue avec {target} ?",
    "disambiguate": "Nous tournons en rond. Cherchez-vous autre chose, ou voulez-vous parler à quelqu’un ?",
    "ask_confirmation": "Vous avez choisi {target}. Je continue ?",
    "confirmed": "C’est fait : {target}.",
    "cancelled": "Très bien, c’est annulé.",
    "nothing_to_confirm": "Aucune question n’attend de réponse. Que cherchez-vous ?",
    "confirmation_expired": "Cette question a expiré. Choisissez à nouveau si vous le souhaitez.",
    "fallback": "Reprenons du début. Que cherchez-vous ?",
    "error": "Un problème est survenu de notre côté. Veuillez réessayer.",
    "handoff": "Je vous passe une personne.",
    "waiting": "Une personne va bientôt vous répondre.",
    "position": "Vous êtes numéro {position} dans la file.",
    "button_confirm": "Oui",
    "button_cancel": "Non",
    "button_show_more": "Voir plus",
    "button_human": "Parler à une personne",
}

DARIJA: Mapping[str, str] = {
    "greeting": "Salam! Chno kat9elleb 3lih?",
    "thanks": "La chokran 3la wajib!",
    "found": "Hahowa chno l9it 3la “{query}”:",
    "more_found": "Hahoma 7ajat khrin 3la “{query}”:",
    "none_found": "Ma l9it walo jdid 3la “{query}”. Jerreb kelma khra?",
    "no_more": "Hadchi kolo li kayn. Bghiti t9elleb 3la chi haja khra?",
    "ask_query": "3afak goul liya b tafsil chno kat9elleb 3lih?",
    "ask_item": "Chmen wahda bghiti?",
    "ask_criteria": "Tlef liya chno kenti kat9elleb. Chno bghiti?",
    "ask_yes_or_no": "Jaweb ghir b ah wla la: nkemmel m3a {target}?",
    "disambiguate": "Ra7na kandoro f nefs lblasa. Bghiti chi haja khra, wla tehder m3a chi wahed?",
    "ask_confirmation": "Khtariti {target}. Nkemmel?",
    "confirmed": "Safi: {target}.",
    "cancelled": "Wakha, safi t’annula.",
    "nothing_to_confirm": "Ma kayn hta so2al kaytsenna jawab. Chno kat9elleb 3lih?",
    "confirmation_expired": "Dak so2al fat lwe9t dyalo. Khtar mera khra ila ba9i bghiti.",
    "fallback": "Nbdaw mn lewwel. Chno kat9elleb 3lih?",
    "error": "W9e3 mouchkil 3endna. 3awed jerreb 3afak.",
    "handoff": "Ghadi ndewzek l chi wahed.",
    "waiting": "Daba chi wahed ghadi yjawbek.",
    "position": "Nta nemra {position} f saff.",
    "button_confirm": "Ah",
    "button_cancel": "La",
    "button_show_more": "Zid werrini",
    "button_human": "Hder m3a chi wahed",
}

CATALOGUE: Mapping[Language, Mapping[str, str]] = {
    Language.ENGLISH: ENGLISH,
    Language.FRENCH: FRENCH,
    Language.DARIJA: DARIJA,
}


def text(language: Language, code: str, **figures: str) -> str:
    """The sentence behind a code, with its blanks filled in."""
    return CATALOGUE[language][code].format(**figures)

"""The demo's people and things: a login, flows, a shop, and the key the visitors speak with."""

from decimal import Decimal
from pathlib import Path

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group

from conversations.access import ConsoleRole
from conversations.models import ApiKey, CannedReply, Persona
from conversations.services.api_keys import create_api_key
from conversations.services.canned_replies import save_canned_reply
from conversations.services.catalog import ProductData, upsert_products
from conversations.services.personas import create_persona
from flows.services.examples import load_examples

USERNAME = PASSWORD = "demo"  # noqa: S105 printed on the terminal: the demo's door is open on purpose
COLLEAGUE = "anna"
KEY_NAME = "demo visitors"
COLOURS = ("Red", "Blue", "Green", "Black", "White")
PERSONAS = {"sam": "Good point. What did you notice first?", "robin": "Same here; I wrote it down for the notes."}
CANNED = {
    "hello": "Good day, you are talking to a person now. How can I help?",
    "moment": "One moment please, I am looking it up.",
    "goodbye": "Glad I could help. Have a good day!",
}
THINGS = (("dress", "79.95"), ("sneakers", "99.00"), ("backpack", "59.50"), ("raincoat", "119.00"))


def set_up() -> ApiKey:
    """Everything the demo stands on; run again, it changes nothing."""
    make_login()
    load_examples(author=USERNAME)
    upsert_products(products())
    make_personas()
    make_canned_replies()
    return visitors_key()


def make_login() -> None:
    """`demo` with every role, and a colleague to hand conversations to."""
    users = get_user_model().objects
    for name in ConsoleRole:
        Group.objects.get_or_create(name=name)
    if not users.filter(username=USERNAME).exists():
        users.create_superuser(USERNAME, password=PASSWORD)
    colleague, made = users.get_or_create(username=COLLEAGUE, defaults={"is_staff": True, "first_name": "Anna"})
    if made:
        colleague.set_password(PASSWORD)
        colleague.save(update_fields=["password"])
        colleague.groups.add(Group.objects.get(name=ConsoleRole.OPERATOR))


def products() -> list[ProductData]:
    return [
        ProductData(
            id=f"{thing}-{colour.lower()}",
            name=f"{colour} {thing}",
            description=f"A {colour.lower()} {thing} for every day.",
            price=Decimal(price),
            currency="EUR",
            tags=(thing, colour.lower()),
        )
        for thing, price in THINGS
        for colour in COLOURS
    ]


def make_personas() -> None:
    """Two who answer in threads, from a template: no model is needed."""
    known = set(Persona.objects.values_list("handle", flat=True))
    for handle, words in PERSONAS.items():
        if handle not in known:
            create_persona(handle=handle, name=handle.title(), responder={"kind": "template", "text": words})


def make_canned_replies() -> None:
    known = set(CannedReply.objects.values_list("shortcut", flat=True))
    for shortcut, words in CANNED.items():
        if shortcut not in known:
            save_canned_reply(shortcut=shortcut, text=words)


def visitors_key() -> ApiKey:
    """The router key of the simulated visitors; its text stays in the data folder."""
    file = key_file()
    known = ApiKey.objects.filter(name=KEY_NAME, revoked_at=None).first()
    if known is not None and file.exists():
        return known
    record, key = create_api_key(name=KEY_NAME, role="router")
    file.touch(mode=0o600)
    file.write_text(key, encoding="ascii")
    return record


def key_file() -> Path:
    return Path(settings.LASTWORD_DATA) / "demo_key"

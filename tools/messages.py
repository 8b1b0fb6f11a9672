"""`make messages`: every translatable text of ours into the Dutch catalogues, and those into what Django loads.

Babel does it, because a fresh machine has no gettext programs. Texts that are gone leave the catalogue, new ones come
in untranslated, which `tests/translations` refuses.
"""

import io
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from tools.template_texts import Found, texts_of

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "locale" / "nl" / "LC_MESSAGES"
APPS = ("config", "audit", "conversations", "flows", "guards")
# Django's: one catalogue for what the server renders, one for what scripts say.
DOMAINS = ("django", "djangojs")
HEADER = "# The console in Dutch. `make messages` keeps the texts; the words are written by hand."
KEYWORDS = {
    **dict.fromkeys(("_", "gettext", "gettext_lazy", "gettext_noop", "sentence"), None),
    **dict.fromkeys(("ngettext", "ngettext_lazy"), (1, 2)),
    **dict.fromkeys(("pgettext", "pgettext_lazy"), ((1, "c"), 2)),
}
# As Babel has them: a text, or one for one and one for many.
Forms = str | tuple[str, ...] | list[str]
Reader = Callable[[Path], Iterator[Found]]


def extracted(domain: str) -> Catalog:
    """The texts of one domain as they stand in the tree."""
    catalog = Catalog(project="Lastword", charset="utf-8")
    for file, read in files(domain):
        for text, context in read(file):
            catalog.add(text, context=context, locations=[(str(file.relative_to(ROOT)), 0)])
    return catalog


def files(domain: str) -> Iterator[tuple[Path, Reader]]:
    if domain == "djangojs":
        yield from ((file, script_texts) for file in sorted((ROOT / "static").rglob("*.js")))
        return
    for app in APPS:
        yield from ((file, python_texts) for file in sorted((ROOT / app).rglob("*.py")))
    for file in sorted((ROOT / "templates").rglob("*.html")):
        yield file, texts_of


def python_texts(file: Path) -> Iterator[Found]:
    return marked("python", file)


def script_texts(file: Path) -> Iterator[Found]:
    return marked("javascript", file)


def marked(method: str, file: Path) -> Iterator[Found]:
    with file.open("rb") as source:
        for _line, text, _comments, context in extract(method, source, keywords=KEYWORDS):
            if text:
                yield text, context


def catalogue(domain: str) -> Catalog:
    """The Dutch catalogue as it is kept."""
    file = FOLDER / f"{domain}.po"
    if not file.exists():
        return Catalog(locale="nl", charset="utf-8", fuzzy=False)
    with file.open("rb") as kept:
        return read_po(kept, locale="nl")


def compiled(catalog: Catalog) -> bytes:
    """What Django loads, byte for byte the same for the same catalogue."""
    written = io.BytesIO()
    write_mo(written, catalog)
    return written.getvalue()


def untranslated(catalog: Catalog) -> list[str]:
    """The texts without Dutch words, or with words that lost a placeholder."""
    return [str(message.id) for message in catalog if message.id and not is_translated(message.id, message.string)]


def is_translated(text: Forms, words: Forms | None) -> bool:
    meant, said = forms_of(text), forms_of(words or "")
    return len(meant) == len(said) and all(
        told and placeholders(told) == placeholders(original) for original, told in zip(meant, said, strict=True)
    )


def forms_of(text: Forms) -> list[str]:
    """One text, or its singular and its plural."""
    return [text] if isinstance(text, str) else list(text)


def placeholders(text: str) -> set[str]:
    return set(re.findall(r"%\(\w+\)[sd]|%[sd]", text))


def refresh(domain: str) -> Catalog:
    kept, found = catalogue(domain), extracted(domain)
    kept.update(found, no_fuzzy_matching=True, update_creation_date=False)
    kept.obsolete.clear()
    kept.header_comment, kept.fuzzy = HEADER, False
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / f"{domain}.po").open("wb") as file:
        write_po(file, kept, width=120, sort_output=True, include_lineno=False, ignore_obsolete=True)
    (FOLDER / f"{domain}.mo").write_bytes(compiled(kept))
    return kept


def main() -> int:
    missing = [text for domain in DOMAINS for text in untranslated(refresh(domain))]
    for text in missing:
        print(f"  no Dutch yet: {text}")
    print(f"{len(missing)} texts wait for Dutch words." if missing else "Every text has Dutch words.")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())

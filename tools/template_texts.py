"""The translatable texts of a Django template, read with Django's own lexer: Babel knows no templates."""

from collections.abc import Iterator
from pathlib import Path

from django.template.base import Lexer, Token, TokenType
from django.utils.translation import trim_whitespace
from django.utils.translation.template import (
    block_re,
    constant_re,
    context_re,
    endblock_re,
    inline_re,
    plural_re,
)

Found = tuple[str | tuple[str, ...], str | None]


def texts_of(file: Path) -> Iterator[Found]:
    """Every `translate`, `blocktranslate` and `_("…")` of one template."""
    tokens = iter(Lexer(file.read_text(encoding="utf-8")).tokenize())
    for token in tokens:
        if token.token_type == TokenType.BLOCK:
            if block := block_re.match(token.contents):
                yield blocked(tokens, token), context_in(block[1])
            elif inline := inline_re.match(token.contents):
                yield unquoted(inline[1]), context_in(inline[2])
            else:
                yield from constants(token)
        elif token.token_type == TokenType.VAR:
            yield from constants(token)


def constants(token: Token) -> Iterator[Found]:
    for constant in constant_re.findall(token.contents):
        yield unquoted(constant), None


def blocked(tokens: Iterator[Token], opening: Token) -> str | tuple[str, ...]:
    """The text up to the end of the block, its variables as Django's own placeholders; both numbers where it counts."""
    forms: list[list[str]] = [[]]
    for token in tokens:
        if token.token_type == TokenType.BLOCK and endblock_re.match(token.contents):
            break
        if token.token_type == TokenType.BLOCK and plural_re.match(token.contents):
            forms.append([])
        elif token.token_type == TokenType.VAR:
            forms[-1].append(f"%({token.contents})s")
        elif token.token_type == TokenType.TEXT:
            forms[-1].append(token.contents.replace("%", "%%"))
    texts = ["".join(form) for form in forms]
    if " trimmed" in opening.contents:
        texts = [trim_whitespace(text) for text in texts]
    return texts[0] if len(texts) == 1 else (texts[0], texts[1])


def unquoted(text: str) -> str:
    return text.strip("\"'").replace("%", "%%") if "%" in text else text.strip("\"'")


def context_in(rest: str | None) -> str | None:
    """The context a tag names, in what Django's patterns find of it after the text."""
    found = context_re.match(rest or "")
    return unquoted(found[1]) if found else None

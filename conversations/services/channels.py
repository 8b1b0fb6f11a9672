"""Setting up channels, and asking the other side whether it lets us in."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.conf import settings

from conversations.domain.errors import InvalidTermsError
from conversations.domain.relationship import Driver
from conversations.models import Channel
from conversations.outgoing.url_safety import UnsafeUrl, check_url
from conversations.selectors.channels import channel_by
from conversations.services.sealing import sealed
from flows.errors import FlowError
from flows.selectors.flows import newest_version

TURN_DRIVERS = (Driver.FLOW, Driver.ASSISTANT)


@dataclass(frozen=True, slots=True)
class ChannelTerms:
    """What is needed to hear and speak somewhere."""

    kind: str
    name: str
    secret: str
    base_url: str = ""
    account_id: int | None = None
    token: str = ""
    driver: Driver | None = None
    flow: str | None = None
    personas: Sequence[str] = ()


def create_channel(*, terms: ChannelTerms) -> Channel:
    """A new channel; its token and secret are stored sealed."""
    return Channel.objects.create(
        kind=terms.kind, token_sealed=sealed(terms.token), secret_sealed=sealed(terms.secret), **open_terms(terms)
    )


def change_channel(*, channel_id: UUID, terms: ChannelTerms) -> Channel:
    """Other terms for a channel that exists; its kind stays, and an empty token or secret leaves the stored one."""
    channel = channel_by(channel_id)
    told = open_terms(replace(terms, kind=channel.kind))
    told |= {"token_sealed": sealed(terms.token)} if terms.token else {}
    told |= {"secret_sealed": sealed(terms.secret)} if terms.secret else {}
    for name, value in told.items():
        setattr(channel, name, value)
    channel.save(update_fields=list(told))
    return channel


def open_terms(terms: ChannelTerms) -> dict[str, Any]:
    """What is stored as it was said, checked; secrets are not among it."""
    check_address("base_url", terms.base_url, required=terms.kind == Channel.Kind.CHATWOOT)
    if terms.kind == Channel.Kind.CHATWOOT and terms.account_id is None:
        raise InvalidTermsError(field="account_id", code="required", message="Name the Chatwoot account.")
    return {
        "name": terms.name,
        "base_url": terms.base_url,
        "account_id": terms.account_id,
        "driver": driver_of(terms),
        "flow": terms.flow,
        "personas": list(terms.personas),
    }


def driver_of(terms: ChannelTerms) -> Driver:
    """Who answers: the named driver, else the flow's where there is one."""
    driver = terms.driver or (Driver.FLOW if terms.flow else Driver.ASSISTANT)
    if terms.kind == Channel.Kind.CHATWOOT and driver not in TURN_DRIVERS:
        raise InvalidTermsError(field="driver", code="unknown_value", message="A flow or the assistant answers here.")
    if (driver == Driver.FLOW) != (terms.flow is not None):
        raise InvalidTermsError(field="flow", code="required", message="The flow driver, and only it, needs a flow.")
    if terms.flow is not None:
        check_published(terms.flow)
    return driver


def check_published(flow: str) -> None:
    """A visitor's first word would otherwise be the first to find out."""
    try:
        newest_version(flow)
    except FlowError as problem:
        raise InvalidTermsError(field="flow", code="unknown_value", message=problem.detail) from problem


def check_address(field: str, url: str, *, required: bool = True) -> None:
    """Refuses an address that requests are not sent to, in the form where it is typed."""
    if not url:
        if required:
            raise InvalidTermsError(field=field, code="required", message="Name the address.")
        return
    try:
        check_url(url, allow_private=settings.LASTWORD_ALLOW_PRIVATE_URLS)
    except UnsafeUrl as problem:
        raise InvalidTermsError(field=field, code=problem.code, message=problem.message) from problem


def set_enabled(*, channel_id: UUID, enabled: bool) -> Channel:
    """Switches a channel on or off; off, its webhooks are unknown and nothing is said there."""
    channel = channel_by(channel_id)
    channel.enabled = enabled
    channel.save(update_fields=["enabled"])
    return channel

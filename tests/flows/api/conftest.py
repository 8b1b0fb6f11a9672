"""A visitor in a conversation that follows the contact flow."""

import pytest

from tests.cast import Actor, Opens
from tests.flows.api.support import SLUG, Visitor, published


@pytest.fixture
def visitor(editor: Actor, router: Actor, opened: Opens) -> Visitor:
    published(editor)
    return Visitor(router, opened(driver="flow", flow=SLUG))

"""Published flows, ready to decide. A version never changes, so one compilation serves the whole process."""

from functools import lru_cache

from flows.engine.compiled import CompiledFlow, load
from flows.engine.diff import content_hash
from flows.errors import FlowChangedError
from flows.selectors.flows import version_by


@lru_cache(maxsize=256)
def compiled_version(slug: str, version: int, pinned_hash: str) -> CompiledFlow:
    """The compiled flow a conversation is pinned to; what is stored must still be what was published."""
    found = version_by(slug, version)
    if content_hash(found.definition) != pinned_hash:
        raise FlowChangedError(f"Version {version} of {slug!r} is not what was published.", slug=slug, version=version)
    return load(found.definition)

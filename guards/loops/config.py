"""The `workflow` part of the guard policy, as the loop services read it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from guards.policy_document import WorkflowPolicy as WorkflowConfig
from guards.policy_document import from_json

__all__ = ["DEFAULT_CONFIG", "WorkflowConfig", "config_from"]

DEFAULT_CONFIG = WorkflowConfig()


def config_from(part: Mapping[str, Any] | None) -> WorkflowConfig:
    """The seed's defaults with the given settings laid over them; ValueError where the policy refuses one."""
    return from_json({"workflow": part or {}}).workflow

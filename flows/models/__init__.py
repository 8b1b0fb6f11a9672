from flows.models.exploration import Exploration
from flows.models.flow import Flow, FlowVersion
from flows.models.script import FlowScript

__all__ = ["Exploration", "Flow", "FlowScript", "FlowVersion"]

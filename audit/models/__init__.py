from audit.models.checkpoint import Checkpoint
from audit.models.event_entry import EventEntry
from audit.models.label import ImportedTrace, LabelFrame, LabelSample, LoopLabel
from audit.models.leaf import Leaf
from audit.models.loop_case import LoopCase
from audit.models.merkle_node import MerkleNode
from audit.models.retention import RetentionPolicy, RetentionRun
from audit.models.rollup import Contribution, DayFigure, RollupCursor
from audit.models.signing_key import SigningKey
from audit.models.verification_run import VerificationRun

__all__ = [
    "Checkpoint",
    "Contribution",
    "DayFigure",
    "EventEntry",
    "ImportedTrace",
    "LabelFrame",
    "LabelSample",
    "Leaf",
    "LoopCase",
    "LoopLabel",
    "MerkleNode",
    "RetentionPolicy",
    "RetentionRun",
    "RollupCursor",
    "SigningKey",
    "VerificationRun",
]

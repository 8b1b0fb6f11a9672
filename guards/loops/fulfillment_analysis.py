"""FulfillmentAnalysisService: how far an answer does what the request asked. The last resort of a decision (L1)."""

from __future__ import annotations

import re
from dataclasses import dataclass

from guards.loops.config import DEFAULT_CONFIG, WorkflowConfig
from guards.loops.content import as_text
from guards.loops.request import READ, RequestElements, elements_of, stems
from guards.loops.response_processing import AgentResponse, detect_truncation

_WEIGHTS = (0.5, 0.25, 0.25)  # completeness, accuracy, relevance
_REFUSAL = re.compile(
    r"\b(?:i(?:'m| am)? (?:sorry|unable|not able|afraid)|i (?:can't|cannot|couldn't|could not)|unfortunately)\b",
    re.IGNORECASE,
)
_HEDGE = re.compile(r"\b(?:might|maybe|perhaps|possibly|i think|not sure|unclear|probably)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"[^.!?\n]+")
_NUMBER = re.compile(r"\d+(?:[.,:/-]\d+)*")


@dataclass(frozen=True, slots=True)
class MissingElement:
    """Something the request names and the answer does not deal with."""

    element: str
    importance: float


@dataclass(frozen=True, slots=True)
class QualityIssue:
    """Something wrong with the answer itself."""

    kind: str
    severity: float
    detail: str


@dataclass(frozen=True, slots=True)
class ImprovementSuggestion:
    """What would raise the score, and by how much."""

    action: str
    reason: str
    expected_gain: float


@dataclass(frozen=True, slots=True)
class FulfillmentAnalysis:
    """The verdict on one answer."""

    score: float
    is_fulfilled: bool
    completeness: float
    accuracy: float
    relevance: float
    missing_elements: tuple[MissingElement, ...]
    quality_issues: tuple[QualityIssue, ...]


@dataclass(frozen=True, slots=True)
class FulfillmentScore:
    """The figures of the verdict, with how much they can be trusted."""

    overall: float
    completeness: float
    accuracy: float
    relevance: float
    user_satisfaction: float
    confidence: float


def analyze_fulfillment(
    request: str,
    response: AgentResponse,
    config: WorkflowConfig = DEFAULT_CONFIG,
    covered_before: frozenset[str] = frozenset(),
) -> FulfillmentAnalysis:
    """Judge an answer against its request; `covered_before` are elements earlier answers have dealt with."""
    text = as_text(response.content)[:READ]
    elements = elements_of(request)
    covered = elements.covered_by(text) | covered_before
    issues = _quality_issues(text, response, config)
    completeness = _share(len(covered & set(elements.all)), len(elements.all), bool(text.strip()))
    accuracy = _accuracy(request, text, issues)
    relevance = _relevance(elements, text)
    parts = (completeness, accuracy, relevance)
    score = round(sum(weight * part for weight, part in zip(_WEIGHTS, parts, strict=True)), 2)
    blocked = any(issue.severity >= 1.0 for issue in issues)
    return FulfillmentAnalysis(
        score=score,
        is_fulfilled=bool(elements.all) and not blocked and score >= config.completion_threshold,
        completeness=completeness,
        accuracy=accuracy,
        relevance=relevance,
        missing_elements=_missing(elements, covered),
        quality_issues=issues,
    )


def calculate_fulfillment_score(
    request: str, response: AgentResponse, config: WorkflowConfig = DEFAULT_CONFIG
) -> FulfillmentScore:
    """The figures of one answer alone."""
    return score_of(analyze_fulfillment(request, response, config), request)


def score_of(analysis: FulfillmentAnalysis, request: str) -> FulfillmentScore:
    """The figures of an analysis; confidence grows with the number of elements there were to find."""
    burden = sum(issue.severity for issue in analysis.quality_issues)
    elements = len(elements_of(request).all)
    return FulfillmentScore(
        overall=analysis.score,
        completeness=analysis.completeness,
        accuracy=analysis.accuracy,
        relevance=analysis.relevance,
        user_satisfaction=satisfaction(analysis.score, burden),
        confidence=round(elements / (elements + 3), 2),
    )


def identify_missing_elements(request: str, response: AgentResponse) -> tuple[MissingElement, ...]:
    """What the answer leaves open, the most important first."""
    elements = elements_of(request)
    return _missing(elements, elements.covered_by(as_text(response.content)))


def suggest_improvements(analysis: FulfillmentAnalysis) -> tuple[ImprovementSuggestion, ...]:
    """One suggestion per gap, the most rewarding first."""
    weight = _WEIGHTS[0] / max(1, len(analysis.missing_elements))
    gap = 1.0 - analysis.completeness
    suggestions = [
        ImprovementSuggestion(f"answer “{missing.element}”", "the request names it", round(weight * gap, 2))
        for missing in analysis.missing_elements
    ]
    suggestions += [
        ImprovementSuggestion(f"mend: {issue.kind}", issue.detail, round(_WEIGHTS[1] * issue.severity, 2))
        for issue in analysis.quality_issues
    ]
    return tuple(sorted(suggestions, key=lambda s: -s.expected_gain))


def satisfaction(score: float, burden: float) -> float:
    """What a user would make of it: the score, soured by each defect."""
    return round(score / (1.0 + burden), 2)


def _missing(elements: RequestElements, covered: frozenset[str]) -> tuple[MissingElement, ...]:
    questions = [MissingElement(question, 1.0) for question in elements.questions if question not in covered]
    total = len(elements.subjects)
    subjects = [
        MissingElement(subject, round(0.9 - 0.5 * place / total, 2))  # what is named first matters most
        for place, subject in enumerate(elements.subjects)
        if subject not in covered
    ]
    return (*questions, *subjects)


def _quality_issues(text: str, response: AgentResponse, config: WorkflowConfig) -> tuple[QualityIssue, ...]:
    issues = []
    if response.error:
        issues.append(QualityIssue("error", 1.0, f"the step failed: {response.error[:120]}"))
    if not text.strip():
        return (*issues, QualityIssue("empty", 1.0, "there is no answer"))
    if detect_truncation(text, response.finish_reason, config).is_truncated:
        issues.append(QualityIssue("truncated", 0.5, "the answer breaks off"))
    if refusal := _REFUSAL.search(text):
        issues.append(QualityIssue("refusal", 0.8, f"the answer declines: “{refusal.group()}”"))
    if hedges := len(_HEDGE.findall(text)):
        issues.append(QualityIssue("hedging", min(0.6, 0.2 * hedges), f"{hedges} uncertain statements"))
    if len(text) > config.max_response_length:
        over = len(text) / config.max_response_length
        issues.append(QualityIssue("too_long", min(0.5, 0.1 * over), f"{over:.1f} times the length shown"))
    return tuple(issues)


def _accuracy(request: str, text: str, issues: tuple[QualityIssue, ...]) -> float:
    """Without the truth at hand: figures of the request that reappear, less what the answer itself disowns."""
    if not text.strip():
        return 0.0
    asked = set(_NUMBER.findall(request[:READ]))
    kept = _share(len(asked & set(_NUMBER.findall(text))), len(asked), True)
    disowned = sum(i.severity for i in issues if i.kind in {"error", "refusal", "hedging", "truncated"})
    return round(max(0.0, (0.5 + 0.5 * kept) * (1.0 - min(1.0, disowned))), 2)


def _relevance(elements: RequestElements, text: str) -> float:
    """The best of: sentences that touch the request, and the share of its subjects they touch."""
    sentences = [s for s in _SENTENCE.findall(text) if s.strip()]
    if not sentences:
        return 0.0
    if not elements.subjects:
        return 1.0
    wanted = set(elements.subjects)
    touching = sum(not wanted.isdisjoint(stems(sentence)) for sentence in sentences[:100])
    subjects = len(wanted & stems(text)) / len(wanted)
    return round(max(touching / min(100, len(sentences)), subjects), 2)


def _share(part: int, whole: int, if_none: bool) -> float:
    return round(part / whole, 2) if whole else float(if_none)

"""Response times, by who answered."""

from django.utils.translation import gettext as _

from audit.metrics.keys import REPLIES, Measure
from audit.views.reports.question import Answers
from audit.views.reports.spans import overall, spread
from audit.views.reports.table import Table


def tables(answers: Answers) -> list[Table]:
    both = answers.both("subject", REPLIES)
    who = {
        Measure.REPLY_RESPONDER: _("the responder, to an intent"),
        Measure.REPLY_OPERATOR: _("an operator, once asked for"),
        Measure.REPLY_PERSONA: _("a persona, in a thread"),
        Measure.REPLY_AGENT: _("an agent, from step to step"),
    }
    title = _("Response times")
    return [
        overall(answers, both, measures=who, key="replies", title=title, first=_("who answered")),
        *(
            spread(answers, both, measure=measure, title=label)
            for measure, label in who.items()
            if any(each[measure] for each in both)
        ),
    ]

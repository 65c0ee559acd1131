"""What a case looks like without what it says: for logs and bug reports about data that may not be shown.

Kinds, fields, ids' lengths and the shape of words stay; letters become x and digits 9. Fixed words of the schema are
kept, for they come from no patient.
"""

import re
from collections.abc import Iterator

from bedside.cases.case import Case

__all__ = ["redacted_preview"]

_SCHEMA = frozenset({"kind", "change", "urgency", "area", "aspect", "source", "licence", "chapter", "topic", "writer"})
_LONGEST = 60


def redacted_preview(case: Case) -> Iterator[str]:
    """Yield one line a fact and question, in which no word of the source can be read."""
    yield f"{_masked(case.id)}: {case.source}, {case.licence}, chapter {case.chapter or '-'}"
    yield f"  note of {len(case.note)} characters, complaint {_masked(case.chief_complaint)}"
    for name, facts in (("record", case.record), ("plan", case.plan), ("question", case.questions)):
        for fact in facts:
            row = fact.model_dump(mode="json", exclude_none=True, exclude_defaults=False)
            shown = (f"{key}={value if key in _SCHEMA else _masked(value)}" for key, value in row.items() if value)
            yield f"  {name} {' '.join(shown)}"


def _masked(value: object) -> str:
    text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
    shape = re.sub(r"\d", "9", re.sub(r"[^\W\d_]", "x", text))
    return shape if len(shape) <= _LONGEST else f"{shape[:_LONGEST]}… ({len(shape)})"

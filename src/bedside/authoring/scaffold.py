"""A case to fill in: one fact of every kind, each field saying what belongs there."""

from typing import Any

__all__ = ["BLANK", "scaffold"]

BLANK = "FILL IN"
"""Marks what is still to be written; the checks find it."""


def scaffold(case_id: str) -> dict[str, Any]:
    """Return a case that can be read, and that the checks refuse until every blank is filled.

    Args:
        case_id: Its id; shown to policies, so it must not tell the diagnosis.
    """
    return {
        "id": case_id,
        "source": f"{BLANK}: who wrote it",
        "licence": f"{BLANK}: CC-BY-4.0, for instance",
        "credentialed": False,
        "chapter": "CIR",
        "demographics": {"age": 58, "sex": "male", "race": f"{BLANK} or null", "occupation": f"{BLANK}: bus driver"},
        "chief_complaint": f"{BLANK}: in the patient's own words, without the diagnosis",
        "record": _record(),
        "plan": _plan(),
        "diagnosis": {
            "text": f"{BLANK}: clinical name",
            "icd10": "I21.4",
            "synonyms": [f"{BLANK}: another clinical name", f"{BLANK}: a lay name"],
        },
        "questions": [_question()],
        "note": f"{BLANK}: the discharge note; it states every fact of the plan",
    }


def _record() -> list[dict[str, Any]]:
    return [
        {
            "kind": "symptom",
            "id": "sx-1",
            "text": f"{BLANK}: substernal chest pressure",
            "lay": [f"{BLANK}: fits after I have had"],
            "site": None,
            "onset": f"{BLANK}: 3 days ago",
            "duration": None,
            "character": None,
            "severity": 5,
            "radiation": None,
            "aggravating": [],
            "relieving": [],
            "timing": None,
            "setting": None,
        },
        {"kind": "condition", "id": "pmh-1", "text": f"{BLANK}: hypertension", "lay": [], "since": None},
        {"kind": "medication", "id": "home-1", "text": f"{BLANK}: lisinopril", **_regimen()},
        {"kind": "procedure", "id": "psh-1", "text": f"{BLANK}: appendectomy", "when": None},
        {"kind": "allergy", "id": "alg-1", "text": f"{BLANK}: penicillin", "reaction": f"{BLANK}: rash"},
        {"kind": "family", "id": "fam-1", "text": f"{BLANK}: heart attack at 54", "relative": "father"},
        *(
            {"kind": "social", "id": f"social-{aspect}", "text": f"{BLANK}: {example}", "aspect": aspect}
            for aspect, example in (
                ("alcohol", "drinks two beers on weekends"),
                ("tobacco", "has never smoked"),
                ("drugs", "has never used street drugs"),
                ("occupation", "drives a city bus"),
                ("living", "lives with his wife"),
            )
        ),
    ]


def _plan() -> list[dict[str, Any]]:
    return [
        {"kind": "condition", "id": "dx", "text": f"{BLANK}: the diagnosis", "lay": [f"{BLANK}: in lay words"]},
        {"kind": "test", "id": "test-1", "text": f"{BLANK}: troponin", "result": f"{BLANK}: in plain words"},
        {"kind": "procedure", "id": "proc-1", "text": f"{BLANK}: heart stent", "result": None},
        {"kind": "treatment", "id": "tx-1", "text": f"{BLANK}: heparin drip", "purpose": f"{BLANK}: fits after for"},
        {
            "kind": "medication",
            "id": "med-1",
            "text": f"{BLANK}: aspirin",
            "change": "new",
            **_regimen(),
            "precautions": [f"{BLANK}: Can cause bleeding."],
        },
        {
            "kind": "medication",
            "id": "med-2",
            "text": f"{BLANK}: the home drug above",
            "change": "stopped",
            "purpose": f"{BLANK}: fits after because",
        },
        {"kind": "instruction", "id": "in-1", "text": f"{BLANK}: Do not lift over 10 pounds.", "area": "activity"},
        {"kind": "return_sign", "id": "rs-1", "text": f"{BLANK}: fits after if you have", "urgency": "911"},
        {
            "kind": "follow_up",
            "id": "fu-1",
            "text": f"{BLANK}: cardiology clinic",
            "when": f"{BLANK}: in 2 weeks",
            "purpose": f"{BLANK}: a check of the stent",
        },
    ]


def _regimen() -> dict[str, Any]:
    return {
        "dose": f"{BLANK}: 5 mg",
        "route": "by mouth",
        "frequency": "once daily",
        "duration": None,
        "purpose": f"{BLANK}: fits after for",
    }


def _question() -> dict[str, Any]:
    return {
        "id": "q1",
        "topic": "medication",
        "stem": f"{BLANK}: What dose of aspirin should you take?",
        "answer": f"{BLANK}: what the plan says",
        "distractor": f"{BLANK}: of the same kind, plausible and false",
        "irrelevant": f"{BLANK}: off the subject",
        "about": ["med-1.dose"],
    }

"""OSCE case objects: the shape that AgentClinic introduced and DischargeSim took over.

One JSON object a case: ``OSCE_Examination`` with ``Patient_Actor`` (demographics, history, symptoms, past
and social history, review of systems) and ``Correct_Diagnosis``. Models wrote these files, so that keys
vary and values are strings, lists or objects as it came; everything is looked up by what a key means, not
by how it is spelt.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from bedside.cases.case import Demographics, Diagnosis
from bedside.cases.fact import AnyFact
from bedside.cases.freetext import (
    FactList,
    age_in,
    find_time,
    is_absence,
    is_uninformative,
    items,
    lower_first,
    sentences,
    sex_in,
    strings,
)
from bedside.cases.history import (
    add_allergies,
    add_drugs,
    add_family,
    add_past,
    add_review,
    add_social,
    family_in,
)
from bedside.cases.jsonl import CaseError

__all__ = ["actor_of", "demographics_of", "diagnosis_of", "get", "key_of", "read_objects", "record_of"]

_HEADS = re.compile(
    r"(?:fever|cough|coughing|fatigue|malaise|weakness|pain|rash|pruritus|itching|nausea|vomiting|"
    r"headache|dizziness|chills|"
    r"shortness of breath|mentation|gait|confusion|disorientation|lethargy|irritability|restlessness|"
    r"voices|hematuria|"
    r"bruising|sweats|cramping|agitation|appetite|diarrhea|anxiety|dyspnea|palpitations|weight loss|"
    r"rhinorrhea)",
    re.IGNORECASE,
)
_MODIFIER = re.compile(
    r"^(?!no\b)(?:(?:the |his |her )?[\w' -]{0,40}?\b)?(?P<way>worse|worsen(?:s|ed|ing)?|exacerbat\w+|"
    r"aggravated|improv\w+|reliev\w+|relief|better|eased|alleviated)\b"
    r"(?: of symptoms| slightly)? (?:with|by|during|after|on|in|at|to) (?P<what>.+)$",
    re.IGNORECASE,
)
_GENERAL = re.compile(r"symptoms?|pain|wors|exacerb|aggrav|improv|reliev|relief|better|eased|alleviated")
_CIRCUMSTANCE = re.compile(
    r"(sudden|gradual|insidious|abrupt)[- ]onset$|(?:onset of )?(?:pain |symptoms )?(?:started |began "
    r")?(while .+)",
    re.IGNORECASE,
)
_NOT_ONSET = re.compile(
    r"treat|diagnos|medicat|\bborn\b|gestation|surg|underwent|started on|vaccin|deliver|risperidone|smok",
    re.IGNORECASE,
)
_SUDDEN = re.compile(
    r"\b(sudden|abrupt|insidious|gradual|immediate)(?:[- ]onset| onset)|\bonset was (sudden|gradual)",
    re.IGNORECASE,
)
_HISTORY_OF = re.compile(
    r"\b(?:has|had|have|mentions|reports|with|noted)(?: an?| known)?(?: past| medical| long| "
    r"significant| documented)*"
    r" history (?:of|significant (?:only )?for|includes?) (?P<tail>.+)|\bmedical history (?:includes|"
    r"of) (?P<tail2>.+)",
    re.IGNORECASE,
)
_TAKES = re.compile(
    r"\b(?:takes|is taking|has been taking|currently (?:taking|on)|(?:has been|is) on|regimen includes?|"
    r"medications? (?:include|includes|are)|(?:was |recently )started (?:on|taking)|managed with|"
    r"treated with|"
    r"uses(?= an? \w+ inhaler)) (?:an? )?(?:stable regimen of )?(?P<drugs>.+)",
    re.IGNORECASE,
)
_PAST_DRUG = re.compile(
    r"\b(?:initially|previous|prior|tried|denies|no |not |stopped|discontinued|changed to|ago|mother|"
    r"father|NSAIDs have|was managed|minimal)\b",
    re.IGNORECASE,
)
_LIFESTYLE = re.compile(
    r"smok|cigarette|alcohol|\bpacks?\b|sexually active|cocaine|drug use|substance|camping|travel|hiking",
    re.IGNORECASE,
)
_STOP = frozenset(
    {
        "with",
        "from",
        "that",
        "this",
        "have",
        "left",
        "right",
        "both",
        "over",
        "after",
        "during",
        "upper",
        "lower",
    }
    | {"side", "when", "pain"}
)


def key_of(key: str) -> str:
    """Return a key as all spellings of it agree: ``Past_Medical History`` is ``pastmedicalhistory``."""
    return re.sub(r"[^a-z0-9]", "", key.lower())


def get(value: object, *names: str) -> Any:
    """Return the first value of an object under one of these names, as :func:`key_of` writes them."""
    if isinstance(value, Mapping):
        by_key = {key_of(str(key)): inner for key, inner in value.items()}
        for name in names:
            if by_key.get(name) not in (None, "", [], {}):
                return by_key[name]
    return None


def read_objects(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Stream line numbers and the OSCE object of each line.

    Raises:
        CaseError: The file is missing, or a line is not JSON or holds no ``OSCE_Examination`` object.
    """
    try:
        with path.open("rb") as file:
            for number, raw in enumerate(file, 1):
                if raw.strip():
                    yield number, _osce(raw, path, number)
    except OSError as error:
        raise CaseError(error.strerror or str(error), path=path) from error


def _osce(raw: bytes, path: Path, number: int) -> dict[str, Any]:
    try:
        row = orjson.loads(raw)
    except orjson.JSONDecodeError as error:
        raise CaseError(f"not JSON ({error})", path=path, line=number) from error
    found = get(row, "osceexamination")
    if not isinstance(found, dict):
        raise CaseError("no such object; is this an OSCE file?", path=path, line=number, field="OSCE_Examination")
    return found


def actor_of(osce: Mapping[str, Any], path: Path, line: int) -> dict[str, Any]:
    """Return the patient's part of a case."""
    actor = get(osce, "patientactor", "patient")
    if not isinstance(actor, dict):
        raise CaseError("no such object", path=path, line=line, field="Patient_Actor")
    return actor


def demographics_of(osce: Mapping[str, Any], path: Path, line: int, *, hint: str = "") -> Demographics:
    """Read age and sex from the demographics, else from the story; what is told nowhere stays unknown.

    Args:
        osce: The case.
        path: For the error.
        line: For the error.
        hint: More text about the patient, to read after the demographics.

    Raises:
        CaseError: There is no patient.
    """
    actor = actor_of(osce, path, line)
    stated = get(actor, "demographics")
    if isinstance(stated, dict):  # keep the keys: in {"Age": 34, "Gender": "F"} they carry the meaning
        text = ", ".join(f"{key}: {' '.join(strings(value))}" for key, value in stated.items())
    else:
        text = ", ".join(strings(stated))
    story = " ".join(strings(get(actor, "history", "historyofpresentillness", "hpi")))
    goal = " ".join(strings(get(osce, "objectivefordoctor")))
    ages = (age_in(source) for source in (text, story, goal))
    age = next((found for found in ages if found is not None), None)
    sex = sex_in(f"{text} {hint} {goal}", story)
    race = re.search(r"\b(Caucasian|white|African[- ]American|Black|Asian|Hispanic|Latin[oa]|Native American)\b", text)
    work = re.search(
        r"\b[Ww]orks (?:part-time )?as an? ([\w -]+?)(?: (?:at|in|for)\b|[.,;]|$)", " ".join(strings(actor))
    )
    return Demographics.model_validate(
        {"age": age, "sex": sex, "race": race and race[1], "occupation": work and work[1]}
    )


def diagnosis_of(value: object, path: Path, line: int) -> Diagnosis:
    """Turn the answer of a case into a diagnosis; abbreviations in parentheses become synonyms."""
    found = list(strings(value))
    if not found:
        raise CaseError("no diagnosis", path=path, line=line, field="Correct_Diagnosis")
    first, *others = found
    bare = re.sub(r"\s*\([^)]*\)", "", first).strip()
    inside = [text for text in re.findall(r"\(([^)]+)\)", first) if bare]
    names = dict.fromkeys(text for text in (bare, *inside, *others) if text and text != first)
    return Diagnosis(text=first, synonyms=tuple(names))


def record_of(osce: Mapping[str, Any], path: Path, line: int, *, fallback: str = "") -> tuple[str, tuple[AnyFact, ...]]:
    """Return chief complaint and record of the patient's part of a case.

    Args:
        osce: The case.
        path: For the error.
        line: For the error.
        fallback: Chief complaint of a patient without symptoms; if empty, that is an error.
    """
    actor = actor_of(osce, path, line)
    history = get(actor, "history", "historyofpresentillness", "hpi", "presentillness")
    facts = FactList()
    symptoms = get(actor, "symptoms")
    primary = list(
        strings(get(symptoms, "primarysymptom", "primarysymptoms", "primary") or get(actor, "chiefcomplaint"))
    )
    secondary = get(symptoms, "secondarysymptoms", "secondarysymptom", "secondary")
    if isinstance(symptoms, list | str):
        primary, secondary = (primary or list(strings(symptoms))[:1]), list(strings(symptoms))[1:]
    if not primary and not fallback:
        raise CaseError("no symptom", path=path, line=line, field="Patient_Actor.Symptoms")
    _add_symptoms(facts, primary)
    _add_symptoms(facts, strings(secondary))
    _add_sections(facts, actor)
    _add_story(facts, history)
    _time_symptoms(facts, history)
    return lower_first(primary[0].strip(" .")) if primary else fallback, facts.facts()


def _add_sections(facts: FactList, actor: Mapping[str, Any]) -> None:
    for key, value in actor.items():
        name = key_of(key)
        if "family" in name:
            add_family(facts, value)
        elif "allerg" in name:
            add_allergies(facts, value)
        elif name.startswith("past") or name in ("medicalhistory", "pmh", "surgicalhistory"):
            add_past(facts, value)
        elif "social" in name:
            add_social(facts, value)
        elif name in ("reviewofsystems", "ros"):
            add_review(facts, value)
        elif ("medication" in name or "drug" in name) and "discharge" not in name:
            add_drugs(facts, value)


def _add_symptoms(facts: FactList, phrases: Iterator[str] | list[str]) -> None:
    for phrase in phrases:
        text = phrase.strip(" .")
        if (
            is_uninformative(text)
            or is_absence(text)
            or re.match(r"(?:ability|good|positive|recollection of)\b", text, re.I)
        ):
            continue
        text = re.sub(r"^(?:the )?(?:patient (?:shows|reports|exhibits|has) )?(?:the )?", "", text)
        if re.search(r"\bbreastfed\b", text):
            add_social(facts, text)
        elif family := list(family_in(text)):
            for relative, illness in family:
                facts.add("family", illness, relative=relative)
        elif match := re.match(r"(?:history of|previous|prior) (.+)", text, re.IGNORECASE):
            _add_previous(facts, match[1])
        elif facts.rows("symptom") and (circumstance := _CIRCUMSTANCE.match(text)):
            facts.rows("symptom")[0].setdefault(
                *(("onset", circumstance[1].lower()) if circumstance[1] else ("setting", circumstance[2]))
            )
        elif facts.rows("symptom") and (modifier := _MODIFIER.match(text)):
            _modify(facts, text, modifier["way"], modifier["what"])
        else:
            for part in _separate(text):
                facts.add("symptom", lower_first(part))


def _add_previous(facts: FactList, text: str) -> None:
    """Add something past that stands among the symptoms; its commas belong to adjectives, not to a list."""
    if re.search(r"deliver|cesarean|surg|ectomy", text, re.IGNORECASE):
        facts.add("procedure", lower_first(text))
    else:
        facts.add("condition", lower_first(text))


def _separate(text: str) -> list[str]:
    """Take an enumeration of symptoms apart only where every part is a symptom by itself."""
    parts = items(text)
    return parts if all(re.search(rf"{_HEADS.pattern}$", part, re.IGNORECASE) for part in parts) else [text]


def _modify(facts: FactList, text: str, way: str, what: str) -> None:
    """Add what worsens or relieves to the symptom that it speaks of, the first if it names none."""
    rows = facts.rows("symptom")
    subject = text.lower().split()[0]
    row = next((row for row in rows if subject in row["text"].lower().split()), None)
    if row is None and not _GENERAL.match(subject):
        facts.add("symptom", lower_first(text))
        return
    row = row or rows[0]
    name = "aggravating" if re.match(r"wors|exacerb|aggrav", way, re.IGNORECASE) else "relieving"
    row[name] = (*row.get(name, ()), what)


def _add_story(facts: FactList, history: object) -> None:
    """Add what the story tells besides the symptoms: illnesses, drugs, relatives, habits."""
    told = {row["aspect"] for row in facts.rows("social")}
    for sentence in sentences(history):
        text = sentence.rstrip(".")
        for relative, illness in family_in(text):
            facts.add("family", illness, relative=relative)
        if is_absence(text) or re.search(r"\bdenies|\bno history|\b(?:mother|father|uncle)\b", text):
            continue
        if match := _HISTORY_OF.search(text):
            tail = re.split(r",? (?:and|but) (?:has|was|is|had)\b", match["tail"] or match["tail2"])[0]
            if not _LIFESTYLE.search(tail):
                add_past(facts, tail)
        if (match := _TAKES.search(text)) and not _PAST_DRUG.search(text[: match.end("drugs")]):
            add_drugs(facts, match["drugs"])
        if _LIFESTYLE.search(text) and not match:
            habits = FactList()
            add_social(habits, text)
            for row in habits.rows("social"):
                if row["aspect"] not in told | {"other"} and _LIFESTYLE.search(row["text"]):
                    facts.add("social", row["text"], aspect=row["aspect"])


def _words(row: dict[str, Any]) -> set[str]:
    head = re.split(r"\b(?:in|on|of|over|with|after|during|at|to|when|for)\b|,", row["text"].lower())[0]
    words = {word[:5] for word in re.findall(r"[a-z]{4,}", head) if word not in _STOP}
    return words or {word[:5] for word in re.findall(r"[a-z]{4,}", row["text"].lower())}


def _time_symptoms(facts: FactList, history: object) -> None:
    """Give symptoms the onset or duration that the story states in the same breath."""
    for row in facts.rows("symptom"):
        if (time := find_time(row["text"])) and time.name == "duration":
            row["duration"] = time.words
    for sentence in sentences(history):
        time = find_time(sentence)
        if _NOT_ONSET.search(sentence):
            continue
        mentioned = {
            row["id"]: place for row in facts.rows("symptom") if (place := _mention(row, sentence)) is not None
        }
        sudden = _SUDDEN.search(sentence)
        for row in facts.rows("symptom"):
            if row["id"] not in mentioned:
                continue
            if time and _applies(
                time.start, mentioned[row["id"]], mentioned.values(), leading="history of" in sentence
            ):
                row.setdefault(time.name, time.words)
            elif sudden and len(mentioned) == 1 and "onset" not in row:
                row["onset"] = (sudden[1] or sudden[2]).lower()


def _mention(row: dict[str, Any], sentence: str) -> int | None:
    places = [sentence.lower().find(word) for word in _words(row)]
    return min(places) if places and min(places) >= 0 else None


def _applies(time: int, place: int, places: Any, *, leading: bool) -> bool:
    """A time belongs to the last symptom named before it; "a week's history of" to all that follow."""
    before = [other for other in places if other < time]
    return place > time if leading and not before else bool(before) and place == max(before)

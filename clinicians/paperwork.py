"""The discharge checklist as a scripted educator fills it in, from what the briefing says."""

from bedside.cases.fact import AnyFact, Condition, FollowUp, Instruction, Medication, ReturnSign
from bedside.clinicians.plan import Plan
from bedside.envs.checklist import Checklist, MedicineEntry, MedicineTimes, periods_of, section_of

__all__ = ["filled_checklist"]

_ACT = {"911": "call 911", "emergency": "come to the emergency room", "clinic": "call the clinic"}


def filled_checklist(plan: Plan) -> Checklist:
    """Fill in the form.

    Args:
        plan: What the educator knows.
    """
    conditions = plan.of(Condition)
    lists: dict[str, list[str]] = {}
    for fact in plan.of(Instruction):
        lists.setdefault(section_of(fact.text) or "after_discharge", []).append(fact.text)
    return Checklist(
        diagnosis=_named(conditions[0]) if conditions else "",
        treatments=[_done(fact) for fact in plan.facts if fact.kind in ("procedure", "treatment", "test")],
        medicines=_times(plan),
        return_signs=[f"{fact.text}: {_ACT[fact.urgency]}" for fact in plan.facts if isinstance(fact, ReturnSign)],
        follow_up=[_visit(fact) for fact in plan.facts if isinstance(fact, FollowUp)],
        **lists,
    )


def _named(fact: AnyFact) -> str:
    return f"{fact.text} ({fact.lay[0]})" if fact.lay else fact.text


def _done(fact: AnyFact) -> str:
    result = getattr(fact, "result", None)
    return f"{fact.text}: {result}" if result else fact.text


def _visit(fact: FollowUp) -> str:
    purpose = f", for {fact.purpose}" if fact.purpose else ""
    return f"{fact.text}{f' {fact.when}' if fact.when else ''}{purpose}"


def _times(plan: Plan) -> MedicineTimes:
    listed: dict[str, list[MedicineEntry]] = {}
    for drug in plan.medications:
        if drug.change == "stopped":
            continue
        for period in periods_of(drug.frequency or ""):
            listed.setdefault(period, []).append(_entry(drug))
    return MedicineTimes(**listed)


def _entry(drug: Medication) -> MedicineEntry:
    how = [drug.route, drug.frequency, drug.duration]
    return MedicineEntry(
        name=drug.text,
        dose=drug.dose or "",
        reason=drug.purpose or "",
        how_to_take=". ".join(filter(None, [", ".join(filter(None, how)), *(p.rstrip(".") for p in drug.precautions)])),
    )

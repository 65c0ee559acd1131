"""Talks with patients who say the same thing every time."""

from bedside.envs.briefing import discharge_briefing


def observe(case, patient="Hi. So I'm going home today?", request="talk"):
    return {"briefing": discharge_briefing(case), "patient": patient, "request": request}


def monologue(clinician, case, answer="Okay.", seed=1):
    """Return the turns of a talk up to the farewell."""
    clinician.reset(seed)
    turns = [clinician.act(observe(case))]
    while "oodbye" not in turns[-1]:
        turns.append(clinician.act(observe(case, answer)))
        assert len(turns) < 60, "the clinician never takes leave"
    return turns

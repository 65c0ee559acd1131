"""A language model for tests that reads the data of a request and answers as it is told to."""

import json

from bedside.chat.scripted import ScriptedModel


def data_of(messages):
    """Return what stands between the data tags of a request."""
    content = next(m.content for m in messages if m.role == "user")
    return json.loads(content.split("<data>\n", 1)[1].split("\n</data>", 1)[0])


def claim(statement, words, kind="symptom", **other):
    return {
        "statement": statement,
        "words": words,
        "kind": kind,
        "about": "patient",
        "denied": False,
        "certainty": "certain",
        "time": "present",
    } | other


def ruled(number, verdict, *evidence):
    return {"claim": number, "reason": "because", "evidence": list(evidence), "verdict": verdict}


class Judge:
    """Answers both calls; ``claims`` is the list, ``verdicts`` a list or a function of the data."""

    def __init__(self, claims=(), verdicts=(), violations=()):
        self.claims, self.verdicts, self.violations = list(claims), verdicts, list(violations)
        self.requests = []

    def __call__(self, messages):
        self.requests.append(list(messages))
        data = data_of(messages)
        if "record" not in data:
            return json.dumps({"key": data["key"], "claims": self.claims})
        verdicts = self.verdicts(data) if callable(self.verdicts) else self.verdicts
        return json.dumps({"key": data["key"], "verdicts": list(verdicts), "violations": self.violations})

    @property
    def model(self):
        return ScriptedModel(self)


def yes_man(data):
    """Call everything supported, by the first fact of the record."""
    fact = data["record"][2]["id"]
    return [ruled(c["claim"], "supported", fact) for c in data["claims"]]


def no_man(data):
    return [ruled(c["claim"], "fabricated") for c in data["claims"]]

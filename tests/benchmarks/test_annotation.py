"""Annotation sheets: blind on the way out, complete on the way back."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from bedside.benchmarks.annotate import build_app
from bedside.benchmarks.annotation import FORMS, blind, judged, locate, numbered
from bedside.benchmarks.command import invoke
from bedside.benchmarks.sheets import read_filled, sheet_bytes
from bedside.cases.persona import Persona
from bedside.envs.episode import Episode, StopReason, Turn
from bedside.rewards.score import Score
from bedside.verifier.verdict import Verdict


def episode(policy: str, case: str, *said: str) -> Episode:
    turns = tuple(
        Turn(clinician=text, heard=text, patient="Okay, thanks.", verdict=Verdict(overall="pass")) for text in said
    )
    return Episode(
        env="bedside/Discharge-v0",
        case=case,
        persona=Persona(),
        policy=policy,
        seed=0,
        opening="Hello.",
        turns=turns,
        stop=StopReason.COMPLETE,
    )


EPISODES = [
    episode(policy, case, f"You had gout in case {case}.", said)
    for case in ("mus-01", "mus-02", "cir-01")
    for policy, said in (("zeta-model", "Take one pill."), ("alpha-model", "Take it,\n with food."))
]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """A run folder with two policies."""
    folder = tmp_path / "run"
    folder.mkdir()
    (folder / "episodes.jsonl").write_bytes(b"".join(e.to_json() + b"\n" for e in EPISODES))
    return folder


def command(*arguments: object) -> int:
    return invoke(build_app(), [str(argument) for argument in arguments], "agreement.py")


@pytest.mark.parametrize("form", sorted(FORMS))
def test_a_sheet_names_no_policy_and_the_key_names_all(form: str) -> None:
    sheet, key = blind(EPISODES, form, seed=3)
    for shown in (sheet_bytes(sheet, as_json=True), sheet_bytes(sheet, as_json=False)):
        assert b"-model" not in shown
        assert b"You had gout" in shown
    assert len(key.items) == (3 if FORMS[form].paired else 6)
    assert {e.policy for item in key.items for e in item.episodes} == {"zeta-model", "alpha-model"}
    assert (sheet, key) == blind(EPISODES, form, seed=3)


def test_sides_and_order_are_drawn() -> None:
    many = [episode(policy, f"case-{n}", "Hello.") for n in range(40) for policy in ("a", "b")]
    _, key = blind(many, "pairwise")
    first = [item.episodes[0].policy for item in key.items]
    assert 10 < first.count("a") < 30
    assert [item.episodes[0].case for item in key.items] != sorted(item.episodes[0].case for item in key.items)
    assert len(blind(many, "pairwise", count=7)[1].items) == 7


@pytest.mark.parametrize("ending", ["csv", "json"])
def test_round_trip_of_preferences_and_spans(ending: str, run: Path, tmp_path: Path) -> None:
    """What two raters fill in comes back under the policies' names, whichever side these stood on."""
    assert command("export", run, "--out", tmp_path / f"sheet.{ending}") == 0
    key = json.loads((tmp_path / "sheet.key.json").read_text(encoding="utf-8"))
    side_of_zeta = {
        item["id"]: "AB"[[e["policy"] for e in item["episodes"]].index("zeta-model")] for item in key["items"]
    }

    def answers(item: str, dimension: str) -> dict[str, Any]:
        prefers_zeta = dimension != "overall"
        side = side_of_zeta[item] if prefers_zeta else {"A": "B", "B": "A"}[side_of_zeta[item]]
        return {"rating": side, "green": ["Take one pill"] if prefers_zeta else ["take it, with food"], "red": []}

    for rater in ("ann", "bob"):
        fill(tmp_path / f"sheet.{ending}", tmp_path / f"{rater}.{ending}", answers)
    out, spans = tmp_path / "ratings.csv", tmp_path / "spans.jsonl"
    sheets = [tmp_path / f"{rater}.{ending}" for rater in ("ann", "bob")]
    assert command("import", tmp_path / "sheet.key.json", *sheets, "--out", out, "--spans", spans) == 0
    rows = list(csv.DictReader(out.read_text(encoding="utf-8").splitlines()))
    assert len(rows) == 2 * 3 * 5
    assert {(r["dimension"] == "overall", r["rating"]) for r in rows} == {(True, "1"), (False, "-1")}
    marked = [json.loads(line) for line in spans.read_text(encoding="utf-8").splitlines()]
    assert {(s["policy"], s["text"]) for s in marked} == {
        ("zeta-model", "Take one pill"),
        ("alpha-model", "Take it,\n with food"),
    }
    assert all((s["turn"], s["role"], s["start"]) == (2, "educator", 0) for s in marked)
    assert command("report", out, "--samples", 100) == 0


def fill(source: Path, target: Path, answers: Any) -> None:
    if source.suffix == ".json":
        sheet = json.loads(source.read_text(encoding="utf-8"))
        for page in sheet["pages"]:
            for answer in page["answers"]:
                answer.update(answers(page["item"], answer["dimension"]))
        target.write_text(json.dumps(sheet), encoding="utf-8")
        return
    with source.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        filled = answers(row["item"], row["dimension"])
        row.update(rating=filled["rating"], green=" || ".join(filled["green"]), red=" || ".join(filled["red"]))
    with target.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)


def test_likert_ratings_stay_as_they_are_and_blanks_are_no_ratings(tmp_path: Path) -> None:
    sheet, key = blind(EPISODES, "conversation")
    content = json.loads(sheet_bytes(sheet, as_json=True))
    content["pages"][0]["answers"][1]["rating"] = 4
    content["pages"][1]["answers"][0]["rating"] = None
    path = tmp_path / "ann.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    filled, spans = read_filled(path, key)
    assert filled == [(key.items[0].id, "responsiveness", 4.0)]
    assert spans == []


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"rating": "C"}, "'C' is not one of A, B, tie"),
        ({"dimension": "charm"}, "no dimension 'charm'"),
        ({"item": "zzz"}, "item 'zzz' is not in the key"),
        ({"green": "We never said this"}, "'We never said this' does not stand in the encounter"),
    ],
)
def test_what_is_filled_in_wrongly_is_told(
    change: dict[str, str], told: str, run: Path, tmp_path: Path, capsys
) -> None:
    sheet = tmp_path / "sheet.csv"
    command("export", run, "--out", sheet)
    with sheet.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    rows[0].update(change)
    with sheet.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    out = tmp_path / "ratings.csv"
    assert command("import", tmp_path / "sheet.key.json", sheet, "--out", out) == 2
    assert told in capsys.readouterr().err
    assert not out.exists()


def test_one_policy_alone_cannot_be_paired(run: Path, tmp_path: Path, capsys) -> None:
    (run / "episodes.jsonl").write_bytes(EPISODES[0].to_json() + b"\n")
    assert command("export", run, "--out", tmp_path / "sheet.csv") == 2
    assert "two policies" in capsys.readouterr().err
    assert not (tmp_path / "sheet.csv").exists()


def test_a_cell_of_the_sheet_runs_no_formula() -> None:
    sheet, _ = blind(EPISODES, "conversation")
    page = sheet.pages[0].model_copy(update={"about": "=cmd()"})
    content = sheet_bytes(sheet.model_copy(update={"pages": (page,)}), as_json=False).decode("utf-8-sig")
    assert not next(csv.DictReader(content.splitlines(keepends=True)))["about"].startswith("=")


def test_a_judge_prefers_whom_it_rated_higher() -> None:
    _, key = blind(EPISODES, "pairwise")
    item = key.items[0]

    def scores(policy: str) -> dict[str, Score]:
        value = 4.0 if policy == "zeta-model" else 3.0
        names = ("language_delivery", "human_centred", "content_rating", "strategy_rating")
        return {name: Score(value=value, engine="llm:x") for name in names}

    found = list(judged(item, "pairwise", [scores(e.policy) for e in item.episodes]))
    assert {f.dimension: f.rating for f in found} == dict.fromkeys(FORMS["pairwise"].questions, -1.0)
    missing = {"content_rating": Score(value=None, reason="no usable judgment")}
    rest = list(judged(item, "pairwise", [scores(e.policy) | missing for e in item.episodes]))
    assert {f.dimension for f in rest} == {"language_delivery", "human_centred", "education_strategy"}


def test_preferences_follow_the_policy_and_not_the_side() -> None:
    _, key = blind(EPISODES, "pairwise")
    for item in key.items:
        alpha = "AB"[[e.policy for e in item.episodes].index("alpha-model")]
        assert numbered(alpha, item, "pairwise") == 1
        assert numbered("tie", item, "pairwise") == 0


def test_highlighted_words_are_found_whatever_their_line_breaks() -> None:
    _, key = blind(EPISODES, "pairwise")
    span = locate("TAKE IT, with   food", "red", key.items[0], "overall")
    assert span is not None
    assert (span.policy, span.text, span.sign) == ("alpha-model", "Take it,\n with food", "red")
    assert locate("   ", "red", key.items[0], "overall") is None

"""``bedside cases new``, ``check`` and ``import`` do what they say, and refuse in one line what they cannot do."""

import json
from pathlib import Path

import pytest

from bedside.benchmarks.command import invoke
from bedside.cases.case import Case
from bedside.cases.jsonl import CaseError, read_cases, write_cases
from bedside.cases.sources import load_cases
from bedside.cli import build_app

VERISIM = Path(__file__).parents[1] / "data" / "verisim" / "patients.json"


@pytest.fixture
def bedside(capsys):
    """Run a command; return its exit code, and what it printed to each stream."""

    def run(*args):
        code = invoke(build_app(), ["cases", *map(str, args)], "bedside")
        return code, *capsys.readouterr()

    return run


def test_a_new_case_is_refused_until_it_is_filled_in(bedside, tmp_path):
    path = tmp_path / "ward-7.json"
    code, out, _ = bedside("new", path)
    assert code == 0
    assert "ward-7.json" in out
    assert [case.id for case in read_cases(path)] == ["ward-7"]
    code, _, err = bedside("check", path)
    assert code == 1
    blanks = path.read_text(encoding="utf-8").count("FILL IN")
    assert err.count("write it:") == blanks > 20
    assert "ward-7.json: ward-7: plan.med-1.dose: write it: 5 mg" in err


def test_a_new_case_never_overwrites(bedside, tmp_path):
    path = tmp_path / "mine.json"
    path.write_text("kept", encoding="utf-8")
    code, _, err = bedside("new", path)
    assert code == 2
    assert "exists already" in err
    assert path.read_text(encoding="utf-8") == "kept"


def test_a_good_case_passes_whoever_owns_it(bedside, case_of, tmp_path):
    mine = case_of("cir-01").model_copy(update={"id": "my.case", "licence": "ours"})
    path = tmp_path / "mine.json"
    path.write_text(json.dumps(mine.model_dump(mode="json"), indent=1), encoding="utf-8")
    code, out, err = bedside("check", path)
    assert (code, err) == (0, "")
    assert "1 cases, 0 problems" in out
    assert load_cases(str(path)) == [mine]


def test_a_list_of_cases_laid_out_for_people_is_read_and_errors_name_the_line(case_of, tmp_path):
    path = tmp_path / "two.json"
    rows = [case_of(name).model_dump(mode="json") for name in ("cir-01", "cir-02")]
    path.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    assert [case.id for case in read_cases(path)] == ["cir-01", "cir-02"]
    rows[1]["demographics"]["age"] = "old"
    text = json.dumps(rows, indent=1)
    path.write_text(text, encoding="utf-8")
    line = text[: text.index('"id": "cir-02"')].count("\n")
    with pytest.raises(CaseError, match=rf"two.json, line {line}, field demographics.age"):
        list(read_cases(path))
    path.write_text('{"id": ', encoding="utf-8")
    with pytest.raises(CaseError, match="not JSON"):
        list(read_cases(path))


def test_an_import_says_what_it_kept_and_writes_cases(bedside, tmp_path):
    out = tmp_path / "verisim.jsonl"
    code, said, _ = bedside("import", "verisim", VERISIM, "--out", out)
    cases = load_cases(str(out))
    assert bedside("check", out)[0] == 0, "what is not given is not checked"
    assert code == 0
    assert f"{len(cases)} cases in {out}" in said
    assert cases == load_cases(f"verisim:{VERISIM}")


def test_an_import_of_a_damaged_file_leaves_nothing_behind(bedside, tmp_path):
    bad = tmp_path / "patients.json"
    bad.write_text("[{}]", encoding="utf-8")
    code, _, err = bedside("import", "verisim", bad, "--out", tmp_path / "out.jsonl")
    assert code == 2
    assert err.startswith("error: ")
    assert [path.name for path in tmp_path.iterdir()] == ["patients.json"]


def test_an_import_with_nothing_to_keep_writes_nothing(bedside, tmp_path):
    out = tmp_path / "drawn.jsonl"
    code, said, _ = bedside("import", "verisim", VERISIM, "--out", out, "--protocol", "dischargebench")
    assert code == 1
    assert "nothing was written" in said
    assert not out.exists()


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("import", "mimick", "x", "--out", "y.jsonl"), "unknown source 'mimick'"),
        (("import", "cases", "x.csv", "--out", "y.jsonl"), "ends with .jsonl or .json"),
        (("import", "cases", "x.jsonl", "--out", "y.csv"), "name it with .jsonl"),
        (("import", "cases", "x.jsonl", "--out", "y.jsonl", "--protocol", "mine"), "unknown protocol 'mine'"),
        (("import", "cases", "/nowhere/x.jsonl", "--out", "y.jsonl"), "No such file"),
        (("new", "case.txt"), "name it with .json"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(bedside, args, says):
    code, _, err = bedside(*args)
    assert code == 2
    assert says in err
    assert err.count("\n") == 1


def copies(case, count):
    return [case.model_copy(update={"id": f"{case.id}-{number}"}) for number in range(count)]


def test_the_cohort_of_dischargebench_is_twenty_a_chapter_by_seed(bedside, case_of, tmp_path):
    cases = [*copies(case_of("cir-01"), 30), *copies(case_of("skn-01"), 5)]
    no_plan = case_of("bld-01").model_copy(update={"plan": (), "questions": ()})
    source = tmp_path / "all.jsonl"
    write_cases([*cases, no_plan], source)

    def drawn(seed, name="drawn.jsonl"):
        code, said, _ = bedside("import", "cases", source, "--out", tmp_path / name,
                                "--protocol", "dischargebench", "--seed", seed)  # fmt: skip
        assert code == 0
        return [case.id for case in read_cases(tmp_path / name)], said

    first, said = drawn(0)
    assert sum(case.startswith("cir") for case in first) == 20
    assert sum(case.startswith("skn") for case in first) == 5
    assert "the source lacks 15 for SKN" in said
    assert "1 cases do not fit the protocol" in said
    assert "--persona dischargebench:random" in said
    assert drawn(0)[0] == first
    assert drawn(1)[0] != first
    write_cases([no_plan, *reversed(cases)], source)
    assert drawn(0)[0] == first, "the order of the source must not matter"


def test_the_cohort_of_verisim_is_three_hundred_with_a_diagnosis(bedside, case_of, tmp_path):
    unknown = case_of("cir-02").model_copy(update={"diagnosis": {"text": "(not given)"}})
    unknown = Case.model_validate(unknown.model_dump(mode="json", warnings=False))
    source = tmp_path / "all.jsonl"
    write_cases([*copies(case_of("cir-01"), 310), unknown], source)
    out = tmp_path / "drawn.jsonl"
    code, said, _ = bedside("import", "cases", source, "--out", out, "--protocol", "verisim")
    assert code == 0
    assert len(list(read_cases(out))) == 300
    assert "--noise random" in said


def test_the_published_schema_is_the_one_that_is_read():
    published = Path(__file__).parents[2] / "docs" / "case.schema.json"
    assert json.loads(published.read_text(encoding="utf-8")) == Case.model_json_schema()

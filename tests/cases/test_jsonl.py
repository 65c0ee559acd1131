import pytest

from bedside.cases.jsonl import CaseError, read_cases, write_cases


def test_what_is_written_is_read_again(open_cases, tmp_path):
    path = tmp_path / "cases.jsonl"
    assert write_cases(open_cases, path) == len(open_cases)
    assert list(read_cases(path)) == open_cases


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda row: row.pop("diagnosis"), "line 2, field diagnosis: Field required"),
        (lambda row: row["demographics"].update(age=-1), "line 2, field demographics.age"),
        (
            lambda row: row["plan"][0].update(dosage="5"),
            "line 2, field plan.0.condition.dosage: Extra inputs",
        ),
        (lambda row: row["plan"].append(row["plan"][0]), "fact ids used twice: dx"),
        (lambda row: row["questions"][0].update(about=["nothing"]), "no plan item nothing"),
        (lambda row: row.update(chapter="XXX"), "chapter 'XXX' is not one of"),
    ],
)
def test_a_bad_row_is_named(open_cases, tmp_path, change, message):
    import json

    rows = [case.model_dump(mode="json") for case in open_cases[:2]]
    change(rows[1])
    path = tmp_path / "cases.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    with pytest.raises(CaseError) as caught:
        list(read_cases(path))
    assert message in str(caught.value)
    assert str(path) in str(caught.value)


def test_not_json_a_double_id_and_a_missing_file(open_cases, tmp_path):
    path = tmp_path / "cases.jsonl"
    path.write_text("{not json}\n")
    with pytest.raises(CaseError, match="line 1: not JSON"):
        list(read_cases(path))
    write_cases([open_cases[0], open_cases[0]], path)
    with pytest.raises(CaseError, match=r"line 2, field id: id .* was used in line 1"):
        list(read_cases(path))
    with pytest.raises(CaseError, match="No such file"):
        list(read_cases(tmp_path / "missing.jsonl"))

import csv
import re
import shutil
from collections import Counter
from html.parser import HTMLParser
from io import StringIO
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import orjson
import pytest
import yaml

from bedside.benchmarks.command import invoke
from bedside.benchmarks.compare import compare_runs
from bedside.benchmarks.report.credits import credits_of, spoken
from bedside.benchmarks.report.figure import to_csv
from bedside.benchmarks.report.marks import Axis, apart
from bedside.benchmarks.report.page import figure_files, make_report
from bedside.benchmarks.report.sample import in_order_of_interest
from bedside.benchmarks.report.scan import scan
from bedside.benchmarks.report.source import boards_of, load_runs
from bedside.benchmarks.runs import CONFIG, EPISODES, SCORES, SUMMARY
from bedside.benchmarks.scores import read_scores, to_parquet
from bedside.benchmarks.transcript import read_episodes
from bedside.cli import build_app


def command(*args):
    return invoke(build_app(), ["report", *map(str, args)], "bedside")


class Page(HTMLParser):
    """The elements of a page, the rows of its tables as text, and the data that it carries."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.rows, self.scripts = [], [], []
        self._cell = self._script = None
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self._cell = True
        if tag == "script":
            self.scripts.append("")
            self._script = True

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self._cell = None
        if tag == "script":
            self._script = None

    def handle_data(self, text):
        if self._script:
            self.scripts[-1] += text
        elif self._cell:
            self.rows[-1][-1] += text

    @property
    def data(self):
        return orjson.loads(self.scripts[0])


@pytest.fixture(scope="module")
def made(runs):
    return make_report([runs])


def test_the_leaderboard_shows_what_the_evaluation_printed(runs, made):
    page = Page(made.html)
    for run in ("clean", "noisy"):
        summary = orjson.loads((runs / run / SUMMARY).read_bytes())
        for policy, scores in summary.items():
            row = next(row for row in page.rows if row[:2] == [policy, run])
            for score in ("exam", "tcs", "reward"):
                found = scores[score]
                told = f"{found['mean']:.3f}{found['low']:.3f} – {found['high']:.3f}".replace("-", "\N{MINUS SIGN}")
                assert told in row, (policy, run, score)
    floor = orjson.loads((runs / "clean" / SUMMARY).read_bytes())["checklist"]["exam_before"]["mean"]
    assert any(row[0] == "untaught patient" and row[2].startswith(f"{floor:.3f}") for row in page.rows)
    assert "Engines: patient embedded, verifier rules, scores embedded" in made.html


def test_the_same_runs_give_the_same_bytes_and_no_path_of_this_machine(runs, made):
    assert make_report([runs]).html == made.html
    assert str(runs.parent) not in made.html


def test_worst_and_best_come_first_then_the_same_cases_for_all(runs):
    loaded = load_runs([runs])
    scanned = [(run, scan(run.path)) for run in loaded]
    order = list(in_order_of_interest(scanned))
    assert len(order) == len({(run.label, line.number) for run, line in order}) == 16
    for run, _ in scanned:
        values = run.scores["score.exam"].to_numpy()
        for policy in run.config.policies:
            own = [line for chosen, line in order if chosen is run and line.policy == policy]
            every = [values[line.number - 1] for line in own]
            assert every[0] == min(every)
            assert every[1] == max(every)
    assert {(run.label, line.policy) for run, line in order[:4]} == {
        (run, policy) for run in ("clean", "noisy") for policy in ("note-dump", "checklist")
    }


def test_what_is_left_out_is_said(runs):
    report = make_report([runs], episodes=5)
    assert (report.shown, report.episodes) == (5, 16)
    assert "5 of 16 transcripts are in this file, 11 are left out" in report.html
    assert len(Page(report.html).data["episodes"]) == 5
    assert "All 16 transcripts are in this file" in make_report([runs], episodes=16).html
    assert Page(make_report([runs], episodes=0).html).data["episodes"] == []


def test_transcripts_hold_every_word_and_the_claims_where_they_were_made(runs, made):
    shown = {episode["id"]: episode for episode in Page(made.html).data["episodes"]}
    assert len(shown) == 16
    marked = 0
    for run in ("clean", "noisy"):
        for number, episode in enumerate(read_episodes(runs / run), 1):
            for turn, entry in zip(episode.turns, shown[f"{run}/{number}"]["turns"], strict=True):
                assert "".join(piece for piece, _ in entry["clinician"]) == turn.heard
                assert "".join(piece for piece, _ in entry["patient"]["text"]) == turn.patient
                for index, judgment in enumerate(turn.verdict.judgments):
                    covered = "".join(piece for piece, claims in entry["patient"]["text"] if index in claims)
                    assert covered == turn.patient[judgment.claim.start : judgment.claim.end]
                    marked += 1
    assert marked


def test_credits_point_at_the_sentences_that_earned_them(runs, open_cases):
    cases = {case.id: case for case in open_cases}
    placed = total = 0
    for episode in read_episodes(runs / "clean"):
        if episode.policy != "checklist":
            continue
        found = credits_of(episode, cases[episode.case])
        for credit in found:
            if credit.sentence is not None:
                sentence = spoken(episode.turns[credit.turn].heard)[credit.sentence].text
                # The rules write two as 2, so only words are compared.
                assert set(re.findall("[a-z]{6,}", sentence.lower())) == set(
                    re.findall("[a-z]{6,}", credit.said.lower())
                )
        assert {credit.score for credit in found} == {"tcs", "safety", "strategy_use"}
        placed += sum(credit.sentence is not None for credit in found)
        total += len(found)
    assert placed >= 0.97 * total


def test_differences_are_the_paired_ones(runs, made):
    figure = next(figure for figure in made.figures if "noise" in figure.name)
    changes = {(row[1], row[2]): row[4:7] for row in figure.rows if row[3] == "difference"}
    expected = compare_runs([runs / "clean", runs / "noisy"])[0].summary
    for (policy, score), (mean, low, high) in changes.items():
        known = expected[policy][score]
        assert np.allclose([mean, low, high], [known["mean"], known["low"], known["high"]])
    assert len(changes) == 8


def test_groups_of_patients_add_up_to_all(runs, made):
    run = next(run for run in load_runs([runs]) if run.label == "clean")
    figure = next(figure for figure in made.figures if figure.name.endswith("exam-by-chapter-clean"))
    rows = [row for row in figure.rows if row[1] == "checklist"]
    assert {row[3] for row in rows} == {"Blood", "Circulatory", "Mental", "Injury"}
    assert sum(row[7] for row in rows) == 4
    assert np.isclose(np.mean([row[4] for row in rows]), run.summary["checklist"]["exam"]["mean"])


def test_runs_of_other_engines_never_share_a_table(runs, tmp_path):
    shutil.copytree(runs, tmp_path / "runs")
    path = tmp_path / "runs" / "noisy" / CONFIG
    path.write_text(yaml.safe_dump(yaml.safe_load(path.read_bytes()) | {"patient": "openai/other"}))
    boards = boards_of(load_runs([tmp_path / "runs"]))
    assert [[run.label for run in board.runs] for board in boards] == [["clean"], ["noisy"]]
    html = make_report([tmp_path / "runs"], episodes=0).html
    assert "Engines: patient openai/other" in html
    assert "With and without noise" not in html


def test_unscored_episodes_are_counted_and_left_out_of_the_means(runs, tmp_path):
    shutil.copytree(runs / "clean", tmp_path / "run")
    path = tmp_path / "run" / EPISODES
    lines = [orjson.loads(line) for line in path.read_bytes().splitlines()]
    lines[0] |= {"stop": "fault", "fault": "ChatError: the endpoint is gone"}
    path.write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in lines))
    report = make_report([tmp_path / "run"])
    shown = Page(report.html).data["episodes"]
    assert shown[0]["fault"] == "ChatError: the endpoint is gone"
    assert shown[0]["credits"] == []
    row = next(row for row in Page(report.html).rows if row[:2] == ["note-dump", "4"])
    assert "1" in row[2:]


def test_a_run_of_which_everything_broke_is_told_as_such(runs, tmp_path):
    shutil.copytree(runs / "clean", tmp_path / "run")
    table = read_scores(tmp_path / "run")
    kept = [name for name in table.column_names if not name.startswith(("score.", "part."))]
    (tmp_path / "run" / SCORES).write_bytes(to_parquet(table.select(kept)))
    (tmp_path / "run" / SUMMARY).write_text('{"note-dump": {}, "checklist": {}}')
    path = tmp_path / "run" / EPISODES
    lines = [orjson.loads(line) | {"stop": "fault", "fault": "it broke"} for line in path.read_bytes().splitlines()]
    path.write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in lines))
    rows = Page(make_report([tmp_path / "run"]).html).rows
    assert next(row for row in rows if row[:1] == ["checklist"])[1:] == ["–", "0", "4"]


def test_cases_that_are_gone_cost_the_exam_and_not_the_report(runs, tmp_path, capsys):
    shutil.copytree(runs / "clean", tmp_path / "run")
    path = tmp_path / "run" / CONFIG
    path.write_text(yaml.safe_dump(yaml.safe_load(path.read_bytes()) | {"case_hash": "0"}))
    assert command(tmp_path / "run", "--out", tmp_path / "a.html") == 0
    assert "shown without exam and credits" in capsys.readouterr().err
    assert all(episode["exam"] == [] for episode in Page((tmp_path / "a.html").read_text("utf-8")).data["episodes"])


def test_text_of_models_adds_no_element_and_arrives_unchanged(runs, hostile_runs):
    plain, attacked = Page(make_report([runs / "clean"]).html), Page(make_report([hostile_runs]).html)
    # But for counts that lead to withheld attempts, of which the attacked run has some.
    assert Counter(tag for tag, _ in attacked.tags if tag != "a") == Counter(tag for tag, _ in plain.tags if tag != "a")
    assert all(attributes["href"].startswith("#") for tag, attributes in attacked.tags if tag == "a")
    assert len(attacked.scripts) == 3
    assert not any(name.startswith("on") for _, attributes in attacked.tags for name in attributes)
    said = attacked.data["episodes"][0]["turns"][0]["patient"]["text"]
    text = "".join(piece for piece, _ in said)
    assert text.startswith("</script><script>window.hacked = 1</script><img src=x")
    # What would turn the order of the words around is shown, not obeyed.
    assert "\u202e" not in attacked.scripts[0]
    assert "\N{REPLACEMENT CHARACTER}detrats" in text


def test_nothing_is_loaded_from_anywhere(made):
    for tag, attributes in Page(made.html).tags:
        for name in ("src", "href", "data", "action", "srcset", "poster"):
            assert attributes.get(name, "#").startswith("#"), (tag, attributes)
    style = made.html[made.html.index("<style>") : made.html.index("</style>")]
    assert "url(" not in style
    assert "@import" not in style
    assert re.search(r"default-src &#39;none&#39;|default-src 'none'", made.html)


def test_tables_and_drawings_can_be_read_without_seeing_them(made):
    tags = Page(made.html).tags
    assert all(attributes.get("scope") for tag, attributes in tags if tag == "th")
    drawings = [attributes for tag, attributes in tags if tag == "svg"]
    assert all(attributes.get("aria-label") or attributes.get("aria-hidden") for attributes in drawings)
    ids = [attributes["id"] for _, attributes in tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    assert ("html", {"lang": "en"}) in tags


def test_figures_are_files_that_other_programs_read(runs, tmp_path):
    assert command(runs, "--out", tmp_path / "a.html", "--figures", tmp_path / "figures") == 0
    names = {path.name for path in (tmp_path / "figures").iterdir()}
    assert {"1-scores.svg", "1-scores.csv", "1-noise-noisy.svg", "1-exam-by-patient-clean.csv"} <= names
    summary = orjson.loads((runs / "clean" / SUMMARY).read_bytes())
    rows = list(csv.DictReader(StringIO((tmp_path / "figures" / "1-scores.csv").read_text("utf-8"))))
    row = next(row for row in rows if (row["run"], row["policy"], row["score"]) == ("clean", "checklist", "exam"))
    assert float(row["mean"]) == summary["checklist"]["exam"]["mean"]
    for path in (tmp_path / "figures").glob("*.svg"):
        text = path.read_text("utf-8")
        assert ElementTree.fromstring(text).tag == "{http://www.w3.org/2000/svg}svg"
        assert "var(" not in text


def test_csv_cannot_start_a_formula():
    assert to_csv(("policy", "mean"), [("=cmd()", -0.5), ("a,b", None)]) == 'policy,mean\n\'=cmd(),-0.5\n"a,b",\n'


def test_hostile_names_stay_text_in_drawings(hostile_runs):
    report = make_report([hostile_runs], episodes=0)
    for name, content in figure_files(report.figures):
        assert "/" not in name
        if name.endswith(".svg"):
            assert not list(ElementTree.fromstring(content).iter("{http://www.w3.org/2000/svg}img"))


@pytest.mark.parametrize(
    ("spoil", "complaint"),
    [
        (lambda run: (run / SCORES).unlink(), "--resume"),
        (lambda run: (run / SUMMARY).unlink(), "not finished"),
        (lambda run: (run / CONFIG).unlink(), "neither a run folder nor a folder of runs"),
        (lambda run: (run / SCORES).write_bytes(b"PAR1"), "damaged"),
        (lambda run: (run / SUMMARY).write_bytes(b"{"), "cannot be read"),
        (lambda run: (run / EPISODES).write_bytes(b"[]\n"), "line 1: not an episode"),
    ],
)
def test_a_folder_that_cannot_be_read_is_one_line_and_no_file(runs, tmp_path, capsys, spoil, complaint):
    shutil.copytree(runs / "clean", tmp_path / "run")
    spoil(tmp_path / "run")
    assert command(tmp_path / "run", "--out", tmp_path / "a.html") == 2
    error = capsys.readouterr().err
    assert complaint in error
    assert error.count("\n") == 1
    assert not list(tmp_path.glob("a.html*"))


def test_a_place_that_cannot_be_written_is_one_line(runs, tmp_path, capsys):
    (tmp_path / "file").write_text("")
    assert command(runs, "--out", tmp_path / "file" / "a.html", "--episodes", 0) == 2
    assert capsys.readouterr().err.startswith("error: cannot write")


def test_labels_are_kept_apart_and_near_where_they_belong():
    placed = apart([10, 11, 12, 50], 13, 0, 100)
    assert all(b - a >= 13 - 1e-9 for a, b in pairwise(sorted(placed)))
    assert placed[3] == 50
    assert placed == sorted(placed)
    assert min(apart([0, 0, 0], 13, 0, 100)) >= 0
    assert max(apart([99, 100], 13, 0, 100)) <= 100
    assert apart([], 13, 0, 100) == []


@pytest.mark.parametrize(
    ("values", "scale", "ends"),
    [
        ([0.2, 0.9], (0.0, 1.0), (0.0, 1.0)),
        ([0.001, 0.009], (0.0, 1.0), (0.0, 0.01)),
        ([3.1, 23.9], None, (0.0, 30.0)),
        ([2.5, 4.5], (1.0, 5.0), (1.0, 5.0)),
        ([0.0, 0.0], (0.0, 1.0), (0.0, 1.0)),
        ([], None, (0.0, 1.0)),
    ],
)
def test_axes_end_at_round_numbers_and_show_a_scale_whole(values, scale, ends):
    axis = Axis.over(values, scale, 0, 100)
    assert (axis.low, axis.high) == pytest.approx(ends)
    assert all(axis.low <= value <= axis.high for value in values)

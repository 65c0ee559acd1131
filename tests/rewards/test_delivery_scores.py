"""Repetition, jargon, content, strategies and the summary: what is counted of how an educator works."""

import csv
from pathlib import Path

import pytest
from transcripts import gold_lesson, open_case, talk, turns_of

from bedside.rewards.content import DIMENSIONS, score_content
from bedside.rewards.delivery import score_jargon_load, score_repetitiveness
from bedside.rewards.lesson import lesson_of
from bedside.rewards.strategies import STRATEGIES, score_strategies, strategies_in
from bedside.rewards.summary import BLEURT_WEIGHTS, score_summary

NSTEMI = open_case("cir-01")
TURNS = Path(__file__).parents[1] / "data" / "strategy_turns.tsv"


def test_repetition_is_the_share_of_four_word_runs_said_before() -> None:
    assert score_repetitiveness(turns_of(["Take it with food every day."])).value == 0
    twice = score_repetitiveness(turns_of(["Take it with food every day.", "Take it with food every day."]))
    assert twice.value == 0.5
    assert twice.evidence == {"said 2 times": "Take it with food every day."}
    assert score_repetitiveness(turns_of(["Take it with food every day."] * 10)).value == pytest.approx(0.9)
    assert score_repetitiveness(turns_of(["Okay.", "Okay."])).value == 0
    assert score_repetitiveness(turns_of(["", " "])).value is None


def test_jargon_is_counted_by_the_hundred_words_unless_explained() -> None:
    loaded = score_jargon_load(turns_of(["You had an infarction and your renal function is impaired by ischemia."]))
    assert loaded.parts["terms"] == 3
    assert loaded.value == pytest.approx(100 * 3 / 12)
    assert score_jargon_load(turns_of(["You had an infarction, which means a part of the heart died."])).value == 0
    assert score_jargon_load(turns_of([""])).value is None


def test_content_is_the_share_of_the_plan_by_topic() -> None:
    everything = score_content(lesson_of(talk(NSTEMI, gold_lesson(NSTEMI)), NSTEMI))
    assert set(everything.parts) == set(DIMENSIONS)
    assert everything.value is not None
    assert everything.value > 0.9
    diagnosis = score_content(lesson_of(talk(NSTEMI, ["You had a heart attack."]), NSTEMI))
    assert diagnosis.parts == {"IRH": 0, "MED": 0, "DX": 1, "PDT": 0, "TDS": 0, "FU": 0}
    assert diagnosis.value == pytest.approx(1 / 6)
    assert score_content(lesson_of(talk(NSTEMI, ["Do you know what you had?"]), NSTEMI)).value == 0


@pytest.mark.parametrize(("split", "floor"), [("dev", 0.95), ("test", 0.85)])
def test_strategies_of_labelled_turns(split: str, floor: float) -> None:
    hits = false = missed = 0
    with TURNS.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row["split"] == split:
                gold, found = set(row["strategies"].split(",")) - {"-"}, set(strategies_in(row["text"]))
                hits, false, missed = hits + len(gold & found), false + len(found - gold), missed + len(gold - found)
    assert 2 * hits / (2 * hits + false + missed) >= floor


def test_strategy_use_names_the_sentence_and_naming_a_strategy_is_not_using_it() -> None:
    score = score_strategies(turns_of(["What worries you most about going home?", "That sounds really hard."]))
    assert score.value == pytest.approx(2 / 6)
    assert score.evidence == {"GI": "What worries you most about going home?", "RE": "That sounds really hard."}
    listed = "Empathy, rapport, open questions, shared decisions, barriers and teach-back."
    assert score_strategies(turns_of([listed])).value == 0
    assert tuple(score.parts) == STRATEGIES


def test_a_plain_statement_of_the_plan_provides_information() -> None:
    episode = talk(NSTEMI, ["You had a heart attack."])
    assert score_strategies(episode.turns, lesson_of(episode, NSTEMI)).parts["PI"] == 1


def test_a_summary_is_compared_with_the_note() -> None:
    same = score_summary(NSTEMI.note, NSTEMI)
    assert same["rouge_l"].value == same["concept_f1"].value == 1
    some = score_summary("You had a heart attack. Take aspirin 81 mg every day.", NSTEMI)
    assert 0 < (some["rouge_l"].value or 0) < 0.5
    assert 0 < (some["concept_f1"].value or 0) < 0.6
    assert some["concept_f1"].parts["precision"] == 1
    strange = score_summary("You had pneumonia. Take warfarin.", NSTEMI)
    assert strange["concept_f1"].parts["precision"] == 0
    assert "warfarin" in strange["concept_f1"].evidence["not in the reference"]


@pytest.mark.parametrize(("summary", "reason"), [(None, "handed in"), ("  ", "empty")])
def test_without_a_summary_nothing_is_scored(summary: str | None, reason: str) -> None:
    scores = score_summary(summary, NSTEMI)
    assert all(score.value is None and reason in score.reason for score in scores.values())


def test_bleurt_needs_its_weights(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv(BLEURT_WEIGHTS, raising=False)
    assert BLEURT_WEIGHTS in score_summary("Take care.", NSTEMI)["bleurt"].reason
    monkeypatch.setenv(BLEURT_WEIGHTS, str(tmp_path / "nowhere"))
    score = score_summary("Take care.", NSTEMI)["bleurt"]
    assert score.value is None
    assert "no such folder" in score.reason


def test_bleurt_is_what_its_weights_say(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A tiny random model in the form of the published weights: reference first, then candidate, one number out."""
    import torch
    from transformers import BertConfig, BertForSequenceClassification, BertTokenizerFast

    words = "[PAD] [UNK] [CLS] [SEP] [MASK] take care you had a heart attack .".split()
    (tmp_path / "vocab.txt").write_text("\n".join(words), encoding="utf-8")
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=1,
        intermediate_size=8,
        num_labels=1,
    )
    BertForSequenceClassification(config).save_pretrained(tmp_path)
    BertTokenizerFast(str(tmp_path / "vocab.txt")).save_pretrained(tmp_path)
    monkeypatch.setenv(BLEURT_WEIGHTS, str(tmp_path))
    first, again = (score_summary("Take care. You had a heart attack.", NSTEMI)["bleurt"] for _ in range(2))
    assert first.value is not None
    assert first == again
    assert first.engine == f"bleurt:{tmp_path.name}"
    assert score_summary("You had a heart attack.", NSTEMI)["bleurt"].value != first.value

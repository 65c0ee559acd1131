"""Token-exact rollouts: what is trained on is what was sampled, whatever the template."""

from itertools import zip_longest

import pytest
import tiny
import torch

from bedside.registry import make
from bedside.training.assignments import Assignment, assignments
from bedside.training.chat_tokens import ChatTokens
from bedside.training.dialogues import Dialogues
from bedside.training.sampling import DialogueSampler, SamplingSettings

SETTINGS = SamplingSettings(max_tokens=12, seed=3)


@pytest.fixture
def played(open_cases):
    def play(template="chatml", *, cases=2, max_turns=3, max_tokens=4000, settings=SETTINGS, same=1):
        tokens = ChatTokens(tiny.tokenizer(template))
        assigned = [a for a in assignments([c.id for c in open_cases[:cases]], cases) for _ in range(same)]
        dialogues = Dialogues(
            lambda: make("bedside/Discharge-v0", cases=open_cases[:cases], max_turns=max_turns), tokens, max_tokens
        )
        sampler = DialogueSampler(tiny.model(template).eval(), tokens.end_of_turn, tokens.pad, settings)
        return dialogues.play(assigned, sampler, settings.max_tokens), tokens

    return play


@pytest.mark.parametrize("template", tiny.TEMPLATES)
def test_the_tokens_are_those_of_the_template_and_the_mask_those_of_the_policy(played, template):
    dialogues, tokens = played(template)
    for dialogue in dialogues:
        turns = dialogue.episode.turns
        assert len(turns) == 3
        assert len(dialogue.ids) == len(dialogue.mask) == len(dialogue.logprobs)
        own = [token for token, mine in zip(dialogue.ids, dialogue.mask, strict=True) if mine]
        said = _runs(dialogue.ids, dialogue.mask)
        assert [token for ids in said for token in ids] == own
        assert [tokens.text(ids) for ids in said] == [turn.clinician for turn in turns]
        # All that is not the policy's is what the template puts between two turns, with the patient's words in it.
        between = _runs(dialogue.ids, [1 - mine for mine in dialogue.mask])
        for ids, turn in zip(between, turns, strict=False):
            assert turn.patient in tokens.tokenizer.decode(ids)
        whole = tokens.tokenizer.decode(dialogue.prompt + dialogue.ids)
        assert whole.count(dialogue.episode.opening) == 1
        lasts = [
            i for i, (mine, after) in enumerate(zip_longest(dialogue.mask, dialogue.mask[1:])) if mine and not after
        ]
        assert dialogue.ends == lasts


def _runs(ids, mask):
    runs, last = [], 0
    for token, mine in zip(ids, mask, strict=True):
        if mine and not last:
            runs.append([])
        if mine:
            runs[-1].append(token)
        last = mine
    return runs


@pytest.mark.parametrize("template", ["chatml", "llama3"])
def test_a_rollout_reads_as_if_the_template_had_rendered_the_whole_talk(played, template):
    dialogues, tokens = played(template)
    for dialogue in dialogues:
        talk = [{"role": "system", "content": "BRIEFING"}, {"role": "user", "content": dialogue.episode.opening}]
        for number, ids in enumerate(_runs(dialogue.ids, dialogue.mask)):
            said = tokens.tokenizer.decode([i for i in ids if i not in tokens.end_of_turn], skip_special_tokens=False)
            heard = dialogue.episode.turns[number].patient
            talk += [{"role": "assistant", "content": said}, {"role": "user", "content": heard}]
        rendered = tokens.tokenizer.apply_chat_template(talk[:-1], tokenize=False)
        sampled = tokens.tokenizer.decode(dialogue.ids)
        # Llama's template trims what was said: only white space may differ.
        assert "".join(sampled.split()) in "".join(rendered.split())


def test_kept_cache_gives_the_log_probabilities_of_a_full_pass(played):
    dialogues, _ = played("chatml", cases=3)
    model = tiny.model("chatml").eval()
    for dialogue in dialogues:
        ids = torch.tensor([dialogue.prompt + dialogue.ids])
        with torch.no_grad():
            logprobs = torch.log_softmax(model(input_ids=ids).logits[0, :-1].float(), -1)
        start = len(dialogue.prompt) - 1
        full = logprobs[torch.arange(start, ids.shape[1] - 1), ids[0, start + 1 :]]
        mask = torch.tensor(dialogue.mask).bool()
        assert torch.allclose(full[mask], torch.tensor(dialogue.logprobs)[mask], atol=1e-4)


def test_members_of_a_group_meet_the_same_patient_and_say_different_things(played):
    (first, second, *others), _ = played("chatml", cases=2, same=2)
    assert first.prompt == second.prompt
    assert first.ids != second.ids
    assert first.episode.seed == second.episode.seed
    assert first.episode.persona == second.episode.persona
    assert others[0].prompt != first.prompt


def test_same_seed_same_tokens(played):
    first, _ = played("chatml")
    again, _ = played("chatml")
    other, _ = played("chatml", settings=SamplingSettings(max_tokens=12, seed=4))
    assert [d.ids for d in first] == [d.ids for d in again] != [d.ids for d in other]


def test_a_dialogue_that_runs_out_of_room_ends_with_a_score(played):
    dialogues, _ = played("chatml", max_turns=40, max_tokens=120)
    for dialogue in dialogues:
        assert len(dialogue.ids) <= 120
        assert dialogue.episode.stop == "token_limit"
        assert dialogue.reward is not None


def test_an_assignment_survives_its_prompt():
    assignment = Assignment(case="cir-01", seed=2**61 + 1, persona="anxious", noise="random:2@1-3")
    assert Assignment.from_prompt(assignment.to_prompt()) == assignment
    with pytest.raises(ValueError, match="names no case"):
        Assignment.from_prompt([{"role": "user", "content": "Hello"}])


def test_every_case_comes_once_before_any_comes_again():
    drawn = [a.case for a in assignments(["a", "b", "c"], 7, seed=1)]
    assert sorted(drawn[:3]) == sorted(drawn[3:6]) == ["a", "b", "c"]
    assert drawn == [a.case for a in assignments(["a", "b", "c"], 7, seed=1)]
    assert len({a.seed for a in assignments(["a"], 50)}) == 50


def test_the_reward_of_a_dialogue_is_the_sum_of_its_turns(played, open_cases):
    from bedside.rewards.combined import EncounterReward

    dialogues, _ = played("chatml")
    for dialogue in dialogues:
        case = next(c for c in open_cases if c.id == dialogue.assignment.case)
        assert len(dialogue.rewards) == len(dialogue.episode.turns)
        assert dialogue.reward == pytest.approx(EncounterReward().score(dialogue.episode, case).value)

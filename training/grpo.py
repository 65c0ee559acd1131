"""Group-relative policy optimisation of a clinician: ``python training/grpo.py --config training/configs/FILE.yaml``.

Every option of the YAML file can be given on the command line too; ``--help`` lists them all.
"""

from typing import Any

from bedside.cases.case import Case
from bedside.cases.seeds import derive_seed
from bedside.training.assignments import assignments
from bedside.training.chat_tokens import ChatTokens
from bedside.training.checkpoints import DifficultyKeeper
from bedside.training.command_line import complain, read_settings
from bedside.training.dialogues import Dialogues
from bedside.training.difficulty import Difficulty
from bedside.training.models import adapter_config, load_policy, load_tokenizer
from bedside.training.sampling import SamplingSettings
from bedside.training.settings import EncounterSettings, PolicySettings
from bedside.training.trl_adapter import encounter_reward, make_conversation, make_rollout

__all__ = ["build_trainer", "main"]


def build_trainer(
    encounters: EncounterSettings,
    policy: PolicySettings,
    args: Any,
    *,
    model: Any = None,
    tokenizer: Any = None,
    tools: bool = False,
) -> Any:
    """Put a GRPO trainer together.

    Args:
        encounters: What to train on.
        policy: What to train.
        args: TRL's ``GRPOConfig``.
        model: The model, if it is not to be loaded as ``policy`` says.
        tokenizer: Its tokenizer, likewise.
        tools: Let the model speak through a tool call instead of plain text.

    Returns:
        TRL's ``GRPOTrainer``.

    Raises:
        ValueError: A setting cannot be used.
    """
    from trl import GRPOTrainer

    cases, held_out = encounters.load(encounters.cases), encounters.load(encounters.eval_cases)
    tokenizer = tokenizer or load_tokenizer(policy.model)
    known = list({case.id: case for case in (*cases, *held_out)}.values())
    count = args.max_steps * args.generation_batch_size // args.num_generations if args.max_steps > 0 else len(cases)
    options: dict[str, Any] = {}
    callbacks: list[Any] = []
    if tools:
        options["environment_factory"] = make_conversation(lambda: encounters.make(known))
    else:
        dialogues = Dialogues(lambda: encounters.make(known), ChatTokens(tokenizer), encounters.dialogue_tokens)
        sampling = SamplingSettings(encounters.turn_tokens, args.temperature, args.top_p, args.seed)
        difficulty = Difficulty() if encounters.curriculum else None
        options["rollout_func"] = make_rollout(dialogues, sampling, difficulty)
        options["reward_funcs"] = [encounter_reward(known, dialogues, difficulty)]
        if difficulty is not None:
            callbacks.append(DifficultyKeeper(difficulty))
    return GRPOTrainer(
        model=model or load_policy(policy),
        args=args,
        train_dataset=_dataset(encounters, cases, max(count, 1), args.seed, tools=tools),
        eval_dataset=_dataset(encounters, held_out, len(held_out), derive_seed(args.seed, "eval"), tools=tools),
        processing_class=tokenizer,
        peft_config=adapter_config(policy),
        callbacks=callbacks,
        **options,
    )


def _dataset(encounters: EncounterSettings, cases: list[Case], count: int, seed: int, *, tools: bool) -> Any:
    from datasets import Dataset

    drawn = assignments(
        [case.id for case in cases], count, persona=encounters.persona, noise=encounters.noise, seed=seed
    )
    if tools:
        # The briefing is appended to this message when the encounter begins.
        return Dataset.from_list([{"prompt": [{"role": "user", "content": ""}], **a.model_dump()} for a in drawn])
    return Dataset.from_list([{"prompt": a.to_prompt()} for a in drawn])


def main() -> None:
    """Train as the command line says."""
    from trl import GRPOConfig

    encounters, policy, args = read_settings(EncounterSettings, PolicySettings, GRPOConfig)
    try:
        trainer = build_trainer(encounters, policy, args)
    except ValueError as error:
        complain(error)
    trainer.train(resume_from_checkpoint=args.resume_from_checkpoint)
    trainer.save_model(args.output_dir)


if __name__ == "__main__":
    main()

"""Supervised fine-tuning on curricula: ``python training/sft.py --config training/configs/FILE.yaml``.

Dialogues are turned into tokens exactly as rollouts are, so that what a policy is first taught and what it is later
rewarded for look the same to it; the loss counts the clinician's turns only.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bedside.training.chat_tokens import ChatTokens
from bedside.training.command_line import complain, read_settings
from bedside.training.models import adapter_config, load_policy, load_tokenizer
from bedside.training.settings import PolicySettings

__all__ = ["CurriculumSettings", "build_trainer", "main", "supervised"]


@dataclass
class CurriculumSettings:
    """The dialogues to learn from."""

    curriculum: str = field(default="", metadata={"help": "Folder that `bedside curriculum` wrote."})
    split: str = field(default="train", metadata={"help": "Which of its splits."})
    least_reward: float = field(default=-1.0, metadata={"help": "Leave out dialogues that earned less."})
    longest: int = field(default=2048, metadata={"help": "Leave out dialogues of more tokens."})


def supervised(tokens: ChatTokens, messages: Sequence[dict[str, str]]) -> dict[str, list[int]]:
    """Turn a dialogue into ids and the mask of what the clinician said.

    Args:
        tokens: The policy's chat template.
        messages: System, then user and assistant in turn, as in a curriculum.

    Returns:
        ``input_ids`` and ``assistant_masks`` of the same length, as TRL's SFTTrainer takes them.
    """
    briefing, opening, *rest = messages
    ids = tokens.opening(briefing["content"], opening["content"])
    mask = [0] * len(ids)
    for message in rest:
        own = message["role"] == "assistant"
        new = tokens.said(message["content"]) if own else tokens.reply(message["content"], closed=True)
        ids += new
        mask += [int(own)] * len(new)
    return {"input_ids": ids, "assistant_masks": mask}


def build_trainer(
    curriculum: CurriculumSettings, policy: PolicySettings, args: Any, *, model: Any = None, tokenizer: Any = None
) -> Any:
    """Put an SFT trainer together.

    Args:
        curriculum: What to learn from.
        policy: What to train.
        args: TRL's ``SFTConfig``.
        model: The model, if it is not to be loaded as ``policy`` says.
        tokenizer: Its tokenizer, likewise.

    Returns:
        TRL's ``SFTTrainer``.

    Raises:
        ValueError: A setting cannot be used.
    """
    from datasets import Dataset
    from trl import SFTTrainer

    tokenizer = tokenizer or load_tokenizer(policy.model)
    tokens = ChatTokens(tokenizer)
    rows = [supervised(tokens, row["messages"]) for row in _rows(curriculum)]
    kept = [row for row in rows if len(row["input_ids"]) <= curriculum.longest]
    if not kept:
        raise ValueError(
            f"{curriculum.curriculum}: no dialogue of at most {curriculum.longest} tokens that earned "
            f"{curriculum.least_reward}; raise --longest or lower --least_reward"
        )
    if len(kept) < len(rows):
        print(f"left out {len(rows) - len(kept)} of {len(rows)} dialogues longer than {curriculum.longest} tokens")
    args.max_length = None
    args.completion_only_loss = False
    return SFTTrainer(
        model=model or load_policy(policy),
        args=args,
        train_dataset=Dataset.from_list(kept),
        processing_class=tokenizer,
        peft_config=adapter_config(policy),
    )


def _rows(curriculum: CurriculumSettings) -> Iterable[dict[str, Any]]:
    from datasets import load_dataset

    if not curriculum.curriculum:
        raise ValueError("--curriculum: name the folder that `bedside curriculum` wrote")
    if not Path(curriculum.curriculum).is_dir():
        raise ValueError(f"{curriculum.curriculum}: no such folder; write one with `bedside curriculum --out`")
    rows = load_dataset(curriculum.curriculum, split=curriculum.split)
    return (row for row in rows if row["reward"] is not None and row["reward"] >= curriculum.least_reward)


def main() -> None:
    """Train as the command line says."""
    from trl import SFTConfig

    curriculum, policy, args = read_settings(CurriculumSettings, PolicySettings, SFTConfig)
    try:
        trainer = build_trainer(curriculum, policy, args)
    except ValueError as error:
        complain(error)
    trainer.train(resume_from_checkpoint=args.resume_from_checkpoint)
    trainer.save_model(args.output_dir)


if __name__ == "__main__":
    main()

"""What must be kept with the checkpoints of a trainer besides its own state."""

import json
from pathlib import Path
from typing import Any

from transformers import TrainerCallback

from bedside.training.difficulty import Difficulty

__all__ = ["DifficultyKeeper"]


class DifficultyKeeper(TrainerCallback):
    """Keeps the state of a curriculum with the checkpoints, so that a resumed run goes on where it was."""

    _FILE = "difficulty.json"

    def __init__(self, difficulty: Difficulty) -> None:
        self._difficulty = difficulty

    def on_train_begin(self, args: Any, state: Any, *_: Any, **__: Any) -> None:
        """Take up the state of the checkpoint that training resumes from."""
        path = Path(args.output_dir) / f"checkpoint-{state.global_step}" / self._FILE
        if state.global_step and path.exists():
            self._difficulty.restore(json.loads(path.read_text()))

    def on_save(self, args: Any, state: Any, *_: Any, **__: Any) -> None:
        """Write the state beside the weights."""
        folder = Path(args.output_dir) / f"checkpoint-{state.global_step}"
        if state.is_world_process_zero and folder.exists():
            (folder / self._FILE).write_text(json.dumps(self._difficulty.state))

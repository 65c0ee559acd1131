"""The tokens that a chat template puts around turns.

In a multi-turn rollout the policy's own tokens must be trained on exactly as they were sampled, and nothing else. To
render the dialogue anew after each turn would break both: tokenizers merge across borders, and templates strip or
add text in earlier turns. So the prompt is rendered once, and each later turn of the patient is appended as the token
ids of the template's own wrapping, read off the template itself.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerBase

__all__ = ["ChatTokens"]

_SAID = "What the clinician said."
_HEARD = "What the patient answered."


class ChatTokens:
    """A tokenizer's chat template, taken apart into what opens a dialogue and what joins two turns.

    Attributes:
        tokenizer: The tokenizer; its template is the only thing that is read.
        end_of_turn: Ids that end the policy's turn when it samples one of them.
        pad: Id to fill batches with.
    """

    def __init__(self, tokenizer: "PreTrainedTokenizerBase") -> None:
        """Read a template.

        Raises:
            ValueError: There is no template, or its turns cannot be told apart.
        """
        if not getattr(tokenizer, "chat_template", None):
            raise ValueError(f"{tokenizer.name_or_path}: the tokenizer has no chat template; use an instruct model")
        self.tokenizer = tokenizer
        self._takes_system = self._renders_system()
        self._joint = self._read_joint()
        if tokenizer.eos_token_id is None:
            raise ValueError(f"{tokenizer.name_or_path}: the tokenizer has no end-of-sequence token")
        self._close = self._closing_token()
        self.end_of_turn = tuple(sorted({tokenizer.eos_token_id, self._close} - {None}))
        self.pad = tokenizer.pad_token_id if tokenizer.pad_token_id is not None else tokenizer.eos_token_id

    def opening(self, briefing: str, heard: str) -> list[int]:
        """Return the prompt: briefing as system message, the patient's first words, and the start of the answer.

        Args:
            briefing: What the clinician is told.
            heard: What the patient said first.
        """
        return self._ids(self._rendered([*self._brief(briefing, heard)], generation=True))

    def reply(self, heard: str, *, closed: bool) -> list[int]:
        """Return what joins one turn of the policy to the next: its end, the patient's words, a new start.

        Args:
            heard: The patient's words.
            closed: True when the policy sampled the token that ends its turn, so that it is not put in twice.
        """
        before, after = self._joint
        ids = self._ids(before + heard + after)
        return ids[1:] if closed and self._close is not None and ids[:1] == [self._close] else ids

    def said(self, text: str) -> list[int]:
        """Return a turn of the policy as it would have been sampled: what is said, and the token that ends it."""
        return [*self._ids(text), self._close if self._close is not None else self.end_of_turn[0]]

    def text(self, ids: Sequence[int]) -> str:
        """Return what sampled ids say, without special tokens."""
        return str(self.tokenizer.decode(list(ids), skip_special_tokens=True)).strip()

    def _ids(self, text: str) -> list[int]:
        return list(self.tokenizer.encode(text, add_special_tokens=False))

    def _brief(self, briefing: str, heard: str) -> list[dict[str, str]]:
        if self._takes_system:
            return [{"role": "system", "content": briefing}, {"role": "user", "content": heard}]
        return [{"role": "user", "content": f"{briefing}\n\n{heard}"}]

    def _rendered(self, messages: list[dict[str, str]], *, generation: bool) -> str:
        return str(self.tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=generation))

    def _renders_system(self) -> bool:
        """Some templates refuse a system message or drop it silently; the briefing then goes to the first user turn."""
        messages = [{"role": "system", "content": "BRIEFING"}, {"role": "user", "content": _HEARD}]
        try:
            return "BRIEFING" in self._rendered(messages, generation=True)
        except Exception:
            return False

    def _read_joint(self) -> tuple[str, str]:
        """Return the text between two turns of the assistant, split around what the user says."""
        talk = [
            *self._brief("A briefing.", "Hello."),
            {"role": "assistant", "content": _SAID},
            {"role": "user", "content": _HEARD},
        ]
        text = self._rendered(talk, generation=True)
        if text.count(_SAID) != 1 or text.count(_HEARD) != 1:
            raise ValueError(f"{self.tokenizer.name_or_path}: the chat template does not keep the words of a turn")
        between, after = text.split(_SAID)[1].split(_HEARD)
        return between, after

    def _closing_token(self) -> int | None:
        """Return the id that closes the assistant's turn; None when the template closes it with plain text."""
        ids = self._ids(self._joint[0])
        special = set(self.tokenizer.all_special_ids)
        return ids[0] if ids and ids[0] in special else None

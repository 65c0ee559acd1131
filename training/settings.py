"""What a training run is about, apart from how it learns: which encounters, which rewards, which policy.

The three trainers read the same settings from the same YAML files, so that SFT, GRPO and PPO runs can be compared.
"""

from dataclasses import dataclass, field

from bedside.cases.case import Case
from bedside.cases.sources import load_cases
from bedside.envs.encounter import Encounter
from bedside.registry import make

__all__ = ["EncounterSettings", "PolicySettings"]


@dataclass
class EncounterSettings:
    """The encounters to train on."""

    env_id: str = field(default="bedside/Discharge-v0", metadata={"help": "A registered environment."})
    cases: str = field(default="open:train", metadata={"help": "Case source, as for run_eval."})
    eval_cases: str = field(default="open:dev", metadata={"help": "Held-out cases; never trained on."})
    persona: str = field(default="neutral", metadata={"help": "Persona of every patient, or PAPER:random."})
    noise: str = field(default="none", metadata={"help": "Noise of every patient, or random."})
    curriculum: bool = field(
        default=False, metadata={"help": "Raise persona and noise from easy to hard as success allows."}
    )
    patient: str = field(default="embedded", metadata={"help": "Who plays the patient: embedded or provider/model."})
    briefing: str = field(default="full", metadata={"help": "full, or compact (about 200 tokens) for small models."})
    max_turns: int = field(default=12, metadata={"help": "Turns of the clinician."})
    turn_tokens: int = field(default=64, metadata={"help": "Longest turn of the policy, in tokens."})
    dialogue_tokens: int = field(default=1024, metadata={"help": "Longest dialogue after its prompt, in tokens."})
    reward: str = field(default="default", metadata={"help": "A reward preset, or a file of weights."})

    def load(self, source: str) -> list[Case]:
        """Load cases.

        Raises:
            ValueError: The source cannot be read.
        """
        return list(load_cases(source))

    def make(self, cases: list[Case]) -> Encounter:
        """Make an environment over cases, with this run's reward.

        Raises:
            ValueError: A setting cannot be used.
        """
        extra = {"briefing": self.briefing} if "Discharge" in self.env_id else {}
        return make(
            self.env_id,
            cases=cases,
            persona=self.persona,
            noise=self.noise,
            patient=self.patient,
            reward=self.reward,
            max_turns=self.max_turns,
            **extra,
        )


@dataclass
class PolicySettings:
    """The policy to train."""

    model: str = field(default="smollm2", metadata={"help": "smollm2 (packaged), or a model's path or hub name."})
    lora: bool = field(default=True, metadata={"help": "Train low-rank adapters instead of all weights."})
    lora_r: int = field(default=16, metadata={"help": "Rank of the adapters."})
    lora_alpha: int = field(default=32, metadata={"help": "Scale of the adapters."})
    dtype: str = field(default="auto", metadata={"help": "float32, bfloat16, or auto: bfloat16 where there is a GPU."})

"""How the patient takes in a doctor's words; ``bedside.envs.understanding`` is the door."""

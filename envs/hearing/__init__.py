"""How the patient takes in a doctor's words: spelling, segments, cues. ``bedside.envs.understanding`` is the door."""

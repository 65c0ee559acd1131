"""Call 1: what a patient's utterance claims."""

"""Learning on the encounters: curricula and trainers."""

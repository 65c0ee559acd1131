"""The papers' evaluations, each with one command: conditions, played as ordinary runs, and tables made from them."""

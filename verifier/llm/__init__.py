"""Both calls by a language model, with the same evidence."""

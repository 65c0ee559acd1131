"""Text as the rules read it: sentences, quantities, times, the lexicon, what a sentence does with a mention."""

"""Text to claims to verdict: what was said, and whether the case bears it out."""

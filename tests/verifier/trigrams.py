"""A tiny encoder for tests: texts that share letter triples are near. No model, no torch."""

import hashlib

import numpy as np

DIMENSIONS = 256


class TrigramEncoder:
    def __init__(self, fingerprint="trigrams-1"):
        self.fingerprint = fingerprint
        self.encoded = 0
        self.fail_after = None

    def encode(self, texts):
        if self.fail_after is not None and self.encoded >= self.fail_after:
            raise KeyboardInterrupt
        self.encoded += len(texts)
        return np.stack([_vector(text) for text in texts]) if texts else np.empty((0, DIMENSIONS), np.float32)


def _vector(text):
    found = np.zeros(DIMENSIONS, np.float32)
    padded = f"  {text.lower()} "
    for start in range(len(padded) - 2):
        digest = hashlib.sha256(padded[start : start + 3].encode()).digest()
        found[digest[0]] += 1 if digest[1] % 2 else -1
    return found / max(1e-9, float(np.linalg.norm(found)))

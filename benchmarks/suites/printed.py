"""Values that the papers print, to stand beside ours. Their patients were language models: they are not comparable."""

__all__ = [
    "ABLATION",
    "AUDIT",
    "CONVERSATIONS",
    "FAILURES",
    "MATCHING",
    "NOISE",
    "PILLARS",
    "REFINEMENT",
    "SUMMARIES",
    "SWEEP",
]

CONVERSATIONS = (
    (
        "qwen2.5-0.5b", 1.47, 1.5, 2.79, 1.66, 2.44, 2.74, 1.4, 2.38, 2.23,
        2.24, 1.83, 2.53, 1.91, 2.31, 1.74, 2.1, 52.87, 4.18,
    ),
    (
        "qwen2.5-72b", 4.03, 4.26, 4.27, 4.01, 4.77, 4.29, 4.35, 4.24, 4.32,
        4.16, 3.49, 4.43, 3.89, 4.16, 3.5, 3.93, 74.02, 55.47,
    ),
    (
        "llama3.1-70b", 3.69, 3.94, 4.48, 4.99, 4.84, 4.50, 4.24, 4.83, 4.64,
        3.92, 3.35, 4.30, 3.79, 4.02, 3.11, 3.74, 84.29, 86.87,
    ),
    (
        "gpt5-mini", 4.07, 4.28, 4.98, 4.97, 4.99, 4.99, 4.85, 4.99, 4.96,
        3.77, 3.06, 4.38, 3.64, 4.03, 2.82, 3.62, 84.89, 93.80,
    ),
)  # fmt: skip
"""DischargeSim, table 1: the weakest model and three of the strongest; ratings 1 to 5, accuracies in %."""

SUMMARIES = (
    (
        "qwen2.5-0.5b",
        0.1530,
        0.3163,
        0.1524,
        3.09,
        2.74,
        2.79,
        2.65,
        2.82,
        1.96,
        1.63,
        2.93,
        1.59,
        2.02,
        52.87,
    ),
    ("qwen2.5-72b", 0.2545, 0.4089, 0.3709, 4.04, 3.97, 3.62, 3.57, 3.80, 3.77, 4.06, 4.86, 4.22, 4.22, 73.41),
    ("llama3.1-70b", 0.3419, 0.4535, 0.4251, 4.09, 3.92, 3.86, 3.69, 3.89, 4.33, 4.62, 5.00, 4.66, 4.65, 82.48),
    ("gpt5-mini", 0.2451, 0.3919, 0.3663, 4.24, 4.08, 4.31, 4.13, 4.19, 4.48, 4.97, 4.99, 4.93, 4.84, 83.38),
)
"""DischargeSim, table 2, the same models."""

NOISE = (
    ("Qwen-2.5-72B", "72B", "General", 84.5, 69.2, -15.3, 34.5),
    ("Llama-3.1-70B", "70B", "General", 82.1, 65.5, -16.6, 35.3),
    ("Llama-3.1-8B", "8B", "General", 61.8, 40.2, -21.6, 48.8),
    ("BioMistral-7B", "7B", "Medical", 64.2, 41.8, -22.4, 50.0),
    ("Mistral-7B", "7B", "General", 58.0, 33.5, -24.5, 55.1),
)
"""VeriSim, table 2, five of seven models: accuracy clean and noisy in %, their difference, turns in % more."""

PILLARS = ((1, 74.8, -9.7, 19.0, 4.18), (2, 69.2, -15.3, 34.5, 4.05), (3, 66.5, -18.0, 52.0, 3.71))
"""VeriSim, table A7 (Qwen-2.5-72B): pillars, noisy accuracy, difference, turns in % more, realism."""

SWEEP = ((0.12, 99.6), (0.34, 95.1), (0.51, 94.0), (0.63, 93.3))
"""VeriSim, table A2: surface variation and preservation in % at levels 0 to 3."""

ABLATION = {
    "Halluc. Rate": (24.2, 17.8, 6.7),
    "Consist. Rate": (67.5, 79.8, 93.3),
    "Realism (1-5)": (4.18, 4.11, 4.05),
}
"""VeriSim, table 4: no control, prompt, verifier."""

REFINEMENT = {
    "Corrected on attempt 1": 23,
    "Corrected on attempt 2": 74,
    "Routed to conservative fallback": 3,
    "Reached the Doctor LLM": 0,
}
"""VeriSim, table A4, in % of flagged claims."""

MATCHING = {
    "Exact string": ((79.1, 64.0, -15.1), (54.0, 29.8, -24.2)),
    "ICD-10 + UMLS": ((84.5, 69.2, -15.3), (58.0, 33.5, -24.5)),
    "LLM judge": ((86.8, 71.9, -14.9), (60.3, 35.7, -24.6)),
}
"""VeriSim, table A8: clean, noisy and difference, of Qwen-2.5-72B and Mistral-7B."""

FAILURES = {"misdirection": 43.6, "ambiguity": 38.2, "premature": 18.2}
"""VeriSim, limitations: failure modes in % of wrong diagnoses, as people classified them."""

AUDIT = (
    ("Llama-3.3-70B-Instruct", 1505, 194, 55, 98, 1353),
    ("Qwen3-4B", 1453, 357, 14, 47, 1392),
    ("Qwen3-32B", 1470, 375, 22, 68, 1380),
    ("MedGemma-4b-it", 1384, 236, 24, 84, 1276),
    ("MedGemma-27b-text-it", 1531, 144, 48, 62, 1421),
    ("GPT-5.4-nano", 1519, 150, 64, 54, 1401),
)
"""DischargeBench, table 9: complete, short, character breaks, short with low TCS, retained; of 1,600 sessions."""

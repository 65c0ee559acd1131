"""Drug classes told by the end of a generic name.

International nonproprietary names carry a stem for the class: whatever ends in "-pril" is an ACE inhibitor. That gives
a class to thousands of names that the core tables do not list. Only stems that hold without exception among marketed
drugs are here; "-ine" or "-ol" say nothing.
"""

__all__ = ["classes_of"]

_STEMS = {
    "afil": "pde5-inhibitor",
    "alol": "beta-blocker",
    "azepam": "benzodiazepine",
    "azolam": "benzodiazepine",
    "azosin": "alpha-blocker",
    "bactam": "beta-lactamase-inhibitor-combination",
    "bendazole": "anthelmintic",
    "buvir": "hepatitis-antiviral",
    "caine": "local-anesthetic",
    "ciclib": "cdk4-6-inhibitor",
    "cillin": "penicillin-class",
    "citinib": "jak-inhibitor",
    "conazole": "azole-antifungal",
    "coxib": "cox-2-inhibitor",
    "cycline": "tetracycline-class",
    "dronate": "bisphosphonate",
    "dronic acid": "bisphosphonate",
    "fibrate": "fibrate",
    "floxacin": "fluoroquinolone",
    "fungin": "echinocandin",
    "gatran": "direct-thrombin-inhibitor",
    "gepant": "cgrp-inhibitor",
    "gliflozin": "sglt2-inhibitor",
    "gliptin": "dpp-4-inhibitor",
    "glitazone": "thiazolidinedione",
    "glutide": "glp-1-receptor-agonist",
    "grastim": "g-csf",
    "limus": "immunosuppressant",
    "lukast": "leukotriene-receptor-antagonist",
    "mycin": "antibiotic",
    "olol": "beta-blocker",
    "orexant": "orexin-antagonist",
    "oxetine": "antidepressant",
    "parib": "parp-inhibitor",
    "parin": "heparin-class",
    "penem": "carbapenem",
    "pitant": "nk1-antagonist",
    "prazole": "proton-pump-inhibitor",
    "pril": "ace-inhibitor",
    "prilat": "ace-inhibitor",
    "prost": "prostaglandin",
    "rubicin": "anthracycline",
    "sartan": "arb",
    "sentan": "endothelin-receptor-antagonist",
    "setron": "5-ht3-antagonist",
    "statin": "statin",
    "tegravir": "integrase-inhibitor",
    "teplase": "thrombolytic",
    "terol": "bronchodilator",
    "thiazide": "thiazide-diuretic",
    "tidine": "h2-blocker",
    "tinib": "tyrosine-kinase-inhibitor",
    "triptan": "triptan",
    "triptyline": "tricyclic-antidepressant",
    "vaptan": "vasopressin-antagonist",
    "xaban": "direct-factor-xa-inhibitor",
    "zomib": "proteasome-inhibitor",
    "cort": "corticosteroid",
}
# Names that end like a class and are none of it.
_EXCEPTIONS = {
    "aripiprazole": (),
    "brexpiprazole": (),
    "nystatin": ("antifungal",),
    "pentostatin": (),
    "cilastatin": (),
    "somatostatin": (),
    "cholestyramine": (),
    "bleomycin": ("antineoplastic",),
    "mitomycin": ("antineoplastic",),
    "plicamycin": ("antineoplastic",),
    "dactinomycin": ("antineoplastic",),
    "natamycin": ("antifungal",),
    "pitolisant": (),
    "guanfacine": (),
    "clonidine": ("central-alpha-agonist",),
    "romidepsin": (),
    "atomoxetine": ("adhd-agent",),
    "timolol": ("beta-blocker",),
    "ergosterol": (),
    "cholesterol": (),
    "ecabet": (),
    "anastatin": (),
}  # fmt: skip
_MIN_PREFIX = 2


def classes_of(name: str) -> tuple[str, ...]:
    """Return the core ids of the classes that a generic name ends in; the longest stem counts."""
    word = name.lower().split()[0] if " acid" not in name.lower() else name.lower()
    if word in _EXCEPTIONS:
        return tuple(f"class:{known}" for known in _EXCEPTIONS[word])
    for length in range(len(word) - _MIN_PREFIX, 3, -1):
        if (known := _STEMS.get(word[-length:])) is not None:
            return (f"class:{known}",)
    return ()

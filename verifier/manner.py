"""What no patient says, whatever its record holds: words of a model, of a clinician, of an assistant, of a narrator."""

import re

from bedside.verifier.language.pattern import Pattern
from bedside.verifier.language.text import STOPWORDS
from bedside.verifier.verdict import Violation

__all__ = ["breaks_character", "manner"]

_AI = Pattern(
    r"\b(?:as an? (?:ai|artificial|language model|assistant|virtual)|i(?:'m| am) (?:just |only )?an? (?:ai|language "
    r"model|virtual|artificial|chat ?bot|assistant|computer program)|"
    r"language model|i (?:cannot|can't) (?:roleplay|role-play|provide medical)|openai|my training data|"
    r"simulated patient|as the patient,|my (?:instructions|system prompt|programming))\b",
    re.IGNORECASE,
)
_TESTS = r"(?:an?|some|a few|the|more) (?:\w+ )?(?:tests?|blood\w*|labs?|scans?|x-?rays?|ultrasounds?|ct|mri|ekg|ecg)"
_CLINICIAN = Pattern(
    r"^\W*(?:doctor|dr|physician|nurse|clinician|educator)\s*:|\b(?:i(?:'d| would)? (?:recommend|prescribe|"
    r"advise)|i(?:'m| am) going to (?:prescribe|order|refer)|"
    rf"i(?:'d| would)(?: (?:like|want) to)? (?:prescribe|refer|examine|(?:order|run) {_TESTS})|i(?:'d| would) suggest|"
    rf"let's (?:see you (?:back|again)|(?:order|run) {_TESTS}|start you|get you started)|thank you for coming in\b|"
    r"(?:do you have )?any other concerns\b(?= today|\?)|"
    r"sounds (?:like|as (?:if|though)) you(?:'re| are| may be| might be| could be) (?:having|experiencing|suffering|"
    r"dealing)|(?:does|is) (?:the|your) (?:pain|cough|headache|rash) (?:\w+ )?(?:to|into|down|up) your\b|"
    r"on a scale (?:of|from) (?:1|one) to (?:10|ten),? (?:how|what)|"
    r"let me (?:examine|check your|order|prescribe)|how (?:can|may) i (?:help|assist)|"
    r"(?:can|could|may) i (?:help|assist) you|i(?:'m| am) dr\b|your test results show|"
    r"i(?:'m| am) (?:your|the) (?:doctor|nurse|physician|clinician)|final diagnosis|the patient's (?:chart|record|"
    r"history|condition|symptoms)|(?:checking|check) (?:in|up) on (?:you|her|him|the patient)|"
    r"i(?:'m| am) (?:just |only )?here to (?:discuss|review|examine|check|treat) (?:your|you|the patient)|"
    r"what brings you (?:in|here)|how are you feeling (?:today|now|this)|"
    r"(?:can|could) you (?:please )?(?:tell me (?:more )?about|describe) your (?:symptoms?|pain|medical|history)|"
    r"(?:do|did) you have any (?:allergies|medical conditions|other symptoms|family history)|"
    r"are you (?:currently )?(?:taking|on) any (?:other )?(?:medications?|medicines?)|"
    r"when did (?:your|these) (?:symptoms?|pain) (?:start|begin))\b",
    re.IGNORECASE,
)
_HELPER = Pattern(
    r"\b(?:let me know if you (?:have|need|would|want|'d)|feel free to (?:ask|contact|reach)|"
    r"i(?:'m| am) (?:just |only )?(?:here|happy|glad) to (?:help|assist|answer) |"
    r"(?:i )?hope (?:this|that) helps|(?:i'd|i would) be (?:happy|glad) to (?:help|assist|answer)|"
    r"anything else (?:that )?i can (?:help|assist|do for) you|thank you for (?:reaching out|providing|contacting)|"
    r"(?:you (?:should|need to|must|may want to)|please|(?:it's|it is) (?:best|important) to) (?:consult|see|contact|"
    r"speak (?:with|to)|talk to|seek) (?:a |an |your |immediate |medical |professional |with )|"
    r"it(?:'s| is) important to note|"
    r"here (?:is|are|'s) (?:an?|some|the|my) (?:possible |revised |short )?(?:responses?|answers?|repl(?:y|ies)|"
    r"summary|dialogue)|"
    r"based on (?:the|your|this) (?:symptoms|information|record|description|medical))\b"
    # Told from outside, as in a chart.
    r"|(?:^|[.!?]\s+)(?:the|this) patient (?:is|was|has|had|says?|said|states?|reports?|denies|presents?|complains?|"
    r"appears?)\b",
    re.IGNORECASE,
)
# The commonest words of Spanish, Portuguese, French, Italian and German that English has not.
_OTHER_TONGUES = Pattern(
    r"\b(?:que|el|la|los|las|por|para|con|pero|desde|hace|muy|estoy|tengo|duele|não|nao|uma|tenho|dói|minha|meu|"
    r"je|j'ai|le|les|une|des|depuis|mais|avec|pas|suis|mal|ich|und|der|das|nicht|habe|seit|mein|meine|ist|"
    r"il|che|sono|ho|mi|della|anche|gli|ein|eine|mir|mich|du|es)\b",
    re.IGNORECASE,
)
_LATIN = "\u024f"
_FEW = 4
_NO_WORD = 60
_OUT_OF_ROLE: tuple[tuple[Violation, Pattern], ...] = (
    ("ai_disclosure", _AI),
    ("role_reversal", _CLINICIAN),
    ("helper_voice", _HELPER),
)


def breaks_character(utterance: str) -> bool:
    """Return whether a speaker says that it is a model (a break of character in DischargeBench, table 9)."""
    return bool(_AI.search(utterance))


def manner(utterance: str) -> list[Violation]:
    """Return what is wrong with an utterance whatever the record says: out of role, or no words at all."""
    found: list[Violation] = [violation for violation, pattern in _OUT_OF_ROLE if pattern.search(utterance)]
    if not utterance.strip() or _foreign(utterance):
        found.append("unreadable")
    return found


def _foreign(utterance: str) -> bool:
    """True for another language, or for letters that are no words: nothing in it could be checked."""
    letters = [c for c in utterance if c.isalpha()]
    if len(letters) > _FEW and sum(c > _LATIN for c in letters) > len(letters) / 2:
        return True
    words = utterance.lower().split()
    if len(words) < _FEW:
        return any(len(word) > _NO_WORD for word in words)
    english = sum(word.strip(".,!?'") in STOPWORDS for word in words)
    return len({word.lower() for word in _OTHER_TONGUES.findall(utterance)}) > max(1, english)

"""Chat models that answer a judge's request by rule, reading it as a model would."""

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

from bedside.chat.model import Message

Rate = Callable[[str, tuple[float, ...], dict[str, Any]], float]


def data_of(messages: Sequence[Message]) -> dict[str, Any]:
    found = re.search(r"<data>\n(.*?)\n</data>", messages[1].content, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def items_of(messages: Sequence[Message]) -> dict[str, tuple[float, ...]]:
    listed = messages[0].content.partition("each on its own scale:\n")[2]
    return {
        name: tuple(map(float, re.findall(r"[\d.]+", scale.partition("assigned")[0])))
        for name, scale in re.findall(r"^- (\S+): (.*)$", listed, re.MULTILINE)
    }


def rating_model(rate: Rate, **extra: Any) -> Callable[[Sequence[Message]], str]:
    """Rates every item by a function of name, scale and data, quoting the clinician's first words; claims nothing."""

    def answer(messages: Sequence[Message]) -> str:
        data, items = data_of(messages), items_of(messages)
        if not items:
            return json.dumps({"key": data["key"], "claims": extra.get("claims", [])})
        spoken = [turn["text"] for turn in data.get("talk", []) if turn["role"] != "patient"]
        quote = extra.get("quote", spoken[0] if spoken else "")
        ratings = [
            {"item": name, "quote": quote, "reason": "because", "rating": rate(name, scale, data)}
            for name, scale in items.items()
        ]
        return json.dumps({"key": data["key"], "ratings": ratings})

    return answer


def top(name: str, scale: tuple[float, ...], data: dict[str, Any]) -> float:
    return scale[-1]

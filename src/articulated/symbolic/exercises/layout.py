"""The layout of an answer: where its entries begin and end, what they are called, letters it defines."""

import re
from collections.abc import Mapping
from typing import Any

from .spelling import GREEK

ROW = re.compile(r"(?<![-+*/,;(\[{=&\\\s])\s*\n\s*(?![-+*/,;)\]}=&\s])")  # a line that ends as no formula goes on
ENTRY = re.compile(r"[A-Za-z]+_?\{?(\d),?\s*(\d)\}?")
DEFINED = re.compile(  # h = m2 l1 d2 s2, before the answer or behind it
    r"(?:^|[;,\n]|\\\\|\\text\{[^{}]*\}|\b(?:with|where)\b)\s*([A-Za-zα-ω]|\\[a-z]+)\s*=([^;,=\n]+)(?=[;,\n]|\\\\|$)"
)
BETWEEN = re.compile(r"(?<=[\w)\].'²])[ \t]+(?=[\w(\\]|[-+]\S)")  # entries that MATLAB takes apart


def readings(text: str) -> list[str]:
    """The text, and what it may mean where that has another shape: 0,5 as a decimal, [a b; c d] as MATLAB reads it."""
    found = [text, re.sub(r"(?<=\d),(?=\d)", ".", text), _with_commas(text)]
    return list(dict.fromkeys(found))


def _with_commas(text: str) -> str:
    """Spaces between the entries of a row as commas, those within brackets as they are."""
    pieces = re.split(r"(\([^()]*(?:\([^()]*(?:\([^()]*\)[^()]*)*\)[^()]*)*\))", text)
    held = "".join(f"({k})" if k % 2 else x for k, x in enumerate(pieces))
    return re.sub(r"\((\d+)\)", lambda found: pieces[int(found[1])], BETWEEN.sub(", ", held))


def definitions(text: str, known: Mapping[str, Any]) -> tuple[str, dict[str, str]]:
    """The text without the letters it defines and uses, and what these stand for."""
    own: dict[str, str] = {}
    left = text
    for found in DEFINED.finditer(text):
        name, rest = found[1], text[: found.start(1)] + text[found.end() :]
        if name not in known and re.search(rf"(?<![A-Za-z\\]){re.escape(name)}(?![A-Za-z0-9_{{])", rest):
            own[GREEK.get(name, name.lstrip("\\"))] = found[2]
            left = left.replace(found[0], "", 1)
    return left.strip(" ;,\n"), own


def unnamed(text: str) -> str:
    """g = [a; b], g1 = a; g2 = b or M11 = a, M12 = b … without what stands before the equals signs."""
    text = re.sub(r"\\(?:begin|end)\{align(?:ed)?\*?\}", "", text.replace("$", ""))
    text = re.sub(r"\b([A-Za-z])\((\d)\s*,\s*(\d)\)", r"\1\2\3", re.sub(r"\band\b", ";", text))  # M(1,2)
    text = ROW.sub(";", re.sub(r"\.\.\.\s*\n", " ", text).strip(" \n.;,"))
    if text.count("=") < 2:
        return text.rpartition("=")[2]
    parts = [part.replace("&", "").split("=") for part in re.split(r"[;\n]|\\\\|,(?=[^=,]*=)", text) if "=" in part]
    entries = {
        tuple(found.groups()): x
        for *names, x in parts
        for name in names
        if (found := ENTRY.fullmatch(name.strip())) and not ENTRY.fullmatch(x.strip())
    }
    if not entries:
        parts.sort(key=lambda part: int((re.findall(r"\d+", part[0]) or ["0"])[-1]))  # g2 before g1, too
        return "[" + "; ".join(x for *_, x in parts) + "]"
    indices = sorted({index for place in entries for index in place})
    rows = ([entries.get((i, j), entries.get((j, i), "")) for j in indices] for i in indices)  # a symmetric one
    return "[" + "; ".join(map(",".join, rows)) + "]"

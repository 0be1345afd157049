"""The program in the page that makes drawing cheap where no graphics card helps; see drawing.js."""

import gzip
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def program() -> str:
    """The program as a script element."""
    text = files(__package__).joinpath("drawing.js").read_text(encoding="utf-8")
    return f"<script>{text}</script>"


def with_program(page: str) -> str:
    """A page of viser that runs it before anything else."""
    start = page.index("<head>") + len("<head>")
    return page[:start] + program() + page[start:]


def served(response: Any) -> None:
    """Put it into an answer of the server, if that is the page."""
    if response.headers.get("Content-Type", "").startswith("text/html"):
        packed = response.headers.get("Content-Encoding") == "gzip"
        response.body = _packed(response.body) if packed else with_program(response.body.decode()).encode()
        del response.headers["Content-Length"]
        response.headers["Content-Length"] = str(len(response.body))


@cache
def _packed(body: bytes) -> bytes:
    return gzip.compress(with_program(gzip.decompress(body).decode()).encode(), compresslevel=1)

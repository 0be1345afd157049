"""Files and folders that pages, docstrings and comments name, and which of them are not there."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

#: `emit/llvm/rows.py`, `results.md`, `src/articulated/files/catalogue/*.toml`; not the end of a word or an address
FILE = re.compile(r"(?<![\w/.<@-])((?:[\w.*-]+/)*[\w*-]+\.(?:py|ll|md|yml)|(?:src|tests|docs)/[\w./*-]*\w)\b")
#: python -m tests.files.fuzz
COMMAND = re.compile(r"python -m ((?:articulated|benchmarks|tests)(?:\.\w+)+)")
#: `fast/` in code marks, or a path of several folders
FOLDER = re.compile(r"(?<![\w/.])`((?:[\w.-]+/)+)`|(?<![\w/.`])((?:[a-z_]+/){2,})(?=[\s,.;:)]|$)")
FENCED = re.compile(r"^```.*?^```", re.M | re.S)


def mentioned(path: Path) -> Iterator[str]:
    """Every file or folder a file speaks of; in Python its docstrings and comments, elsewhere all but code blocks."""
    for text in _prose(path):
        yield from (match[1] for match in FILE.finditer(text))
        yield from (f"{match[1].replace('.', '/')}.py" for match in COMMAND.finditer(text))
        yield from (match[1] or match[2] for match in FOLDER.finditer(text))


def missing(path: Path, known: set[str]) -> list[str]:
    """Files it mentions that are not there; `known` are all files and folders, as posix paths.

    An extension need not be there: it is built if there is a C compiler.
    """
    named = {name for name in mentioned(path) if not name.endswith(".so")}
    return sorted(name for name in named if not _found(name.rstrip("/").removeprefix("./"), path.parent, known))


def everything(root: Path, folders: list[str]) -> set[str]:
    """All files and folders in some folders of `root`, and the files beside them."""
    inside = [path for folder in folders for path in [root / folder, *(root / folder).rglob("*")]]
    beside = [path for path in root.iterdir() if path.is_file()]
    return {path.relative_to(root).as_posix() for path in inside + beside if "__pycache__" not in path.parts}


def _found(name: str, here: Path, known: set[str]) -> bool:
    """From here, from the top, or as the end of a path."""
    return (here / name).exists() or any(fnmatch(f"/{path}", f"*/{name}") for path in known)


def _prose(path: Path) -> Iterator[str]:
    text = path.read_text("utf-8")
    if path.suffix != ".py":
        yield FENCED.sub("", text).replace("\\_", "_")
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            yield ast.get_docstring(node) or ""

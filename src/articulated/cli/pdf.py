"""A LaTeX article as a PDF, by the TeX of the machine."""

import shutil
import subprocess
import tempfile
from pathlib import Path

from .exit_codes import BadInput, BadUsage
from .output import say, whole_file

SECONDS = 300
RUNS = 3  # to number the pages, to print the contents, and to number them with it
MISSING = (
    "--format pdf needs a TeX, and there is neither pdflatex nor tectonic here. Debian, Ubuntu: "
    "apt install texlive-latex-base texlive-latex-recommended lmodern; macOS: MacTeX; Windows: MiKTeX. "
    "Without one: --format html needs only a browser (which prints), --format tex is the source"
)


def check_for_tex(output: str) -> None:
    """Refuse a PDF where it cannot be made, before the derivation."""
    if not _program():
        raise BadInput(MISSING)
    if not output:
        raise BadUsage("--format pdf needs --output FILE")


def _program() -> str | None:
    return shutil.which("pdflatex") or shutil.which("tectonic")


def write_pdf(tex: str, output: str) -> None:
    """Typeset in a folder of its own; the file appears when it is whole."""
    with tempfile.TemporaryDirectory() as place:
        source = Path(place) / "derivation.tex"
        source.write_text(tex, encoding="utf-8")
        log = _typeset(source)
        made = source.with_suffix(".pdf")
        if not made.exists() or "\n! " in log:
            reason = next((line for line in log.splitlines() if line.startswith("! ")), "it said nothing")
            raise BadInput(f"TeX did not accept the document: {reason}. --format tex writes the source")
        with whole_file(Path(output), "wb") as file:
            file.write(made.read_bytes())


def _typeset(source: Path) -> str:
    """Run TeX until its table of contents has settled; returns the last log."""
    program = _program()
    assert program is not None  # see `check_for_tex`
    # names in the document must not run programs
    options = ["-interaction=nonstopmode", "-no-shell-escape"] if "pdflatex" in Path(program).name else []
    say("typesetting …")
    for _ in range(RUNS if options else 1):
        try:
            done = subprocess.run(
                [program, *options, source.name], cwd=source.parent, capture_output=True, check=False, timeout=SECONDS
            )
        except subprocess.TimeoutExpired:
            raise BadInput(f"TeX took more than {SECONDS} s; --format html needs only a browser") from None
    return done.stdout.decode("utf-8", "replace")

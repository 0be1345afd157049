"""A LaTeX article as a PDF, by the TeX of the machine."""

import shutil
import subprocess
import tempfile
from pathlib import Path

from ..housekeeping import whole_file
from .exit_codes import BadInput, BadUsage
from .output import say

SECONDS = 300
#: arguments of each program, which must not run others, and how often it runs: the contents are numbered by the third
PROGRAMS = {"pdflatex": (["-interaction=nonstopmode", "-no-shell-escape"], 3), "tectonic": ([], 1)}
MISSING = (
    "--format pdf needs a TeX, and there is neither pdflatex nor tectonic here. Debian, Ubuntu: "
    "apt install texlive-latex-base texlive-latex-recommended lmodern; macOS: MacTeX; Windows: MiKTeX. "
    "Without one: --format html needs only a browser (which prints), --format tex is the source"
)


def check_for_tex(output: str) -> str:
    """The TeX of the machine; a PDF that cannot be made is refused, before the derivation."""
    found = next(filter(shutil.which, PROGRAMS), None)
    if found is None:
        raise BadInput(MISSING)
    if not output:
        raise BadUsage("--format pdf needs --output FILE")
    return found


def write_pdf(tex: str, output: str) -> None:
    """Typeset in a folder of its own; the file appears when it is whole."""
    program = check_for_tex(output)
    options, runs = PROGRAMS[program]
    say("typesetting …")
    with tempfile.TemporaryDirectory() as place:
        source = Path(place) / "derivation.tex"
        source.write_text(tex, encoding="utf-8")
        command = [shutil.which(program) or program, *options, source.name]
        for _ in range(runs):
            try:
                done = subprocess.run(command, cwd=place, capture_output=True, check=False, timeout=SECONDS)
            except subprocess.TimeoutExpired:
                raise BadInput(f"TeX took more than {SECONDS} s; --format html needs only a browser") from None
        log, made = done.stdout.decode("utf-8", "replace"), source.with_suffix(".pdf")
        if not made.exists() or "\n! " in log:
            reason = next((line for line in log.splitlines() if line.startswith("! ")), "it said nothing")
            raise BadInput(f"TeX did not accept the document: {reason}. --format tex writes the source")
        with whole_file(Path(output), "wb") as file:
            file.write(made.read_bytes())

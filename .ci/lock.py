"""Renews .ci/ubuntu-3.11.lock on Linux with Python 3.11: `python .ci/lock.py`.

Every package of the extra `dev` and of the build, with the hash of its wheel; `make … LOCK=.ci/ubuntu-3.11.lock`
installs these and no others.
"""

import json
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCK = ROOT / ".ci" / "ubuntu-3.11.lock"


def main() -> None:
    """Ask pip what it would install."""
    build = tomllib.loads((ROOT / "pyproject.toml").read_text())["build-system"]["requires"]
    build.append("editables")  # hatchling asks for it when it is installed from here
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", "--report", "-"]
    done = subprocess.run([*pip, "--only-binary", ":all:", f"{ROOT}[dev]", *build], capture_output=True, check=True)
    lines = {}
    for found in json.loads(done.stdout)["install"]:
        name, version = found["metadata"]["name"].lower().replace("_", "-"), found["metadata"]["version"]
        if name != "articulated":
            digest = found["download_info"]["archive_info"]["hashes"]["sha256"]
            lines[name] = f"{name}=={version} --hash=sha256:{digest}"
    LOCK.write_text("\n".join(["# written by .ci/lock.py", *(lines[name] for name in sorted(lines)), ""]))


if __name__ == "__main__":
    main()

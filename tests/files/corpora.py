"""URDF files of packages and folders; `python -m tests.files.corpora FOLDER` says what becomes of each file."""

import sys
from collections import Counter
from importlib import metadata
from pathlib import Path

import articulated as art


def package_files(package: str) -> list[Path]:
    try:
        files = metadata.files(package) or []
    except metadata.PackageNotFoundError:
        return []
    return sorted(Path(str(entry.locate())) for entry in files if entry.suffix == ".urdf")


def urdf_files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.urdf"))


def main(folder: Path) -> None:
    codes: Counter[str] = Counter()
    for path in urdf_files(folder):
        try:
            art.load(path)
            codes["loads"] += 1
        except art.ArticulatedError as problem:
            first = problem.diagnostics[0]
            codes[first.code] += 1
            print(f"{path.relative_to(folder)}:{first.line}: {first.code} {first.text[:100]}")
    print(dict(codes))


if __name__ == "__main__":
    main(Path(sys.argv[1]))

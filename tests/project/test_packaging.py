"""Metadata of the package; `make dist` looks at the files that would be uploaded."""

import ast
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

import articulated as art

ROOT = Path(__file__).parents[2]
SETTINGS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PROJECT = SETTINGS["project"]
#: extras for those who work on the package, or, as PyTorch and JAX, too large to come along unasked
OURS = {"test", "bench", "dev", "docs", "torch", "jax"}


def test_all_is_every_extra_of_a_user():
    (everything,) = PROJECT["optional-dependencies"]["all"]
    named = set(everything.partition("[")[2].rstrip("]").split(","))
    assert named == PROJECT["optional-dependencies"].keys() - OURS - {"all"}


def test_it_installs_where_llvmlite_does_not_exist():
    requirements = pytest.importorskip("packaging.requirements")
    (llvmlite,) = [requirements.Requirement(x) for x in PROJECT["dependencies"] if x.startswith("llvmlite")]
    usual = {"platform_python_implementation": "CPython", "sys_platform": "linux"}
    assert llvmlite.marker.evaluate(usual)
    assert not llvmlite.marker.evaluate({**usual, "sys_platform": "emscripten"})
    assert not llvmlite.marker.evaluate({**usual, "platform_python_implementation": "PyPy"})


def test_addresses_license_and_citation_agree():
    address = SETTINGS["tool"]["hatch"]["metadata"]["hooks"]["custom"]["repository"]
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if files.returncode == 0:  # not in an archive of the sources
        texts = [
            ROOT / name for name in files.stdout.split("\n") if name.endswith((".py", ".md", ".toml", ".cff", ".yml"))
        ]
        assert sum(path.read_text("utf-8").count(address) for path in texts if path.exists()) == 1
    citation = (ROOT / "CITATION.cff").read_text("utf-8")
    assert PROJECT["license"] == "BSD-3-Clause" and "license: BSD-3-Clause\n" in citation
    assert "cff-version: 1.2.0" in citation and "urls" in PROJECT["dynamic"]


def test_links_of_the_readme_work_on_the_package_index():
    """Absolute, pictures as such; run as it stands in hatch_build.py, whose own imports need not be here."""
    hook = ast.parse((ROOT / "hatch_build.py").read_text("utf-8"))
    parts = [node for node in hook.body if isinstance(node, (ast.Assign, ast.FunctionDef)) and "LINK" in ast.dump(node)]
    names = {"re": re}
    exec(compile(ast.Module(parts, []), "hatch_build.py", "exec"), names)
    source = SETTINGS["tool"]["hatch"]["metadata"]["hooks"]["custom"]["repository"]
    shown = names["absolute"]((ROOT / "README.md").read_text("utf-8"), source)
    pictures = re.findall(r"!\[[^\]]*\]\(([^)]+)\)", shown)
    links = re.findall(r"(?<!!)\[[^\]]+\]\(([^)]+)\)", shown)
    assert pictures and all(address.startswith(f"{source}/raw/main/") for address in pictures)
    assert len(links) > 15 and all(address.startswith(f"{source}/blob/main/") for address in links)
    for address in [*pictures, *links]:
        assert (ROOT / address.partition("/main/")[2].partition("#")[0]).exists()


def test_no_strangers_among_the_names():
    assert dir(art) == sorted(art.__all__) and "TYPE_CHECKING" not in dir(art) and "find_spec" not in dir(art)


def test_the_version_is_that_of_the_installed_package():
    from importlib import metadata

    try:
        expected = metadata.version("articulated")
    except metadata.PackageNotFoundError:
        expected = "0+unknown"
    assert art.__version__ == expected

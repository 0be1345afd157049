"""Builds the extensions in C beside their sources, and the page of the package index from the README.

Without a compiler the wheel is pure Python, and as good but for speed.

`ARTICULATED_EXTENSION=required` makes a failure an error, `off` does not try.
"""

import os
import re
import subprocess
import sys
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

#: extensions by module, and their sources beside them
EXTENSIONS = {
    "articulated.compiler.runtime._call": ("_call.c", "_callee.c", "_run.c", "_memory.c"),
    "articulated.control.qp._native": ("_native.c", "tick.c", "active_set.c", "lanes.c"),
    "articulated.bridges._casadi": ("_casadi.c",),  # none of Python, but what CasADi loads
}


#: `![` and the text of a picture, or nothing; the address of what is linked, if it is a file
LINK = re.compile(r"(!\[[^\]]*)?\]\((?!https?://|#)([^)]+)\)")


def absolute(text, source):
    """Markdown with links to the files of a repository; pictures come as they are, not on a page that shows them."""
    return LINK.sub(lambda m: f"{m[1] or ''}]({source}/{'raw' if m[1] else 'blob'}/main/{m[2]})", text)


#: what the package index links to, below the address of the repository
ADDRESSES = {"Homepage": "", "Documentation": "/tree/main/docs", "Source": "", "Changelog": "/blob/main/CHANGELOG.md",
             "Issues": "/issues"}  # fmt: skip


class ReadmeHook(MetadataHookInterface):
    """The README as the package index shows it: a link to a file leads to the repository; and the links beside it."""

    def update(self, metadata):
        """Called for every build."""
        repository = self.config["repository"]
        text = Path(self.root, "README.md").read_text("utf-8")
        metadata["urls"] = {name: f"{repository}{below}" for name, below in ADDRESSES.items()}
        metadata["readme"] = {"content-type": "text/markdown", "text": absolute(text, repository)}


class CustomBuildHook(BuildHookInterface):
    """Extensions for this interpreter, in a wheel of its own."""

    def initialize(self, version, build_data):
        """Before a wheel is packed, an editable one too."""
        self._write_stubs(build_data)
        wish = os.environ.get("ARTICULATED_EXTENSION", "").lower()
        try:
            if wish in ("off", "0", "no"):
                raise RuntimeError("switched off by ARTICULATED_EXTENSION")
            built = [_built(Path(self.root), module) for module in EXTENSIONS]
        except BaseException as problem:  # a compiler that fails ends in SystemExit
            if wish == "required" or isinstance(problem, KeyboardInterrupt):
                raise
            self.app.display_warning(f"without its extensions in C the library is slower: {problem}")
            return
        # by name: files that other interpreters left beside it stay out of this wheel
        build_data["artifacts"] += [f"/{path.relative_to(self.root).as_posix()}" for path in built]
        build_data["pure_python"], build_data["infer_tag"] = False, True

    def _write_stubs(self, build_data):
        """What type checkers and editors read of the methods that are rows of a table."""
        command = [sys.executable, "-m", "docs.site.stubs"]
        environment = {**os.environ, "PYTHONPATH": str(Path(self.root, "src"))}
        try:
            told = subprocess.run(command, cwd=self.root, env=environment, check=True, capture_output=True, text=True)
        except (OSError, subprocess.CalledProcessError) as problem:
            self.app.display_warning(f"no stubs for type checkers: {getattr(problem, 'stderr', None) or problem}")
            return
        build_data["artifacts"] += [f"/{name}" for name in told.stdout.split()]


def _built(root: Path, module: str) -> Path:
    """An extension, compiled anew."""
    folder = Path("src", *module.split(".")[:-1])
    if sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED"):
        raise RuntimeError("the extensions in C need CPython with a GIL")
    import numpy
    from setuptools import Distribution, Extension

    windows = sysconfig.get_platform().startswith("win")
    sources = [str(folder / name) for name in EXTENSIONS[module]]
    same = ["-fno-math-errno", "-fno-trapping-math"]  # nobody asks: the same numbers, sooner
    flags = ["/std:c11", "/experimental:c11atomics"] if windows else ["-std=c11", "-O3", *same]
    options = {"include_dirs": [numpy.get_include()], "define_macros": [("NDEBUG", None)], "extra_compile_args": flags}
    extension = Extension(module, sources, **options)
    command = Distribution({"package_dir": {"": "src"}, "ext_modules": [extension]}).get_command_obj("build_ext")
    command.inplace = command.force = True
    with TemporaryDirectory() as scratch:
        command.build_lib = command.build_temp = scratch
        command.ensure_finalized()
        built = root / folder / Path(command.get_ext_filename(module)).name
        built.unlink(missing_ok=True)  # an old one must not outlive a build that fails
        command.run()
    return built

"""A frozen program has the robots of the catalogue, and the modules that are imported by name on their first use."""

from PyInstaller.utils.hooks import collect_data_files, collect_submodules


def wanted(module: str) -> bool:
    """Bridges are there for who imports them: each would bring PyTorch, JAX, CasADi or Gymnasium."""
    return module.removeprefix("articulated.").split(".")[0] not in (
        "torch",
        "jax",
        "casadi",
        "gymnasium",
        "bridges",
        "_pyinstaller",
    )


datas = collect_data_files("articulated")
hiddenimports = collect_submodules("articulated", filter=wanted)

"""`articulated cache`: the kernels kept between runs."""

from ..click_commands import Option
from ..options import Json
from ..output import print_json


def cache(
    clear: bool = Option("--clear", help="Delete the kept kernels."),
    as_json: bool = Json,
) -> None:
    """Show, or clear, the machine code kept between runs.

    Examples:
      articulated cache
      articulated cache --clear
    """
    from ...compiler.runtime.cache import directory

    place = directory()
    files = [f for f in place.iterdir() if f.is_file() and not f.is_symlink()] if place and place.is_dir() else []
    size = sum(f.stat().st_size for f in files)
    if clear:
        for file in files:
            file.unlink(missing_ok=True)
    if as_json:
        fields = {"directory": str(place) if place else None, "files": len(files), "bytes": size, "cleared": clear}
        print_json("cache", fields)
    elif place is None:
        print("no cache: it is switched off, or there is no home directory")
    else:
        print(f"{place}: {len(files)} files, {size / 1e6:.1f} MB{', deleted' if clear else ''}")

"""`articulated completion`: names, frames, poses and options in your shell."""

from typing import Annotated

from ..completing import among
from ..declared import Argument
from ..guard import BadInput

SHELLS = ("bash", "zsh", "fish")


def completion(
    shell: Annotated[str, Argument(help="bash, zsh or fish.", complete=among(*SHELLS))],
) -> None:
    """Print the script that completes commands in a shell. Put it where the shell reads it, or eval it."""
    from click.shell_completion import get_completion_class

    from ..app import app

    made = get_completion_class(shell) if shell in SHELLS else None
    if made is None:
        raise BadInput(f"no completion for {shell!r}; there is one for {', '.join(SHELLS)}")
    print(made(app, {}, "articulated", "_ARTICULATED_COMPLETE").source())

"""`articulated completion`: names, frames, poses and options in your shell."""

from click.shell_completion import get_completion_class

from ..candidates import among
from ..click_commands import Argument
from ..exit_codes import BadInput

SHELLS = ("bash", "zsh", "fish")


def completion(shell: str = Argument(help=f"{', '.join(SHELLS)}.", complete=among(*SHELLS))) -> None:
    """Print the script that completes commands in a shell. The line below goes into the file it reads at its start.

    Examples:
      eval "$(articulated completion bash)"
      eval "$(articulated completion zsh)"
      articulated completion fish | source
    """
    from ..app import app

    script = get_completion_class(shell) if shell in SHELLS else None
    if script is None:
        raise BadInput(f"no completion for {shell!r}; there is one for {', '.join(SHELLS)}")
    print(script(app, {}, "articulated", "_ARTICULATED_COMPLETE").source())

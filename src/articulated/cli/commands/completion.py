"""`articulated completion`: names, frames, poses and options in your shell."""

from ..click_commands import Argument
from ..completing import among
from ..exit_codes import BadInput
from ..shells import SCRIPTS


def completion(
    shell: str = Argument(help=f"{', '.join(SCRIPTS)}.", complete=among(*SCRIPTS)),
) -> None:
    """Print the script that completes commands in a shell. The line below goes into the file it reads at its start.

    Examples:
      eval "$(articulated completion bash)"
      eval "$(articulated completion zsh)"
      articulated completion fish | source
    """
    if shell not in SCRIPTS:
        raise BadInput(f"no completion for {shell!r}; there is one for {', '.join(SCRIPTS)}")
    print(SCRIPTS[shell], end="")

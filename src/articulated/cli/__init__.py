"""The command line: one file per command, nothing here but the door."""

from .signals import heeded


def main() -> None:
    """The entry point `articulated`."""
    with heeded():
        from .app import run

        run()

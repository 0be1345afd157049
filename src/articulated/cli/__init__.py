"""The command line: one file per command, nothing here but the door."""


def main() -> None:
    """The entry point `articulated`."""
    from .app import run

    run()

"""What PyInstaller asks an installed package for: the folder with its hooks (entry point `pyinstaller40`)."""

import os


def hook_folders() -> list[str]:
    """This folder."""
    return [os.path.dirname(__file__)]

"""Folder of hooks for PyInstaller (entry point `pyinstaller40`)."""

import os


def hook_folders() -> list[str]:
    """This folder."""
    return [os.path.dirname(__file__)]

"""The viewer: a robot in a page of the browser, to look at, to move, and to learn from."""

from .show import view
from .viewer import Viewer

__all__ = ["Viewer", "view"]

"""No motion: the link is welded to its parent."""

from .base import Joint


class Fixed(Joint):
    """Welds a link to its parent; for the dynamics the two become one body."""

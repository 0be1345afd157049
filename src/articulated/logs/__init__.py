"""Logs: named numbers over time in files, read and written block by block; one module per format."""

from .bags import is_bag
from .fields import TIME, Block, Field, LogError, state_field
from .formats import FORMATS, READERS, Format, format_of, reader, writer
from .log import Log, Writer

__all__ = [
    "FORMATS", "READERS", "TIME", "Block", "Field", "Format", "Log", "LogError", "Writer",
    "format_of", "is_bag", "reader", "state_field", "writer",
]  # fmt: skip

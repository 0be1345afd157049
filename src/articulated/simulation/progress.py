"""Progress bar of a long run, on a terminal."""

import sys
import time

#: seconds before anything is said
PATIENCE = 2.0
_WIDTH = 30


class Progress:
    """A bar on stderr: if `shown`, or, where that is None, on a terminal and after some seconds."""

    def __init__(self, total: int, shown: bool | None, unit: str = "steps"):
        self.total, self.unit, self.shown = max(total, 1), unit, shown
        self.began = time.perf_counter()
        self.written = False

    def at(self, done: int) -> None:
        """So much is done."""
        now = time.perf_counter() - self.began
        if self.shown is None:
            if now < PATIENCE or not (sys.stderr and sys.stderr.isatty()):
                return
        elif not self.shown:
            return
        part = done / self.total
        bar = "█" * int(part * _WIDTH)
        left = now / part - now if part else 0.0
        text = f"\r{bar:<{_WIDTH}} {part:4.0%}  {done}/{self.total} {self.unit}, {left:.0f} s left "
        sys.stderr.write(text)
        sys.stderr.flush()
        self.written = True

    def end(self) -> None:
        """Leave the line."""
        if self.written:
            sys.stderr.write("\n")

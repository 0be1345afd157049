"""A shell in a terminal of its own, to type into and to look at."""

import fcntl
import os
import pty
import re
import select
import struct
import termios
import time

#: without anybody's settings
STARTED = {
    "bash": ["bash", "--noprofile", "--norc", "-i"],
    "zsh": ["zsh", "-f", "-i"],
    "fish": ["fish", "--no-config", "-i"],
}
#: of a terminal's own language
_CONTROL = re.compile(
    r"[\x00\x0e\x0f]|\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b[\]P][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[=>()][0-9A-B]?"
)


class Shell:
    """A shell of a name that starts in a folder, with these variables."""

    def __init__(self, name, folder, environment):
        self.name, self.folder = name, folder
        self.process, self.terminal = pty.fork()
        if not self.process:
            os.chdir(folder)
            os.execvpe(STARTED[name][0], STARTED[name], environment)
        fcntl.ioctl(self.terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 200, 0, 0))

    def type(self, text):
        os.write(self.terminal, text.encode())

    def shown(self, until, seconds=20.0):
        """Output until it matches; all of it is in the error if it does not."""
        found, end = "", time.monotonic() + seconds
        while not re.search(until, _CONTROL.sub("", found)):
            ready, _, _ = select.select([self.terminal], [], [], max(0.0, end - time.monotonic()))
            assert ready, f"{self.name} did not show {until!r} but {found!r}"
            found += os.read(self.terminal, 65536).decode(errors="replace")
        return _CONTROL.sub("", found)

    def completed(self, line):
        """The line as it is after its tabs: the shell itself says it, since each draws in its own way."""
        self.type(f"{line}\x01echo : \n")
        said = self.shown(r"[\r\n]: articulated[^\r\n]*\r?\n")
        return re.search(r"[\r\n]: (articulated[^\r\n]*)", said)[1].rstrip("\x00")

    def words(self, line, quote=""):
        """The words of an `articulated` line after its tabs, as a program gets them; a quote may be left open."""
        kept = self.folder / "kept"
        self.type(f"articulated {line}\x01keep \n")
        for wait in (5.0 if quote else 20.0, 20.0):
            end = time.monotonic() + wait
            while not kept.exists() and time.monotonic() < end:
                if select.select([self.terminal], [], [], 0.02)[0]:
                    os.read(self.terminal, 65536)  # a shell waits for who reads what it shows
            if kept.exists():
                found = kept.read_text().split("\0")
                kept.unlink()
                return found
            self.type(f"{quote}\n")
        raise AssertionError(f"{self.name} did not run {line!r}")

    def close(self):
        os.kill(self.process, 9)
        os.waitpid(self.process, 0)
        os.close(self.terminal)

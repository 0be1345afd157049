"""The lock of a page: one thread writes at a time, and none once another robot is shown or the browser has gone."""

import contextlib
import threading
from collections.abc import Callable
from typing import Any


class Gone(Exception):
    """Another robot is shown: what would be written to was removed."""


class Turn:
    """A lock for the page of one robot; `with turn:` raises Gone once that page has ended.

    viser calls what a person does in threads of a pool.  Such a call may come while another robot is opened, and what
    it then writes to a slider that was removed would be an error, or a complaint of the browser.
    """

    def __init__(self, complain: Callable[[object], None]):
        self._complain = complain
        self._lock = threading.RLock()  # what a callback sets may call another
        self._over = False

    def __enter__(self) -> None:
        self._lock.acquire()
        if self._over:
            self._lock.release()
            raise Gone

    def __exit__(self, *_: object) -> None:
        self._lock.release()

    def end(self) -> None:
        """Refuse every later turn."""
        with self._lock:
            self._over = True

    # -- callbacks ------------------------------------------------------------------------------

    def whenever(self, what: Callable[[], Any], program: bool = True) -> Callable[[Any], None]:
        """A callback for what a person sets, or the program."""

        def called(event: Any) -> None:
            if program or event.client is not None:
                with self:
                    what()

        return self.long(called)

    def by_hand(self, what: Callable[[], Any]) -> Callable[[Any], None]:
        """A callback for what a person does in a browser; not for what the program sets itself."""
        return self.whenever(what, program=False)

    def long(self, what: Callable[[Any], Any]) -> Callable[[Any], None]:
        """A callback that takes its time, and its turn only where it writes; what goes wrong is said in the page."""

        def called(event: Any) -> None:
            try:
                with contextlib.suppress(Gone):
                    what(event)
            except Exception as problem:  # in a thread of viser, which would print a traceback
                self._complain(problem)

        return called


def to_browser(client: Any) -> contextlib.AbstractContextManager[None]:
    """Send to one browser, which may have closed its tab; viser's warnings about that are dropped."""
    buffer = client._websock_connection.get_message_buffer()
    found: contextlib.AbstractContextManager[None] = getattr(buffer, "sanctioned_dead_writes", contextlib.nullcontext)()
    return found

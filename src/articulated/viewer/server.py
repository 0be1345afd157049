"""The server of the page: for this machine only, for its own page only, and nothing from elsewhere."""

import contextlib
import http
import logging
import secrets
import threading
from collections.abc import Callable, Iterator
from typing import Any

from ..errors import ArticulatedError, MissingExtra
from .drawing import served

#: names under which a browser on this machine (or at the end of an SSH tunnel) knows the server
OWN_NAMES = {"localhost", "127.0.0.1", "[::1]"}
#: the port that is tried first if none is asked for
FIRST_PORT = 8080
#: what the page may load: itself, and what it makes itself; who may show it in a frame: notebooks on this machine
POLICY = (
    "default-src 'self' 'unsafe-inline' 'unsafe-eval' data: blob:; connect-src 'self' data: blob: ws://localhost:* "
    "ws://127.0.0.1:*; frame-ancestors 'self' http://localhost:* http://127.0.0.1:* vscode-webview:; "
    "form-action 'none'; base-uri 'none'; object-src 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
#: malformed frames and broken connections, for whoever listens; without a handler nothing is printed
LOG = logging.getLogger("articulated.viewer")
LOG.addHandler(logging.NullHandler())


class PortTaken(ArticulatedError, OSError):
    """Another program listens where the page should be."""


def viser_module() -> Any:
    """viser; MissingExtra where it is not installed."""
    try:
        import viser
    except ModuleNotFoundError as problem:
        if problem.name != "viser":
            raise
        raise MissingExtra("the viewer needs viser: pip install 'articulated[view]'") from None
    return viser


def refusal(headers: Any, path: str, token: str) -> str:
    """Why a request is not answered; empty if it is.

    A page from elsewhere has its own Origin.  A name from elsewhere that leads here (DNS rebinding) is another Host.
    Another user of this machine has no token, which is the first part of the path.
    """
    hosts, origins = headers.get_all("Host"), headers.get_all("Origin")
    if len(hosts) != 1 or not {hosts[0], hosts[0].rpartition(":")[0]} & OWN_NAMES:
        return "this page is for the machine it runs on: open it as localhost\n"
    if origins and origins != [f"http://{hosts[0]}"]:
        return "this page answers to itself, not to pages from elsewhere\n"
    given = path.partition("?")[0].lstrip("/").partition("/")[0]
    if not secrets.compare_digest(given.encode(errors="replace"), token.encode()):
        return "this page is for whoever started it: open the address that was printed, all of it\n"
    wants_socket = any("websocket" in value.lower() for value in headers.get_all("Upgrade"))
    if wants_socket and not origins:
        return "no Origin: this page answers to itself\n"
    if wants_socket and headers.get_all("Sec-WebSocket-Protocol") != [f"viser-v{viser_module().__version__}"]:
        return "this page is of another version: load it again\n"
    return ""


def guarded(usual: Callable[[Any, Any], Any], token: str) -> Callable[[Any, Any], Any]:
    """Handler of requests behind the checks of `refusal`; its pages load nothing from elsewhere."""

    def answer(connection: Any, request: Any) -> Any:
        if problem := refusal(request.headers, request.path, token):
            return connection.respond(http.HTTPStatus.FORBIDDEN, problem)
        request.path = "/" + request.path.lstrip("/")[len(token) :].lstrip("/")
        found = usual(connection, request)
        if found is not None:
            served(found)
            for name, value in HEADERS.items():
                found.headers[name] = value
        return found

    return answer


_starting = threading.Lock()


def guarded_server(port: int | None, label: str, token: str) -> Any:
    """A viser server for this machine only, behind the guard; on the first free port from FIRST_PORT on without one.

    viser has no option for a guard, so `serve` of the websockets package stands in for itself while it starts.
    """
    viser = viser_module()
    import websockets.asyncio.server as websocket_server

    usual = websocket_server.serve
    calls = []

    def serve(handler: Any, *place: Any, process_request: Any = None, **options: Any) -> Any:
        if "WebsockServer" not in getattr(handler, "__qualname__", ""):  # somebody else's, at the same time
            return usual(handler, *place, process_request=process_request, **options)
        calls.append(handler)
        return usual(handler, *place, process_request=guarded(process_request, token), logger=LOG, **options)

    with _starting, _silent():
        websocket_server.serve = serve
        try:
            server = viser.ViserServer("127.0.0.1", FIRST_PORT if port is None else port, label, verbose=False)
        finally:
            websocket_server.serve = usual
    if not calls:  # a viser that starts otherwise: better no page than one without a guard
        server.stop()
        raise ArticulatedError(f"view: viser {viser.__version__} starts its server in a way that is not known here")
    if port and server.get_port() != port:
        stop(server)
        raise PortTaken(f"view: port {port} of this machine is taken; leave port= out for a free one")
    _never_shared(server)
    # a message that viser cannot use ends in a task of its own
    server.get_event_loop().set_exception_handler(
        lambda _, said: LOG.debug(said["message"], exc_info=said.get("exception"))
    )
    return server


def stop(server: Any) -> None:
    """End a server without a word on the terminal."""
    with _silent():
        server.stop()


def _never_shared(server: Any) -> None:
    """Take away what would send the page to viser's own servers."""
    from viser import _messages

    for message in (_messages.ShareUrlRequest, _messages.ShareUrlDisconnect):
        server._websock_server.unregister_handler(message)


@contextlib.contextmanager
def _silent() -> Iterator[None]:
    """viser prints where it listens and that it stopped; we say it ourselves."""
    import rich

    console = rich.get_console()
    before, console.quiet = console.quiet, True
    try:
        yield
    finally:
        console.quiet = before

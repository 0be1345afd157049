"""The server of the page: who may talk to it, what it leaves behind."""

import contextlib
import gc
import http.client
import socket
import threading

import pytest

import articulated as art
from articulated.viewer import server

from .browser import connected, send, until, visitor

viser = pytest.importorskip("viser", reason="viser is not installed: pip install 'articulated[view]'")
websockets = pytest.importorskip("websockets")


@pytest.fixture
def viewer():
    with art.view("2r", quiet=True) as page:
        yield page


def answer(viewer, path="/", token=True, **headers):
    port = viewer.server.get_port()
    path = f"/{viewer.url.rpartition('/')[2]}{path}" if token else path
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.putrequest("GET", path, skip_host=True)
    for name, value in {"Host": f"localhost:{port}", **headers}.items():
        if value is not None:
            connection.putheader(name.replace("_", "-"), value)
    connection.endheaders()
    found = connection.getresponse()
    if found.status != 101:  # which goes on
        found.read()
    found.close()
    connection.close()
    return found


UPGRADE = {
    "Connection": "Upgrade", "Upgrade": "websocket", "Sec_WebSocket_Version": "13",
    "Sec_WebSocket_Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec_WebSocket_Protocol": f"viser-v{viser.__version__}",
}  # fmt: skip


def test_the_page_may_load_nothing_from_elsewhere(viewer):
    found = answer(viewer)
    assert found.status == 200
    policy = found.headers["Content-Security-Policy"]
    assert policy == server.POLICY and "https:" not in policy and "default-src 'self'" in policy


@pytest.mark.parametrize("host", ["localhost", "localhost:9000", "127.0.0.1:8080", "[::1]:8080"])
def test_this_machine_and_the_end_of_a_tunnel_are_answered(viewer, host):
    assert answer(viewer, Host=host).status == 200
    assert answer(viewer, Host=host, Origin=f"http://{host}", **UPGRADE).status == 101


@pytest.mark.parametrize("host", [None, "", "evil.example", "evil.example:8080", "localhost.evil.example", "0.0.0.0",
                                  "127.0.0.1.nip.io:8080", "user@localhost", ":8080"])  # fmt: skip
def test_a_name_from_elsewhere_is_refused(viewer, host):
    """DNS rebinding: a name that leads to this machine is not this machine."""
    assert answer(viewer, Host=host).status in (400, 403)


HOSTILE = ["https://evil.example", "null", "http://localhost:1", "file://", "http://localhost", None,
           "https://localhost:{port}", "http://localhost:{port}.evil.example"]  # fmt: skip


@pytest.mark.parametrize("origin", HOSTILE)
def test_a_hostile_origin_is_refused(viewer, origin):
    origin = origin and origin.format(port=viewer.server.get_port())
    assert answer(viewer, Origin=origin, **UPGRADE).status == 403
    if origin:
        assert answer(viewer, Origin=origin).status == 403


def test_nobody_without_the_token_is_answered(viewer):
    own = {"Origin": f"http://localhost:{viewer.server.get_port()}"}
    token = viewer.url.rpartition("/")[2]
    assert len(token) >= 32
    for path in ("/", f"/{token[:-1]}", f"/{token}x", f"/?token={token}", f"/x/{token}", f"/x/../{token}", "/%C3%A9"):
        assert answer(viewer, path, token=False, **own).status == 403, path
        assert answer(viewer, path, token=False, **own, **UPGRADE).status == 403, path
    with art.view("2r", quiet=True) as other:
        assert token not in other.url


def test_malformed_messages_print_nothing(viewer, capfd, caplog):
    import msgspec

    kinds = ["GuiUpdateMessage", "ViewerCameraMessage", "FileTransferPart", "SceneNodeClickMessage", "Nonsense"]
    for sent in (b"", b"\xff" * 40, "text", msgspec.msgpack.encode([1]), *(
        msgspec.msgpack.encode({"type": kind, **more}) for kind in kinds for more in ({}, {"uuid": 3, "name": None})
    )):  # fmt: skip
        with contextlib.suppress(websockets.ConnectionClosed), connected(viewer) as browser:
            browser.recv()
            browser.send(sent)
            browser.send(sent)
            browser.recv(timeout=0.2)
    other = {**UPGRADE, "Sec_WebSocket_Protocol": "viser-v0.0.1"}
    assert answer(viewer, Origin=f"http://localhost:{viewer.server.get_port()}", **other).status == 403
    gc.collect()  # a task tells of its error when it goes
    with visitor(viewer):
        pass
    said = capfd.readouterr()
    assert said.out + said.err == ""
    # a logger without a handler prints; pytest puts its own on the root
    assert {record.name for record in caplog.records if record.levelname != "DEBUG"} <= {"articulated.viewer"}


def test_files_outside_the_page_are_not_served(viewer):
    for path in ("/../../__init__.py", "/%2e%2e/%2e%2e/_viser.py", "//etc/passwd", "/..%5c..%5c_viser.py"):
        assert answer(viewer, path).status == 404


def test_a_foreign_host_cannot_connect(viewer):
    """It listens on 127.0.0.1 and on no other address of this machine."""
    port = viewer.server.get_port()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # no packet is sent
            own = {probe.getsockname()[0]}
        except OSError:
            own = set()
    for address in {"127.0.0.2", *own} - {"127.0.0.1"}:
        with socket.socket() as other, pytest.raises(OSError):
            other.settimeout(5)
            other.connect((address, port))


def test_nothing_is_sent_to_the_servers_of_viser(viewer):
    from viser import _messages

    handlers = viewer.server._websock_server._incoming_handlers
    assert _messages.ShareUrlRequest not in handlers


def test_the_hook_is_needed_and_gone_afterwards(viewer):
    import websockets.asyncio.server as websocket_server

    assert websocket_server.serve.__module__.startswith("websockets")


def kept(viewer):
    """Everything that could grow with connections."""
    inner = viewer.server._websock_server
    return (
        len(inner._client_state_from_id), len(inner._live_connections), len(viewer.server.get_clients()),
        len(inner._broadcast_buffer.generator_cursors), len(inner._broadcast_buffer.message_from_id),
        len(viewer.server._client_connect_cb),
    )  # fmt: skip


def test_a_hundred_connections_leave_nothing_behind(viewer):
    def visit():
        with connected(viewer) as browser:
            browser.recv()

    visit()
    until(lambda: kept(viewer)[0] == 0, "the first is gone")
    before, threads = kept(viewer), threading.active_count()
    gc.collect()
    objects = len(gc.get_objects())
    for _ in range(100):
        visit()
    until(lambda: kept(viewer)[:2] == (0, 0), "all are gone")
    until(lambda: kept(viewer) == before, "nothing is left of them")
    gc.collect()
    assert threading.active_count() <= threads + 1
    assert len(gc.get_objects()) - objects < 100 * 20  # a connection that is kept is hundreds of objects


def test_dragging_a_frame_brings_the_robot_there(viewer):
    """By the message that a browser sends."""
    import numpy as np
    from viser import _messages

    robot, frame = viewer.robot, viewer.robot.frame_names[-1]
    viewer.q = [0.3, 0.4]
    viewer.page.dragging.toggle()
    wanted = robot.pose([0.6, 0.5], frame)
    message = _messages.TransformControlsUpdateMessage(
        f"{viewer.page.scene.root}/drag", (1.0, 0.0, 0.0, 0.0), tuple(map(float, wanted[:3, 3])), ""
    )
    with visitor(viewer) as browser:
        send(browser, message)
        until(lambda: abs(robot.pose(viewer.q, frame)[:3, 3] - wanted[:3, 3]).max() < 1e-4, "the arm is there")
    assert not np.allclose(viewer.q, [0.3, 0.4])

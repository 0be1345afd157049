"""Clicks in a page while another robot is opened in it, or while the browser leaves."""

import threading

import pytest

import articulated as art
from articulated.viewer.camera import look
from articulated.viewer.page_lock import Gone, Turn

from .browser import visitor

viser = pytest.importorskip("viser", reason="viser is not installed: pip install 'articulated[view]'")


@pytest.fixture
def viewer():
    with art.view("2r", quiet=True) as page:
        yield page


@pytest.fixture
def client(viewer):
    """The handle of a browser that is connected, as callbacks have it."""
    with visitor(viewer):
        yield next(iter(viewer.server.get_clients().values()))


def inputs(viewer):
    return dict(viewer.server.gui._gui_input_handle_from_uuid)


def heard(handle, client):
    """Callback of viser when a person moves it."""
    for callback in handle._impl.update_cb:
        callback(viser.GuiEvent(client=client, client_id=client.client_id, target=handle))


def test_a_browser_that_has_gone_is_not_warned_about(viewer, client):
    client._websock_connection.get_message_buffer().set_done()  # as when its tab closes
    look(client, viewer.page.scene, viewer.q)
    viewer.page.complain("too late")
    viewer._download(client, ".html")
    viewer.open(art.load("3r"))
    assert viewer.robot.name == "3r"


def test_what_is_moved_while_its_page_ends_is_forgotten(viewer, client, capsys):
    before = inputs(viewer)
    viewer.open(art.load("ur5"))
    said = viewer.q
    for handle in before.values():
        assert handle._impl.removed
        heard(handle, client)
    assert (viewer.q == said).all() and viewer.page._said == set()
    known = inputs(viewer)
    buffered = viewer.server._websock_server._broadcast_buffer.message_from_id.values()
    updated = {m.uuid for m in list(buffered) if type(m).__name__ == "GuiUpdateMessage"}
    assert not updated & set(before) - set(known)
    assert capsys.readouterr() == ("", "")


def test_a_robot_is_opened_between_two_turns_and_not_within_one(viewer):
    page, opened = viewer.page, threading.Thread(target=viewer.open, args=(art.load("3r"),))
    with page.turn:
        opened.start()
        opened.join(0.3)
        assert opened.is_alive() and viewer.page is page
        page.playback.loop.value = True  # it is there
    opened.join(30)
    assert viewer.page is not page and not opened.is_alive()
    with pytest.raises(Gone), page.turn:
        raise AssertionError("nobody has a turn in a page that is gone")


def test_what_goes_wrong_in_a_callback_is_said_in_the_page(client):
    said = []
    turn = Turn(said.append)
    event = viser.GuiEvent(client=client, client_id=client.client_id, target=None)
    turn.by_hand(lambda: 1 / 0)(event)
    assert [type(x) for x in said] == [ZeroDivisionError]
    counted = []
    by_program = viser.GuiEvent(client=None, client_id=None, target=None)
    for each in (event, by_program):
        turn.by_hand(lambda: counted.append("hand"))(each)
        turn.whenever(lambda: counted.append("any"))(each)
    assert counted == ["hand", "any", "any"]
    turn.end()
    turn.whenever(lambda: counted.append("late"))(event)
    assert counted == ["hand", "any", "any"] and len(said) == 1


def test_every_key_that_a_hint_names_does_something(viewer):
    gui = viewer.server.gui
    keys = {handle.hotkey for handle in gui._command_handle_from_uuid.values()}
    hinted = {handle.hint for handle in inputs(viewer).values() if handle.hint and len(handle.hint) == 1}
    assert hinted and {"S", "L", "D", "B"} <= hinted <= keys

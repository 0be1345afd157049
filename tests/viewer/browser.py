"""Chromium without a window, and what a test asks of a page in it."""

import contextlib
import os
import shutil
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

#: what draws without a graphics card, and asks nobody outside
FLAGS = (
    "--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
    "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--disable-gpu-compositing", "--disable-dev-shm-usage",
)  # fmt: skip
#: s until a test gives up, and until something that a slow page may have missed is done once more
PATIENCE, AGAIN = 120, 5


def chromium() -> str:
    """The program, or nothing; CHROMIUM names another."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return os.environ.get("CHROMIUM") or next((found for name in names if (found := shutil.which(name))), "")


def until(true: Callable[[], Any], what: str) -> Any:
    """Result of `true` as soon as it is something."""
    deadline = time.monotonic() + PATIENCE
    while not (found := true()):
        assert time.monotonic() < deadline, f"waited {PATIENCE} s until {what}"
        time.sleep(0.05)
    return found


def soon(true: Callable[[], Any]) -> bool:
    """Whether `true` becomes something before it is time to try again."""
    deadline = time.monotonic() + AGAIN
    while not true() and time.monotonic() < deadline:
        time.sleep(0.05)
    return bool(true())


def connected(viewer: Any) -> Any:
    """A socket to the page, as a browser has one."""
    import viser
    from websockets.sync.client import connect

    port = viewer.server.get_port()
    return connect(
        viewer.url.replace("http:", "ws:"),
        origin=f"http://localhost:{port}",
        subprotocols=[f"viser-v{viser.__version__}"],
        max_size=None,
    )


def send(browser: Any, message: Any) -> None:
    """A message of viser."""
    import msgspec

    browser.send(msgspec.msgpack.encode(message.as_serializable_dict([])))


@contextlib.contextmanager
def visitor(viewer: Any) -> Iterator[Any]:
    """A socket that counts as a browser: it said where it looks from."""
    from viser import _messages

    one, looking = (1.0, 0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    with connected(viewer) as browser:
        browser.recv()
        send(
            browser, _messages.ViewerCameraMessage(one, (1.0,) * 3, 1.0, 0.1, 10.0, 100, 100, looking, (0.0, 0.0, 1.0))
        )
        until(viewer.server.get_clients, "it counts as a browser")
        yield browser


#: where a point of a node of the scene is in the window, in pixels
PLACE = """([name, point]) => {
  const seen = window.__viserMutable, node = seen.nodeRefFromName[name], at = node.position.clone().set(...point);
  node.updateWorldMatrix(true, true);
  node.localToWorld(at).project(seen.camera);
  const canvas = seen.canvas.getBoundingClientRect();
  return [canvas.left + (at.x + 1) / 2 * canvas.width, canvas.top + (1 - at.y) / 2 * canvas.height];
}"""


PICTURES = """async count => {
  for (let k = 0; k < count; k++) await new Promise(done => requestAnimationFrame(done));
}"""


class Tab:
    """A page of a viewer in a browser, and everything it complained about or asked for."""

    def __init__(self, context: Any, url: str, ready: str = "text=Joints"):
        self.page = context.new_page()
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page.on("console", lambda m: self.complaints.append(m.text) if m.type == "error" else None)
        self.page.on("pageerror", lambda problem: self.complaints.append(str(problem)))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.page.set_default_timeout(PATIENCE * 1000)
        self.page.goto(url)
        if ready:
            self.page.wait_for_selector(ready)

    def pictures(self, count: int = 2) -> None:
        """Wait for so many turns of the browser: it has heard what was done, and drawn."""
        self.page.evaluate(PICTURES, count)

    def tab(self, name: str) -> None:
        self.page.get_by_role("tab", name=name, exact=True).click()

    def type_into(self, label: str, value: object) -> None:
        """Into the number beside a slider."""
        row = f"xpath=//label[normalize-space()='{label}']/ancestor::*[.//input[@type='text']][1]"
        field = self.page.locator(row).first.locator("input[type=text]").last
        field.fill(str(value))
        field.press("Enter")

    def tick(self, label: str) -> None:
        row = f"xpath=//label[normalize-space()='{label}']/ancestor::*[.//input[@type='checkbox']][1]"
        self.page.locator(row).first.locator("input[type=checkbox]").first.click()

    def values(self, key: str) -> dict[str, float]:
        """Numbers of a panel, by their place."""
        found = f"[...document.querySelectorAll('[data-{key}]')].map(e => [e.dataset.{key}, e.dataset.value])"
        return {place: float(value) for place, value in self.page.evaluate(found)}

    def place(self, name: str, point: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> np.ndarray:
        """Where a point of a node of the scene is in the window, in pixels."""
        self.page.wait_for_function("name => window.__viserMutable?.nodeRefFromName[name]", arg=name)
        return np.array(self.page.evaluate(PLACE, [name, point]))

    def drag(self, start: np.ndarray, end: np.ndarray, steps: int = 6) -> None:
        """By the mouse, with the left button."""
        self.page.mouse.move(*start)
        self.pictures(4)  # what is under it is found when the next picture is drawn
        self.page.mouse.down()
        for part in np.linspace(0, 1, steps + 1)[1:]:
            self.page.mouse.move(*(start + part * (end - start)))
            self.pictures()
        self.page.mouse.up()

    def outside(self) -> list[str]:
        """Requests that leave this machine."""
        ours = ("http://localhost:", "http://127.0.0.1:", "blob:", "data:", "file:")
        return [url for url in self.requests if not url.startswith(ours)]

"""The pages in a browser: formulas have a size, only long rows are wider than the screen, links lead somewhere."""

import json
import shutil
import subprocess

import pytest

import articulated as art
from articulated.symbolic.pages.derivation import derivation
from articulated.symbolic.pages.export import written
from tests.symbolic.robots import steps

BROWSER = next((x for x in ("chromium", "chromium-browser", "google-chrome", "chrome") if shutil.which(x)), None)
pytestmark = pytest.mark.skipif(BROWSER is None, reason="no Chromium or Chrome here: pages not looked at")

#: run in the page, it leaves what it measured in the title
MEASURE = """<script>
document.fonts.ready.then(()=>{
const all=[...document.querySelectorAll('math')].filter(x=>x.textContent.trim());
const box=x=>x.getBoundingClientRect();
document.title=JSON.stringify({
  formulas:all.length,
  flat:all.filter(x=>box(x).width<3||box(x).height<3).length,
  page:document.documentElement.scrollWidth, screen:window.innerWidth,
  dead:[...document.querySelectorAll('a')].filter(x=>!document.querySelector(x.getAttribute('href'))).length,
  fraction:(x=>x?box(x.children[0]).bottom<=box(x.children[1]).top+1:null)(document.querySelector('mfrac')),
  indices:[...document.querySelectorAll('msub')].map(x=>box(x.children[1]).bottom-box(x.children[0]).bottom),
  alerted:window.alerted||0});
});
</script>"""


def seen(page: str, folder, width: int) -> dict:
    file = folder / "page.html"
    spy = "<script>window.alert=()=>{window.alerted=1}</script>"
    file.write_text(page.replace("<head>", f"<head>{spy}").replace("</body>", f"{MEASURE}</body>"), encoding="utf-8")
    flags = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--virtual-time-budget=2000",
        f"--user-data-dir={folder / 'profile'}",
    ]
    command = [BROWSER, *flags, f"--window-size={width},800", "--dump-dom", file.as_uri()]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout
    return json.loads(shown.partition("<title>")[2].partition("</title>")[0])


@pytest.fixture(scope="module")
def pages():
    return {
        "derivation of 2r": (written("html", "2R", steps("2r")), 100),
        "derivation of stanford": (written("html", "Stanford", steps("stanford")), 300),
        "aba in symbols": (art.explain("aba", "2r").export("html"), 50),
    }


@pytest.mark.parametrize("width", [1200, 500])
def test_pages_are_typeset(pages, width, tmp_path):
    for name, (page, formulas) in pages.items():
        found = seen(page, tmp_path, width)
        assert found["formulas"] > formulas and found["flat"] == 0, name
        assert found["page"] <= found["screen"], name
        assert found["dead"] == 0 and found["fraction"] is not False, name
        assert min(found["indices"]) > 1, f"an index of {name} does not hang below its letter"


def test_names_do_nothing(tmp_path):
    evil = "<img src=x onerror=alert(1)><script>alert(1)</script>"
    body = art.Inertia(1.0, (0.1, 0, 0), [[0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]])
    eq = art.derive(art.build([art.Link(evil, None, art.Revolute((0, 0, 1)), inertia=body)], name=evil))
    assert seen(written("html", evil, derivation(eq)), tmp_path, 800)["alerted"] == 0

import pytest

from .browser import FLAGS, Tab, chromium


@pytest.fixture(scope="session")
def context():
    """Context of one Chromium for the run; skipped with a reason where there is none."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: make test-browser brings it"
    )
    if not chromium():
        pytest.skip("no Chromium here: make test-browser installs Debian's, or says what to install")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        yield browser.new_context(viewport={"width": 1000, "height": 560}, accept_downloads=True)
        browser.close()


@pytest.fixture(scope="session")
def opened(context):
    """One page for all: software that draws takes its time to begin."""
    import articulated as art

    with art.view("2r", quiet=True) as viewer:
        tab = Tab(context, viewer.url)
        yield viewer, tab
        tab.page.close()


@pytest.fixture
def shown(opened):
    """`shown(robot, run, q)` opens a robot in the page; afterwards: no complaint, no request to elsewhere."""
    viewer, tab = opened

    def show(*arguments, **options):
        tab.page.evaluate("document.querySelectorAll('[role=tab]').forEach(e => { e.dataset.before = 1 })")
        tab.page.evaluate("document.activeElement.blur()")  # what is typed is done with, before its field goes
        viewer.open(*arguments, **options)
        tab.page.wait_for_selector("[role=tab]:not([data-before]):has-text('Joints')")
        tab.pictures()  # its keys are known one turn later
        return viewer, tab

    yield show
    complaints, tab.complaints = tab.complaints, []
    assert complaints == [] and tab.outside() == []

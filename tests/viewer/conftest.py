import pytest

from .browser import FLAGS, Tab, chromium


@pytest.fixture(scope="session")
def context():
    """Of one Chromium for the run; skipped with a word where there is none."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="playwright is not installed: make test-browser brings it"
    )
    if not chromium():
        pytest.skip("no Chromium here: make test-browser installs Debian's, or says what to install")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium(), args=list(FLAGS))
        yield browser.new_context(viewport={"width": 1300, "height": 800}, accept_downloads=True)
        browser.close()


@pytest.fixture
def shown(context):
    """`shown(robot, …)` opens a page and a tab on it; afterwards: no complaint, no request to elsewhere."""
    import articulated as art

    made = []

    def show(*arguments, **options):
        viewer = art.view(*arguments, **{"quiet": True, **options})
        made.append((viewer, None))
        made[-1] = (viewer, Tab(context, viewer.url))
        return made[-1]

    yield show
    for viewer, tab in made:
        if tab is not None:
            tab.page.close()
        viewer.stop()
    for _, tab in made:
        assert tab is None or (tab.complaints == [] and tab.outside() == [])

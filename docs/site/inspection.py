"""Checks of the built site: `python -m docs.site.inspection build/site`.

No page fetches anything from elsewhere, links between pages lead to a page and a place on it, and the search knows the
words of the pages.
"""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

#: what a browser fetches by itself
FETCHED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "video": "src", "object": "data"}
STYLES = re.compile(r"(?:@import\s+|url\(\s*)['\"]?(?:https?:)?//")


class Page(HTMLParser):
    """A page: files it fetches, its links, and its anchors."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.links: list[str] = []
        self.places: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Called for each element."""
        given = {name: value or "" for name, value in attrs}
        self.places.add(given.get("id", ""))
        if tag in FETCHED and FETCHED[tag] in given:
            self.fetched.append(given[FETCHED[tag]])
        if tag == "link" and given.get("rel") not in ("canonical", "next", "prev", "search", "index"):
            self.fetched.append(given.get("href", ""))
        if tag == "a":
            self.links.append(given.get("href", ""))


def problems(site: Path) -> list[str]:
    """One line for each thing that is wrong."""
    pages = {path: Page(path.read_text("utf-8")) for path in sorted(site.rglob("*.html"))}
    found = [f"{path}: fetches {where}" for path, page in pages.items() for where in page.fetched if "//" in where]
    found += [f"{path}: fetches" for path in site.rglob("*.css") if STYLES.search(path.read_text("utf-8"))]
    for path, page in pages.items():
        for link in page.links:
            if link and not re.match(r"\w+:|#$", link) and not leads(path, unquote(link), pages):
                found.append(f"{path}: {link} leads nowhere")
    index = (site / "searchindex.js").read_text("utf-8")
    found += [f"the search does not know {word}" for word in ("centroid", "quaternion", "urdf024") if word not in index]
    return found


def leads(page: Path, link: str, pages: dict[Path, Page]) -> bool:
    """Whether there is such a file, and such a place on it."""
    where, _, place = link.partition("#")
    target = (page.parent / where.partition("?")[0]).resolve() if where else page
    if target.suffix != ".html":
        return target.exists()
    there = pages.get(target)
    return there is not None and (not place or place in there.places)


if __name__ == "__main__":
    lines = problems(Path(sys.argv[1]).resolve())
    print("\n".join(lines) or "no page fetches anything from elsewhere; every link leads somewhere")
    sys.exit(bool(lines))

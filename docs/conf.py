"""The site: `make docs` builds it from the Markdown pages, which read as well where they lie.

The source folder is the root of the repository, so that pages and files beside `docs/` are linked as they are.
"""

import os
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))  # docs.site: what the pages need beside Sphinx
os.environ.setdefault("MPLBACKEND", "Agg")

project = "articulated"
author = "The articulated developers"
copyright = "The articulated developers, BSD-3-Clause"
root_doc = "docs/index"
include_patterns = [
    "docs/**.md",
    "docs/**.rst",
    "docs/notebooks/*.ipynb",
    "benchmarks/*.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "CHANGELOG.md",
]
exclude_patterns = [".*", "build", "src", "tests", "examples", "benchmarks/peers"]

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
    "sphinx_copybutton",
    "docs.site.executed",
    "docs.site.citations",
    "docs.site.names",
    "docs.site.repository",
    "docs.site.docstrings",
    "docs.site.reference",
    "docs.site.notebooks",
]
myst_enable_extensions = ["dollarmath", "amsmath"]
myst_heading_anchors = 4
highlight_language = "text"  # of blocks that do not name theirs
default_role = "code"  # docstrings write `q` as Markdown does
autodoc_member_order = "bysource"
toc_object_entries_show_parents = "hide"
autodoc_typehints = "none"  # the help says shape, unit and frame of each argument
hooks = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["hatch"]["metadata"]["hooks"]
source_address = hooks["custom"]["repository"] + "/blob/main/"
del hooks

html_theme = "pydata_sphinx_theme"
html_title = "articulated"
html_favicon = "_static/icon.svg"
html_context = {"default_mode": "auto"}
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_extra_path = ["_root"]
html_show_sourcelink = False
html_copy_source = False
html_sidebars = {"docs/index": []}
html_theme_options = {
    "icon_links": [
        {"name": "Source", "url": source_address.removesuffix("/blob/main/"), "icon": "fa-brands fa-github"}
    ],
    "header_links_before_dropdown": 6,
    "show_toc_level": 2,
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "github-dark",
}

# formulas are drawn by one script that comes with the pages: nothing is fetched from elsewhere
mathjax_path = "mathjax.js"
mathjax3_config = {
    "options": {"enableMenu": False},
    "svg": {"fontCache": "global"},
    "tex": {"inlineMath": [["\\(", "\\)"]], "displayMath": [["\\[", "\\]"]]},
}
if "MATHJAX" in os.environ:
    html_static_path.append(os.environ["MATHJAX"])

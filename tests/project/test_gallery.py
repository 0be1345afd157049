"""The gallery: recipes are data, short, found by the words people search for; its pages are written from them."""

import pytest

from docs.site.gallery import FIRST_DAY, FOLDER, RECIPES, TOPICS, pages

#: what newcomers typed into the search of a site
SEARCHED = (
    "gravity compensation", "payload", "workspace", "GIF", "rosbag", "spline", "MPC", "four-bar", "identify", "trot",
    "inverse kinematics", "LQR", "friction", "LaTeX", "batch", "domain randomization", "csv", "convert", "singularity",
    "collision", "scene",
)  # fmt: skip


def test_the_pages_are_those_of_the_programs():
    written = {path: path.read_text("utf-8") for path in [next(iter(pages())), *sorted(FOLDER.glob("*.md"))]}
    assert written == pages(), "python -m docs.site.gallery writes them"


@pytest.mark.parametrize("recipe", RECIPES, ids=lambda recipe: recipe.path.stem)
def test_a_recipe_is_short_and_says_what_it_is(recipe):
    assert recipe.topic in TOPICS and recipe.title and recipe.change.endswith(".") and len(recipe.words.split(",")) >= 3
    assert len([line for line in recipe.code.splitlines() if line.strip()]) <= 12
    assert "print(" in recipe.code or "plt." in recipe.code


def test_there_are_many_under_different_titles():
    assert len(RECIPES) >= 40 and len({recipe.title for recipe in RECIPES}) == len(RECIPES)
    assert all(any(recipe.topic == topic for recipe in RECIPES) for topic in TOPICS)


@pytest.mark.parametrize("words", SEARCHED)
def test_what_people_search_for_is_found(words):
    everything = [recipe.words for recipe in RECIPES] + [recipe.title for recipe in FIRST_DAY]
    assert any(words.lower() in text.lower() for text in everything)

"""The gallery: recipes are data, short, found by the words people search for; its pages are written from them."""

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


def test_recipes_are_short_and_say_what_they_are():
    for recipe in RECIPES:
        told = recipe.topic in TOPICS and recipe.title and recipe.change.endswith(".")
        assert told and len(recipe.words.split(",")) >= 3, recipe.path
        assert len([line for line in recipe.code.splitlines() if line.strip()]) <= 12, recipe.path
        assert "print(" in recipe.code or "plt." in recipe.code, recipe.path


def test_there_are_many_under_different_titles():
    assert len(RECIPES) >= 40 and len({recipe.title for recipe in RECIPES}) == len(RECIPES)
    assert all(any(recipe.topic == topic for recipe in RECIPES) for topic in TOPICS)


def test_what_people_search_for_is_found():
    everything = "\n".join([recipe.words for recipe in RECIPES] + [recipe.title for recipe in FIRST_DAY]).lower()
    assert [words for words in SEARCHED if words.lower() not in everything] == []

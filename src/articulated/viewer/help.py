"""Help for the methods of `Viewer`."""

from ..documentation import Help

#: first lines of the examples
SETTING = """>>> page = art.view("2r", quiet=True)
>>> run = art.simulate(page.robot, [0.5, 0.0], duration=0.5)"""

ARGUMENTS = {
    "robot": "a Robot",
    "trajectory": "a Trajectory of the robot, or None",
    "q": "the configuration that is shown first, (nq,)",
    "path": "of the file, *.html",
}

#: every example ends with the page closed
END = "\n>>> page.stop()"

METHODS: dict[str, Help] = {
    "open": Help(
        "nothing",
        example=">>> page.open(art.load(\"panda\"))\n>>> page.robot.name\n'panda'" + END,
    ),
    "play": Help("nothing", example=">>> page.play(run)\n>>> page.trajectory is run\nTrue" + END),
    "pause": Help("nothing", example=">>> page.play(run)\n>>> page.pause()" + END),
    "export": Help(
        "nothing; the file is written whole or not at all",
        example=""">>> import pathlib, tempfile
>>> with tempfile.TemporaryDirectory() as folder:
...     page.export(pathlib.Path(folder) / "2r.html")
...     (pathlib.Path(folder) / "2r.html").stat().st_size > 0
True"""
        + END,
    ),
    "stop": Help("nothing; a second call does nothing", example=">>> page.stop()\n>>> page.stop()"),
    "wait": Help(
        "nothing",
        example=">>> import threading\n>>> threading.Timer(0.1, page.stop).start()\n>>> page.wait()",
    ),
}

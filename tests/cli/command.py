"""Commands run inside the test's own process."""

import json
from typing import Any, NamedTuple

from click.testing import CliRunner

from articulated.cli.app import app


class Result(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        return json.loads(self.out)


def run(*arguments: object) -> Result:
    found = CliRunner().invoke(app, [str(x) for x in arguments])
    if found.exception and not isinstance(found.exception, SystemExit):
        raise found.exception
    return Result(found.exit_code, found.stdout, found.stderr)

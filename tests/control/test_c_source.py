"""A law as a C file: it compiles without a warning, and gives the torques of the law."""

import shutil
import subprocess

import numpy as np
import pytest

from ..near import near
from .standing import law, state, targets, tasks

STRICT = ["-std=c99", "-Wall", "-Wextra", "-pedantic", "-Wconversion", "-Werror"]
MAIN = """
#include <stdio.h>
int main(void)
{{
    static law_workspace w;
    static law_settings s;
    static const double states[][{size}] = {{{states}}};
    law_defaults(&s);
    static double all[sizeof s.standing / sizeof(double)], lifted[sizeof s.standing / sizeof(double)] = {{0}};
    memcpy(all, s.standing, sizeof all);
    memcpy(lifted + {size_of_foot}, all, sizeof all - {size_of_foot} * sizeof(double));
    for (int k = 0; k < {count}; k++) {{
        double tau[{motors}];
        memcpy(s.standing, k % 2 ? all : lifted, sizeof s.standing);
        memcpy(s.targets, states[k] + {nq} + {nv}, sizeof s.targets);
        const int status = law(states[k], states[k] + {nq}, &s, &w, tau);
        printf("%d", status);
        for (int i = 0; i < {motors}; i++)
            printf(" %.17g", tau[i]);
        printf("\\n");
    }}
    return 0;
}}
"""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not installed")
@pytest.mark.parametrize(
    ("name", "level", "levels", "options"),
    [
        ("solo12", "-O2", {}, {"horizon": 0.1, "contact_damping": 10.0}),
        ("biped", "-Og", {"base": 1, "posture": 2}, {"horizon": 0.02, "acceleration_limits": 500.0}),
    ],
    ids=str,
)
def test_the_exported_tick_is_the_law(name, level, levels, options, rng, tmp_path):
    """With soles, limits and levels, on all feet and on all but the first."""
    own, rows, expected = law(name, tasks(name, **levels), no_load_speeds=20.0, **options), [], []
    feet = own.contacts.contacts
    for k, speed in enumerate((0.3, 0.3, 5.0, 10.0)):
        q, v = state(name, rng, speed)
        given = targets(name, q, 0.1 * rng.normal(size=3))
        rows.append([*q, *v, *own._task_arrays.targets(given)])
        expected.append(own(q, v, standing=[c.name for c in feet[1 - k % 2 :]], **given))
    states = ", ".join("{" + ", ".join(map(repr, map(float, row))) + "}" for row in rows)
    nq, nv, motors = len(q), len(v), len(expected[0].tau)
    main = MAIN.format(
        size_of_foot=feet[0].size, size=len(rows[0]), states=states, count=len(rows), motors=motors, nq=nq, nv=nv
    )
    (tmp_path / "law.c").write_text(own.c_source("law") + main, "utf-8")
    subprocess.run(["gcc", level, *STRICT, "law.c", "-o", "law", "-lm"], cwd=tmp_path, check=True)
    told = subprocess.run([tmp_path / "law"], capture_output=True, text=True, check=True).stdout.splitlines()
    for line, done in zip(told, expected, strict=True):
        status, *tau = map(float, line.split())
        assert status == (done.status == "nearest")
        assert near(np.array(tau) / max(1, abs(done.tau).max()), done.tau / max(1, abs(done.tau).max()), 1e-9)

"""A whole-body law as one C99 file: the terms of a state, the tick and its solver, with the numbers of the law."""

from collections.abc import Iterable, Mapping
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from ...compiler import pipeline
from ...compiler.emit import c

if TYPE_CHECKING:
    from .law import WholeBody

#: of one file; each stands where it is included, or after those before it
PARTS = ("active_set.h", "active_set.c", "tick.h", "tick.c")

TEXT = """/* {title}

   {name}_defaults fills the settings with the numbers of the law; change what you like between ticks.
   {name} gives the torques of the {motors} actuated joints in one state, and returns 0 (solved), 1 (nearest: no
   motion meets all constraints), 2 (none found) or 3 (not finite): the torques then are those of gravity and velocity
   at zero acceleration.  `given` and `least` are rows given a >= least on accelerations, of which none holds at first.
   No memory is allocated, and the number of steps is bounded.  Targets, one after the other: {targets}. */
{parts}
{terms}
typedef struct {{
    double targets[{size_targets}], gains[{size_gains}];
    double {fields};
}} {name}_settings;

typedef struct {{
    double {results};
    double x[{n}], multipliers[{multipliers}], residual[{tasks}], cost[1], numbers[TICK_NUMBERS({room})];
    int about[3], integers[TICK_INTEGERS({room})];
    Row rows[TICK_ROWS({room})];
}} {name}_workspace;

void {name}_defaults({name}_settings *s);
int {name}(const double *q, const double *v, const {name}_settings *s, {name}_workspace *w, double *tau);

{constants}
void {name}_defaults({name}_settings *s)
{{
{defaults}
}}

int {name}(const double *q, const double *v, const {name}_settings *s, {name}_workspace *w, double *tau)
{{
    static const Structure structure = {{{sizes}, {structure}}};
    const Law law = {{{law}}};
    const Terms terms = {{{given}}};
    Found found = {{w->x, w->multipliers, tau, w->residual, w->cost, w->about}};
    {name}_terms(1, q, v, s->targets, s->gains, {outputs});
    tick(&structure, &law, &terms, w->numbers, w->integers, w->rows, &found);
    return w->about[0];
}}
"""


def c_source(law: "WholeBody", name: str) -> str:
    """The text of a file."""
    from .kernel_terms import Terms

    arrays, tasks = law._arrays, law._task_arrays
    s, n, numbers = arrays, arrays.nv + arrays.contacts, arrays.numbers
    terms = c.source(pipeline.program(law._terms.source), f"{name}_terms").replace("#include <math.h>\n", "")
    for k, field in enumerate(Terms._fields):
        terms = terms.replace(f"out{k}", field)
    sizes = {
        "balance": n * n, "h": s.nv, "bias": s.contacts, "speed": s.contacts, "tasks": len(numbers.weight) * s.nv,
        "wanted": len(numbers.weight), "moments": 12 * max(1, len(s.soles)), "bounds": 2 * s.nv, "velocity": s.nv,
    }  # fmt: skip
    values: Mapping[str, Any] = {"targets": tasks._usual, "gains": tasks.gains, **numbers._asdict()}
    structure = dict(zip(("level", "column", "sole", "alone", "motor"), law._structure[1:], strict=True))
    constants = [f"static const int {name}_{key}[] = {{{_listed(x)}}};" for key, x in structure.items()]
    some = {key: np.ravel(x) for key, x in values.items() if np.size(x)}
    constants += [f"static const double {name}_{key}[] = {{{_listed(x)}}};" for key, x in some.items()]
    return TEXT.format(
        title=f"{law!r}".strip("<>"), name=name, motors=len(s.motors), n=n, tasks=max(1, len(s.alone)),
        structure=", ".join(f"{name}_{key}" for key in structure), parts=_parts(), terms=terms,
        targets=", ".join(f"{label} ({places[0].stop - places[0].start} numbers{_rates(places)})" for label, places in
                          tasks._places.items()) or "none",
        size_targets=max(1, len(values["targets"])), size_gains=max(1, len(values["gains"])),
        fields=", ".join(f"{key}[{max(1, np.size(x))}]" for key, x in numbers._asdict().items()),
        results=", ".join(f"{key}[{max(1, size)}]" for key, size in sizes.items()),
        multipliers=len(s.levels) * len(s.groups), room=_listed(law._structure[0][[0, 1, 2, 3, 6]]),
        constants="\n".join(constants),
        defaults="\n".join(f"    memcpy(s->{key}, {name}_{key}, {len(some[key])} * sizeof(double));" for key in some),
        sizes=_listed(law._structure[0]), law=", ".join(f"s->{key}" for key in numbers._fields),
        given=", ".join(f"w->{key}" for key in Terms._fields), outputs=", ".join(f"w->{key}" for key in Terms._fields),
    )  # fmt: skip


def _parts() -> str:
    """The solver and the tick, without the lines by which one file includes another."""
    folder = files("articulated.control.qp")
    whole = "\n".join(folder.joinpath(part).read_text("utf-8") for part in PARTS)
    for part in ("reduction.h", "projection.h"):
        whole = whole.replace(f'#include "{part}"\n', folder.joinpath(part).read_text("utf-8"))
    whole = whole.replace('#include "active_set.h"\n', "").replace('#include "tick.h"\n', "")
    return whole.replace("#define TAKE", "#undef TAKE\n#define TAKE")


def _rates(places: Iterable[slice]) -> str:
    sizes = [place.stop - place.start for place in places][1:]
    return f", then {' and '.join(str(x) for x in sizes if x)} of its rates" if any(sizes) else ""


def _listed(values: Any) -> str:
    numbers = np.asarray(values).tolist()
    return ", ".join(c.number(x) if isinstance(x, float) else str(x) for x in numbers) or "0"

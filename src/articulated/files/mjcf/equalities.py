"""Joint equalities as mimic joints: y - y0 = c0 + c1 (x - x0) is a gear; every other constraint is left out."""

from typing import Any

from ...joints import Mimic
from .compiler import Compiled

JOINT = 2  # mjtEq


def read_equalities(file: Compiled, names: list[str]) -> dict[int, Mimic]:
    """Joint -> whom it follows; `names` are those of the joints, every constraint is a finding."""
    model = file.model
    found: dict[int, Mimic] = {}
    leads: dict[int, int] = {}  # the next joint towards the end of the chain

    def end(j: int) -> int:
        while j in leads:
            leads[j] = leads.get(leads[j], leads[j])  # path halving
            j = leads[j]
        return j

    for k in range(model.neq) if file.on["equalities"] else ():
        if not model.eq_active0[k]:
            continue
        kind, first, second = (int(x[k]) for x in (model.eq_type, model.eq_obj1id, model.eq_obj2id))
        offset, factor, *higher = model.eq_data[k, :5].tolist()
        at = file.places.of("equality", k)
        if kind != JOINT or second < 0 or any(higher) or first in found or end(second) == first:
            file.report.add("MJCF011", _about(model, k, kind), at)
            continue
        mine, theirs = (float(model.qpos0[model.jnt_qposadr[j]]) for j in (first, second))
        found[first] = Mimic(names[second], factor, offset + mine - factor * theirs)
        leads[first] = second
        file.report.add("MJCF022", f"follows {names[second]!r}", at, f"joint {names[first]!r}")
    return found


def _about(model: Any, k: int, kind: int) -> str:
    import mujoco

    word = mujoco.mjtEq(kind).name.removeprefix("mjEQ_").lower()
    name = model.equality(k).name
    return f"the {word} constraint{f' {name!r}' if name else ''}"

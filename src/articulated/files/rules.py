"""Every code a finding can have, from every reader, and what `on_error="repair"` does about it."""

from ..model.findings import CODES
from .description import RULES as FILE
from .description import Rule
from .mjcf.rules import RULES as MJCF
from .srdf import RULES as SRDF
from .toml.tables import RULES as TOML
from .urdf.rules import RULES as URDF

RULES: dict[str, Rule] = {
    **URDF,
    **TOML,
    **MJCF,
    **SRDF,
    **FILE,
    **{code: Rule(*parts) for code, parts in CODES.items()},
}  # fmt: skip

PROJECTED = "the nearest rotational inertia (Frobenius norm) that a real body of this mass can have"

#: code -> the one thing a repair does; a code that is not here is never repaired
REPAIRS = {
    "URDF010": "commas between numbers are read as spaces, if the count is then right",
    "URDF015": "an <inertial> without <mass> or <inertia> is left out",
    "URDF016": "the first of several equal elements counts",
    "URDF024": "lower and upper are swapped",
    "URDF025": "a negative velocity or effort limit loses its sign",
    "URDF028": "the axis or quaternion is scaled to length one",
    "URDF031": PROJECTED,
    "URDF032": "the absent entries are zero",
    "URDF033": "negative damping or friction becomes zero",
    "URDF050": "a joint that follows none moves freely",
    "URDF053": "a joint that follows a fixed joint is fixed at its offset",
    "TOML009": PROJECTED,
}

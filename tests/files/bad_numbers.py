"""Every way to write a number wrongly, at every place a URDF file has numbers."""

from .bad_urdf import ONE, follower, inertial, mass, moved, tensor

#: what Python, C or a person in a hurry would take for a number
SPELLINGS = {
    "a word": "heavy", "a comma": "0,5", "hexadecimal": "0x10", "an underscore": "1_000", "nan": "nan", "inf": "inf",
    "minus infinity": "-Infinity", "other digits": "\u0661", "a unit": "1kg", "two signs": "--1", "no exponent": "1e",
    "two points": "1.2.3", "a fraction": "1/2", "a letter O": "1O", "a long one": "1" * 3000 + "x", "a dot": ".",
    "brackets": "(1)", "percent": "10%", "full width": "\uff11", "minus sign": "\u22121",
}  # fmt: skip


def limit(text: str) -> str:
    return moved("", limit=f"<limit {text}/>")


#: place -> the file with the number there, and its line
PLACES = {
    "mass": (mass, 2),
    "ixx": (lambda x: tensor(x, "1", "1"), 2),
    "ixy": (lambda x: inertial(f'{ONE}<inertia ixx="1" iyy="1" izz="1" ixy="{x}" ixz="0" iyz="0"/>'), 2),
    "xyz": (lambda x: moved(f'<origin xyz="0 {x} 0"/>'), 3),
    "rpy": (lambda x: moved(f'<origin rpy="{x} 0 0"/>'), 3),
    "quaternion": (lambda x: moved(f'<origin quat_xyzw="0 0 0 {x}"/>'), 3),
    "axis": (lambda x: moved(f'<axis xyz="0 0 {x}"/>'), 3),
    "lower": (lambda x: limit(f'lower="{x}" upper="1" effort="1" velocity="1"'), 3),
    "effort": (lambda x: limit(f'lower="0" upper="1" effort="{x}" velocity="1"'), 3),
    "damping": (lambda x: moved(f'<dynamics damping="{x}"/>'), 3),
    "multiplier": (lambda x: follower(f'<mimic joint="j" multiplier="{x}"/>'), 4),
}

#: (what, text, code, line)
BAD_NUMBERS = [
    (f"{place}: {what}", file(spelling), "URDF010", line)
    for place, (file, line) in PLACES.items()
    for what, spelling in SPELLINGS.items()
]
BAD_NUMBERS += [(f"{place}: overflow", file("1e400"), "URDF012", line) for place, (file, line) in PLACES.items()]
BAD_NUMBERS += [(f"{place}: xacro", file("${x}"), "URDF009", line) for place, (file, line) in PLACES.items()]

"""Examples at the end of every `--help`; each of them runs."""

from .shells import LINES

EXAMPLES: dict[str, list[str]] = {
    "robots": ["articulated robots", "articulated robots --json"],
    "info": ["articulated info panda", "articulated info quadruped --floating"],
    "tree": ["articulated tree quadruped"],
    "check": ["articulated check robot.urdf", "articulated check robot.urdf --repair mended.urdf"],
    "explain": ["articulated explain URDF024"],
    "convert": ["articulated convert panda panda.urdf", "articulated convert robot.urdf robot.toml"],
    "fk": ["articulated fk panda --q home --frame panda_hand"],
    "jacobian": ['articulated jacobian panda --q "panda_joint2=pi/4" --axes frame'],
    "id": ["articulated id panda --q home --v 0.5", "articulated id panda --log log.csv -o torques.npz"],
    "fd": ["articulated fd panda --q home --tau 0"],
    "mass": ["articulated mass panda --q home --json"],
    "bias": ["articulated bias panda --q home --v 0.2"],
    "energy": ["articulated energy panda --q home --v 0.2"],
    "regressor": ["articulated regressor panda --q random --json"],
    "contacts": ["articulated contacts quadruped --lift FR", "articulated contacts biped --surface --table"],
    "simulate": [
        "articulated simulate double_pendulum --q 1 --method rk4 --plot run.png",
        "articulated simulate quadruped --floating --ground friction=1 -d 0.2 --json",
    ],
    "plot": ["articulated plot run.npz", "articulated plot panda --kind tree -o panda.svg"],
    "view": ["articulated view panda --q home --export panda.html"],
    "derive": ["articulated derive 2r --steps", "articulated derive 2r --symbols --what M,g --format tex"],
    "explain-algorithm": ["articulated explain-algorithm rnea 2r", "articulated explain-algorithm aba 2r --symbols"],
    "exercise": [
        "articulated exercise 2r --topic gravity --hints 1",
        "articulated exercise 2r --topic gravity --seed 1 --answer 'm2*d2*g0*c12'",
    ],
    "compare": ["articulated compare robot.urdf --with pinocchio"],
    "doctor": ["articulated doctor"],
    "cache": ["articulated cache", "articulated cache --clear"],
    "completion": list(LINES.values()),
}


def epilog(name: str) -> str:
    """Of the help of a command; \\b keeps the lines as they are."""
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in EXAMPLES[name])

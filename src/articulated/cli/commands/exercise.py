"""`articulated exercise`: a question about a robot's equations, hints, and a verdict on an answer."""

from typing import Any

from ..candidates import among
from ..click_commands import Option, Told
from ..options import RobotName

#: as in `symbolic/exercises/topics.py`, which is slow to import
TOPICS = ("kinetic", "potential", "inertia", "christoffel", "coriolis", "gravity", "skew", "coefficients", "dh", "pose",
          "velocity", "own_inertia", "acceleration", "statics", "motors", "elastic", "null_space", "momentum",
          "contact", "center")  # fmt: skip


def exercise(
    robot: str = RobotName._replace(default="2r"),
    topic: str = Option("--topic", help=f"{', '.join(TOPICS)}; default: by the seed.", complete=among(*TOPICS)),
    seed: int = Option("--seed", help="Seed of the question.", default=0),
    hints: int = Option("--hints", min=0, help="Number of hints to show.", default=0),
    answer: str = Option("--answer", help="Your answer, as 'm2*d2^2 + …'; exit code 1 if it is wrong."),
    solution: bool = Option("--solution", help="Show the solution."),
) -> Told:
    """Ask a question about the equations of motion, give hints, and judge an answer as an expression.

    Examples:
      articulated exercise 2r --topic gravity --hints 1
      articulated exercise 2r --topic gravity --seed 1 --answer 'm2*d2*g0*c12'
    """
    from ...robot.closed_forms import exercise as made

    task = made(robot, topic or None, seed)  # type: ignore[arg-type]
    verdict = task.check(answer) if answer else None
    text = [str(task) if verdict is None else f"{task.question}\n{verdict}"]
    text += [f"\nHint {k} of {len(task.hints)}: {hint}" for k, hint in enumerate(task.hints[:hints], start=1)]
    text += [f"\nSolution: {_text(task.solution)}\n{task.checked}"] if solution else []
    wrong = verdict is not None and not verdict
    return Told(_record(task, hints, solution, answer, verdict), "\n".join(text), code=int(wrong))


def _record(task: Any, hints: int, solution: bool, answer: str, verdict: Any) -> dict[str, Any]:
    shown = {"solution": _text(task.solution), "latex": task.latex(), "checked": task.checked} if solution else {}
    judged = None if verdict is None else {"answer": answer, "right": verdict.right, "text": verdict.text}
    return {
        "robot": task.equations.name, "topic": task.topic, "seed": task.seed, "description": task.robot,
        "question": task.question, "hints": list(task.hints[:hints]), "hints_in_all": len(task.hints),
        "verdict": judged, **shown,
    }  # fmt: skip


def _text(solution: Any) -> str:
    """Text that SymPy and `--answer` read."""
    return str(solution.tolist()) if hasattr(solution, "tolist") else str(solution)

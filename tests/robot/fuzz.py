"""Python-level input under attack: `python -m tests.robot.fuzz 1000000`.

Each call takes a public callable with arguments that work and spoils one or two of them.  It must give a result, in
which numbers that are not finite show, or an error of ours: a subclass of ArticulatedError, or a TypeError or a
ValueError that we raise and that names an argument.  What else happens is listed, once for each place.
"""

import os
import random
import sys
import time
import traceback
import warnings
from collections import Counter
from typing import Any, NamedTuple

import numpy as np

import articulated as art

from .bad_values import holds_extreme, holds_nan, instead
from .callables import Case, cases

PACKAGE = os.path.dirname(art.__file__)
#: what Python itself says of a call that does not fit a signature
SIGNATURE = ("required positional argument", "required keyword-only", "unexpected keyword", "multiple values for",
             "positional argument")  # fmt: skip


class Complaint(NamedTuple):
    """Something that should not be."""

    case: str
    what: str
    place: str
    given: str


def spoilt(rng: random.Random, case: Case) -> tuple[dict[str, Any], list[str]]:
    """Arguments of a call, and which of them are not as they should be."""
    given = dict(case.given)
    if not given:
        return {"unknown": 1}, ["unknown"]
    names = rng.sample(list(given), min(len(given), rng.choice([1, 1, 1, 2])))
    for name in names:
        given[name] = instead(rng, given[name])
    if rng.random() < 0.03:
        given[rng.choice(["unknown", *(f"{name}s" for name in given)])] = 1
    if rng.random() < 0.03:
        del given[rng.choice(list(given))]
    return given, names


def attempt(rng: random.Random, case: Case) -> tuple[str, Complaint | None]:
    """One call: its outcome, and what is wrong with it."""
    given, names = spoilt(rng, case)
    shown = ", ".join(f"{name}={_shown(given[name])}" for name in names if name in given)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", art.ModelWarning)
            found = case.function(**given)
    except art.ArticulatedError as problem:
        str(problem).encode("utf-8", "backslashreplace")
        return type(problem).__name__, None
    except Exception as problem:
        if holds_extreme(given):  # numbers that nobody has need no words
            return "extreme", None
        fault = _fault(problem, {*case.given, *given, case.name})
        return type(problem).__name__, fault and Complaint(case.name, fault, _place(problem), shown)
    if (
        case.spoils
        and not _is_empty(given)
        and _all_finite(found)
        and any(holds_nan(given[n]) for n in names if n in given and _is_data(case, n))
    ):
        return "result", Complaint(case.name, "NaN or infinity gives a clean result", "", shown)
    return "result", None


def _is_data(case: Case, name: str) -> bool:
    """Whether an argument holds numbers that go into the result, and is no option."""
    return isinstance(case.given.get(name), (np.ndarray, float, dict))


def _is_empty(given: dict[str, Any]) -> bool:
    """Whether it is about no state at all."""
    return any(isinstance(x, np.ndarray) and not x.size for x in given.values())


def _fault(problem: Exception, names: set[str]) -> str | None:
    """Complaint about an exception that is not one of ours by its class."""
    text = f"{type(problem).__name__}: {problem}"
    if isinstance(problem, TypeError) and any(words in str(problem) for words in SIGNATURE):
        return None
    if isinstance(problem, OSError) and not isinstance(problem, ConnectionError):
        return None  # of the system: no such file, name too long
    if isinstance(problem, (TypeError, ValueError)) and _raised_by_us(problem):
        words = {part for name in names for part in (name, name.rpartition(".")[2])}
        return None if any(word in str(problem) for word in words) else f"{text} (names no argument)"
    return text


def _raised_by_us(problem: Exception) -> bool:
    last = traceback.extract_tb(problem.__traceback__)[-1]
    return last.filename.startswith(PACKAGE) and (last.line or "").startswith("raise")


def _place(problem: Exception) -> str:
    """The line of ours nearest to where it was raised."""
    ours = [f for f in traceback.extract_tb(problem.__traceback__) if f.filename.startswith(PACKAGE)]
    return f"{os.path.relpath(ours[-1].filename, PACKAGE)}:{ours[-1].lineno}" if ours else "outside"


def _all_finite(found: Any) -> bool:
    """Whether a result is made of numbers, and all of them are finite."""
    parts = found if isinstance(found, tuple) else (found,)
    arrays = [np.asarray(part) for part in parts if isinstance(part, (np.ndarray, np.floating, float))]
    if any(x.dtype == object for x in arrays):  # for who gives objects
        return False
    return bool(arrays) and all(np.isfinite(x).all() for x in arrays) and any(x.size for x in arrays)


def _shown(value: Any) -> str:
    return f"{type(value).__name__} {' '.join(repr(value).split())[:120]}"


def run(count: int, seed: int = 0, progress: bool = False) -> tuple[Counter[str], dict[tuple[str, str], Complaint]]:
    """Outcomes, and complaints: one for each kind of error and place."""
    rng, every = random.Random(seed), cases()
    outcomes: Counter[str] = Counter()
    complaints: dict[tuple[str, str], Complaint] = {}
    begun = time.time()
    for k in range(count):
        outcome, complaint = attempt(rng, rng.choice(every))
        outcomes[outcome] += 1
        if complaint:
            key = (complaint.place or complaint.case, complaint.what.partition(":")[0])
            if progress and key not in complaints:
                print(
                    f"\n{complaint.case}: {complaint.what}\n  at {complaint.place} with {complaint.given}", flush=True
                )
            complaints.setdefault(key, complaint)
        if progress and k % 1000 == 999:
            rate = (k + 1) / (time.time() - begun)
            print(f"\r{k + 1} calls, {rate:.0f} a second, {len(complaints)} complaints", end="", flush=True)
    return outcomes, complaints


def main(count: int = 10_000, seed: int | None = None) -> None:
    seed = int(time.time()) if seed is None else seed
    outcomes, complaints = run(count, seed, progress=True)
    print(f"\n{count} calls with seed {seed}: {dict(outcomes.most_common())}; {len(complaints)} complaints")
    sys.exit(bool(complaints))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))

"""Identification from normal equations: weights of joints, least squares or the consistent fit, deviations, folds."""

from __future__ import annotations  # help shows types as they are written here

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..algorithms.sensors import held
from ..errors import ShapeError
from ..inputs.choices import choose, flag, number, robot_first, whole_number
from ..robot import Robot
from ..robot.quantities.arguments import joint_terms
from .consistent import fitted
from .doubts import doubts
from .gains import drive_gains
from .joint_terms import own_values
from .normal import Normal, cell_sums, split
from .result import Identification, predicted
from .samples import samples_of, with_force_sensors
from .tiles import PASS, Layout, layout
from .unknowns import Unknowns, solved_by_rank, unknowns

Floats = NDArray[np.floating]
#: parts of a log whose scores are summed before they are squared: residuals are correlated over time
PARTS = 40
#: least residual that is expected, relative to the torque of its joint
ROUNDING = 1e-5
#: part of the torque of a joint that the robot as described leaves, from which on the log is doubted
ODD = 0.5
#: robust standard deviations from which on the square of a residual becomes its size (Huber)
HUBER, PASSES = 3.0, 4
#: of a consistent fit: without a prior, what the log does not show would leave what is possible
LEAST_TRUST = 1e-6


class Parts(NamedTuple):
    """Sums of contiguous parts of a log: (parts, tiles, WIDTH²), and the rows of each joint in it."""

    tiles: Floats
    rows: NDArray[np.integer]


def identify(
    robot: Robot,
    log: Any,
    friction: Any = True,
    consistent: bool = True,
    *,
    only: str | None = None,
    link: str | None = None,
    prior: ArrayLike | None = None,
    trust: float | None = None,
    gains: bool | None = None,
    robust: bool = False,
    folds: int = 5,
) -> Identification:
    """Inertial parameters, friction and rotor inertias from a log of motions and torques.

    Weighted least squares: each joint by the size of its residual.  With `consistent`, every link is a possible body
    (positive definite pseudo-inertia) and friction is not negative; what the log does not show stays as in the prior.

    Parameters
    ----------
    robot : the Robot; its parameters are the prior
    log : a Log, a dict of q, v, a and tau, or a list of Normal, one for each part of the log; a dict may also have
        weights (n, nv), forces on the robot by frame, (n, 6), that are measured, sensors by link on a fixed joint,
        (n, 6), the wrench on what is beyond it in its axes, contacts by frame, (n,), whether an unknown force acts
        there ((n, 6): which components of a wrench), and torques that are known, external (n, nv).  Without tau, a
        floating base is identified from its own rows
    friction : terms of the joints, as of `robot.regressor`; what is not among them is taken from the robot
    consistent : False: plain least squares, links may be impossible
    only : "friction": links are as they are; "payload": so is all but a body on `link`
    link : frame that carries the payload; the last one if not given
    prior : expected inertial parameters (10 nb,); those of the robot if not given
    trust : weight of the prior: one over the squared relative deviation that is expected; 1 if consistent (at least
        1e-6), else 0
    gains : True: tau are currents, and the gain of each drive is found; their scale is that of the forces that are
        known, or of the prior.  Default: if the columns of the log are currents
    robust : True: outliers count by their size instead of its square (Huber); for a log, not for Normals
    folds : parts of the log that are predicted from the others, one after the other

    Returns
    -------
    an Identification: parameters, std, residuals, robot, report(), save("identified.urdf")

    Notes
    -----
    Source: Gautier and Khalil 1990; Wensing, Kim, Slotine 2018; Lee, Wensing and Park 2020.

    Examples
    --------
    >>> import articulated as art
    >>> import numpy as np
    >>> robot, rng = art.load("2r"), np.random.default_rng(0)
    >>> q, v, a = rng.normal(size=(3, 4000, 2))
    >>> heavy = robot.attach("tip", art.Inertia(1.5))
    >>> log = {"q": q, "v": v, "a": a, "tau": heavy.inverse_dynamics(q, v, a)}
    >>> found = art.identify(robot, log, friction=None, only="payload", link="tip")
    >>> round(found.payload.mass, 4)
    1.5
    """
    robot_first("identify", robot)
    consistent, robust = flag("identify: consistent", consistent), flag("identify: robust", robust)
    if only is not None:
        choose("identify", "only", only, ("friction", "payload"))
    weight = float(consistent) if trust is None else number("identify: trust", trust, "a number from 0")
    weight = max(weight, LEAST_TRUST * consistent)
    folds = whole_number("identify: folds", folds)
    gains = getattr(log, "currents", False) if gains is None else flag("identify: gains", gains)
    wanted = (only, link, prior, weight)
    robot, plan, parts, samples, drives = _parts(
        robot, log, friction, (only, link, prior, max(weight, LEAST_TRUST)), gains
    )
    sought = unknowns(robot, plan, *wanted)
    if not sought.linear.shape[1]:
        raise ShapeError("identify: nothing is left to identify; name terms in friction=")
    fit = Fit(plan, sought, consistent)
    y, weights = fit.solved(parts)
    for _ in range(PASSES if robust else 0):
        if samples is None:
            raise ShapeError("identify: robust needs a log; Normals hold no samples")
        parts = _summed(robot, samples, plan, _huber(robot, samples, plan, sought, y))
        y, weights = fit.solved(parts)
    payload = (link or robot.frame_names[-1]) if only == "payload" else None
    return _result(robot, fit, parts, y, weights, folds, samples, payload, drives)


def _parts(
    robot: Robot, log: Any, friction: Any, wanted: Any, gains: bool
) -> tuple[Robot, Layout, Parts, dict[str, Floats] | None, Floats | None]:
    """The robot with its sensors, sums of the parts of a log, its samples if they are there, gains of drives."""
    listed = [log] if isinstance(log, Normal) else list(log) if isinstance(log, (list, tuple)) else []
    if listed and all(isinstance(x, Normal) for x in listed):
        if any((x.names, x.contacts) != (listed[0].names, listed[0].contacts) for x in listed):
            raise ShapeError("identify: the Normals have different columns; make them with one robot and one friction=")
        if gains:
            raise ShapeError("identify: gains need a log; Normals hold no samples")
        parts = Parts(np.stack([x.tiles for x in listed]), np.stack([x.rows for x in listed]))
        return with_force_sensors(robot, listed[0].sensors), listed[0].layout, parts, None, None
    terms = joint_terms("identify", friction)
    robot, samples, contacts = samples_of("identify", robot, log)
    plan = layout(robot, terms, contacts=contacts)
    if not len(samples["q"]):
        raise ShapeError("identify: the log holds no sample")
    if gains and (contacts or held(robot.model).any()):
        raise ShapeError("identify: gains are found without sensors and contacts; give torques, or the forces there")
    drives = drive_gains(robot, samples, terms, *wanted) if gains else None
    if drives is not None:
        samples = samples | {"tau": samples["tau"] * drives}
    return robot, plan, _summed(robot, samples, plan), samples, drives


def _summed(robot: Robot, samples: dict[str, Floats], plan: Layout, weights: Floats | None = None) -> Parts:
    """Sums of about PARTS parts."""
    if weights is not None:
        samples = samples | {"weights": samples["weights"] * weights}
    count = len(samples["q"])
    cell = max(-(-count // PARTS) // PASS, 1) * PASS
    tiles = cell_sums(robot, plan, samples, cell)
    used = samples["weights"] != 0
    rows = np.zeros((len(tiles), len(plan.labels)), int)
    for k in range(len(tiles)):
        np.add.at(rows[k], list(plan.joints), used[k * cell : (k + 1) * cell].sum(axis=0))
        if plan.contacts:  # each force takes a row
            rows[k] = np.maximum(rows[k] - np.count_nonzero(samples["contacts"][k * cell : (k + 1) * cell]), 1)
    if not np.isfinite(tiles).all():
        raise ShapeError("identify: the log holds NaN or infinite numbers; read_log leaves such rows out")
    return Parts(tiles, rows)


class Fit(NamedTuple):
    """A way from sums to unknowns."""

    plan: Layout
    sought: Unknowns
    consistent: bool

    def coefficients(self, y: Floats) -> Floats:
        """Coefficients of the columns, -1 for torques: Y times these is what is left."""
        return self.sought.start + self.sought.linear @ y

    def solved(self, parts: Parts) -> tuple[Floats, Floats]:
        """Unknowns, and the weights of the squares of each joint: one over its variance."""
        tiles, rows = parts.tiles.sum(axis=0), parts.rows.sum(axis=0)
        torque = self.plan.squares(tiles, np.where(self.sought.start == -1, 1.0, 0.0))
        plain = 1 / np.maximum(torque, 1e-300 + 1e-6 * torque.max(initial=0.0))
        y = self._least(*self.quadratic(tiles, plain), np.zeros(len(self.sought.prior)))
        left = self.plan.squares(tiles, self.coefficients(y))
        left = np.maximum(left, np.maximum(ROUNDING**2 * torque, 1e-10 * left.max(initial=0.0)))
        weights = np.where(left > 0, np.maximum(rows, 1) / np.where(left > 0, left, 1.0), 0.0)
        return self.solve(tiles, weights), weights

    def solve(self, tiles: Floats, weights: Floats) -> Floats:
        """Unknowns for these sums and weights."""
        A, b = self.quadratic(tiles, weights)
        if not self.consistent:
            return self._least(A, b, self.sought.precision)
        sought = self.sought
        return fitted(A, b, sought.precision, sought.prior, sought.bodies, sought.positive)[0]

    def quadratic(self, tiles: Floats, weights: Floats) -> tuple[Floats, Floats]:
        """A and b of ½ yᵀ A y - bᵀ y."""
        G, X = self.plan.total(tiles, weights), self.sought.linear
        return X.T @ G @ X, -X.T @ (G @ self.sought.start)

    def _least(self, A: Floats, b: Floats, precision: Floats) -> Floats:
        """Least squares nearest to the prior."""
        prior = self.sought.prior
        return prior + solved_by_rank(A + np.diag(precision), b - A @ prior)


def _huber(robot: Robot, samples: dict[str, Floats], plan: Layout, sought: Unknowns, y: Floats) -> Floats:
    """Factors (n, nv) of rows: 1, or less for residuals beyond HUBER robust standard deviations."""
    left = abs(samples["tau"] - predicted(robot, samples, plan, sought, y))
    most = HUBER * 1.4826 * np.median(left, axis=0)
    return np.sqrt(np.minimum(1.0, most / np.maximum(left, 1e-300)))


def _result(
    robot: Robot,
    fit: Fit,
    parts: Parts,
    y: Floats,
    weights: Floats,
    folds: int,
    samples: Any,
    payload_on: str | None,
    drives: Floats | None,
) -> Identification:
    sought, plan = fit.sought, fit.plan
    tiles = parts.tiles.sum(axis=0)
    A, _ = fit.quadratic(tiles, weights)
    x, count = fit.coefficients(y), len(parts.tiles)
    # scores of the parts: what each would change; with one part, as if residuals were independent
    scores = plan.times(parts.tiles, x, weights) @ sought.linear
    spread = scores.T @ scores * count / (count - 1) if count > 4 else A
    covariance = deviations(A, spread, np.maximum(sought.precision, 1e-3))
    rows = np.maximum(parts.rows.sum(axis=0), 1)
    torque = plan.squares(tiles, np.where(sought.start == -1, 1.0, 0.0))
    before = np.sqrt(plan.squares(tiles, _as_described(robot, fit)) / rows)
    # joints that hardly need a torque may have friction alone
    odd = before**2 * rows > ODD**2 * np.maximum(torque, 1e-3 * torque.max(initial=0.0))
    doubted = odd.any() and samples is not None and not plan.contacts
    findings = doubts(robot, samples) if doubted else ()
    return Identification(
        source=robot, plan=plan, sought=sought, unknown=y, covariance=covariance,
        rms=np.sqrt(plan.squares(tiles, x) / rows), torque=np.sqrt(torque / rows),
        before=before,
        held_out=_held_out(fit, parts, weights, folds), rows=int(parts.rows.sum()), samples=samples,
        payload_on=payload_on, findings=findings, gains=drives,
    )  # fmt: skip


def deviations(A: Floats, spread: Floats, precision: Floats) -> Floats:
    """Covariance of the least of ½ xᵀ A x + ½ precision x² whose slope at the truth has the covariance `spread`."""
    values, V = np.linalg.eigh(A)
    M = V.T * precision @ V + np.diag(values.clip(min=0.0))
    d = 1 / np.sqrt(np.diag(M))
    H = V * d @ np.linalg.inv(M * d * d[:, None]) @ (V * d).T
    return H @ (spread + np.diag(precision)) @ H


def _as_described(robot: Robot, fit: Fit) -> Floats:
    """Coefficients of the robot as it is described."""
    base, torque, own = split(fit.plan)
    x = np.zeros(fit.plan.columns)
    x[base], x[torque], x[own] = fit.plan.base.values, -1.0, own_values(robot, fit.plan.terms).ravel()
    return x


def _held_out(fit: Fit, parts: Parts, weights: Floats, folds: int) -> Floats | None:
    """Root mean squares by joint of torques that are predicted from the rest of the log, which ends a part away."""
    count = len(parts.tiles)
    if folds < 2 or count < 2 * folds:
        return None
    edges = np.linspace(0, count, folds + 1).astype(int)
    total = np.zeros(parts.rows.shape[1])
    for low, high in pairwise(edges):
        gap = 1 if count >= 4 * folds else 0
        train = np.r_[0 : max(low - gap, 0), min(high + gap, count) : count]
        y = fit.solve(parts.tiles[train].sum(axis=0), weights)
        total += fit.plan.squares(parts.tiles[low:high].sum(axis=0), fit.coefficients(y))
    return np.sqrt(total / np.maximum(parts.rows.sum(axis=0), 1))

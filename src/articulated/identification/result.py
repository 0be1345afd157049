"""The result of an identification: numbers with their deviations, a robot, a report, a picture."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..algebra.spatial import Inertia
from ..algorithms.regressor import TERMS
from ..algorithms.sensors import unsensed, with_sensors
from ..errors import ShapeError
from ..housekeeping import whole_file
from ..inputs.choices import file_path
from ..model.parameters import from_parameters
from ..robot import Robot
from ..robot.arguments.state_names import component_names
from ..robot.construction import save
from .consistent import coordinates, smat
from .joint_terms import known_torque
from .report import page, text
from .samples import free_of_contacts
from .tiles import Layout
from .unknowns import PAYLOAD, Unknowns, ball

Floats = NDArray[np.floating]
#: part of the deviation of the prior that is left of a base parameter that the log does not show
UNSEEN = 0.5


class BaseEstimate(NamedTuple):
    """Base parameters: names, values, standard deviations and correlations."""

    names: list[str]
    values: Floats
    std: Floats
    correlations: Floats


@dataclass(frozen=True, eq=False)
class Identification:
    """Parameters of a robot from a log, with their deviations and residuals.

    rms: of what is left of the torque, by joint; `torque`: of the torque; `before`: of what was left as described
    held_out: as `rms`, predicted from other parts of the log; None for a short one
    covariance: of the unknowns, with residuals that are correlated over time
    findings: doubts about the log
    gains: of the drives, (nv,), N m or N per unit of current; None if torques were measured
    """

    source: Robot
    plan: Layout
    sought: Unknowns
    unknown: Floats
    covariance: Floats
    rms: Floats
    torque: Floats
    before: Floats
    held_out: Floats | None
    rows: int
    samples: Any = None
    payload_on: str | None = None
    findings: Sequence[str] = ()
    gains: Floats | None = None

    @property
    def terms(self) -> Sequence[str]:
        """Terms of the joints that were looked for."""
        return self.plan.terms

    @cached_property
    def parameters(self) -> Floats:
        """Inertial parameters (10 nb,), as `robot.parameters`; ten more for what is beyond a sensor."""
        start, linear = self.sought.inertial
        return start + linear @ self.unknown

    @cached_property
    def friction(self) -> dict[str, Floats]:
        """Terms of the joints by name, (nv,)."""
        out: dict[str, Floats] = {name: np.zeros(self.source.nv) for name in self.terms}
        for (i, name), value in zip(self.sought.terms, self.unknown[10 * self.sought.bodies :], strict=True):
            out[name][i] = value
        return out

    @property
    def names(self) -> list[str]:
        """Names of `parameters`, then those of the terms: `elbow viscous`."""
        joints = component_names(self.source.model, "v")
        return [*self.source.parameter_names, *(f"{joints[i]} {name}" for i, name in self.sought.terms)]

    @cached_property
    def std(self) -> Floats:
        """Standard deviations in the order of `names`; of what the log does not show, those of the prior."""
        linear = np.concatenate([self.sought.inertial[1], np.eye(len(self.unknown))[10 * self.sought.bodies :]])
        return _deviations(linear, self.covariance)

    @cached_property
    def base(self) -> BaseEstimate:
        """Base parameters, the combinations that torques show."""
        count = len(self.plan.base)
        linear = self.sought.linear[:count]
        std = _deviations(linear, self.covariance)
        scale = np.where(std > 0, std, 1.0)
        correlations = linear @ self.covariance @ linear.T / scale / scale[:, None]
        correlations = correlations.clip(-1.0, 1.0)
        values = self.sought.start[:count] + linear @ self.unknown
        return BaseEstimate(self.plan.base.names, values, std, correlations)

    @property
    def correlations(self) -> Floats:
        """Correlations of the base parameters."""
        return self.base.correlations

    @property
    def residuals(self) -> dict[str, float]:
        """Root mean square of what is left of the torque, by joint: N m, N."""
        return dict(zip(self.plan.labels, self.rms.tolist(), strict=True))

    @property
    def relative_residual(self) -> float:
        """Residual torque relative to the torque: root mean squares over all joints."""
        return _part(self.rms, self.torque)

    @property
    def described_residual(self) -> float:
        """The same, of the robot as it was described."""
        return _part(self.before, self.torque)

    @property
    def held_out_residual(self) -> float:
        """The same, of torques predicted from other parts of the log; NaN if it is too short for that."""
        return float("nan") if self.held_out is None else _part(self.held_out, self.torque)

    @cached_property
    def unseen(self) -> list[str]:
        """Base parameters that this log does not show: their deviation is more than half of the prior's."""
        linear = self.sought.linear[: len(self.plan.base)]
        prior = np.sqrt(np.einsum("ij,ij->i", linear, linear))
        each = zip(self.base.names, self.base.std, prior, strict=True)
        return [name for name, now, then in each if now > UNSEEN * then > 0]

    @property
    def consistent(self) -> bool:
        """Whether every body that was looked for is a possible one."""
        z = self.unknown[: 10 * self.sought.bodies].reshape(-1, 10)
        return bool((np.linalg.eigvalsh(smat(z)) > -1e-12).all())

    @property
    def payload(self) -> Inertia:
        """The body on the link that carries the payload, in the axes of that frame."""
        if self.payload_on is None:
            raise ShapeError('payload: links were identified; identify(…, only="payload") finds one')
        ten = coordinates(ball(*PAYLOAD)[None]) @ self.unknown[:10]
        return from_parameters(ten.tolist())

    @cached_property
    def robot(self) -> Robot:
        """The robot with these numbers: all of a body's inertia is on the link that its joint moves."""
        if self.payload_on is not None:
            found = Robot(unsensed(self._with_friction(self.source).model))
            return found.attach(self.payload_on, self.payload)
        model, links = self.source.model, []
        for link in model.links:
            body = model.frame(link.name).body
            if self.sought.bodies and body is not None:
                own = slice(10 * body.index - 10, 10 * body.index)
                ten = self.parameters[own] if body.name == link.name else np.zeros(10)
                link = link.replace(inertia=from_parameters(ten.tolist()))
            links.append(link)
        return Robot(unsensed(self._with_friction(Robot(model.changed(links))).model))

    def _with_friction(self, robot: Robot) -> Robot:
        """The robot with the terms that its joints can have; a joint that follows another has none of its own."""
        fields = [(name, TERMS[name].field) for name in self.terms if TERMS[name].field]
        bodies = {b.name: b for b in robot.model.bodies if not b.joint.floats}
        links = []
        for link in robot.model.links:
            if fields and (b := bodies.get(link.name)):
                found = {field: float(self.friction[name][b.dofs].mean()) * (b.leader is b) for name, field in fields}
                link = link.replace(joint=link.joint.replace(**found))
            links.append(link)
        return Robot(robot.model.changed(links))

    def predict(self, q: Any, v: Any, a: Any) -> Floats:
        """Torques (…, nv) of this motion, and wrenches at sensors, with the friction and offsets that were found.

        Parameters
        ----------
        q : configuration, (…, nq)
        v : velocity, (…, nv)
        a : acceleration, (…, nv)

        Returns
        -------
        (…, nv)

        Examples
        --------
        See `identify`.
        """
        v, a = (with_sensors(self.source.model, np.asarray(x, float)) for x in (v, a))
        return self._predicted({"q": np.asarray(q, float), "v": v, "a": a})

    def _predicted(self, samples: Mapping[str, Floats]) -> Floats:
        """The same of q, v and a by name, less the torques of `external` forces."""
        return predicted(self.source, samples, self.plan, self.sought, self.unknown)

    def report(self, path: str | Path | None = None) -> str:
        """Report: parameters, how well they predict, and which motions would show what the log does not.

        Parameters
        ----------
        path : of an .html file, which then also has pictures of the torques; none: text only

        Returns
        -------
        a text of several tables

        Examples
        --------
        See `identify`.
        """
        if path is not None:
            with whole_file(file_path("report", path)) as file:
                file.write(page(self))
        return text(self)

    def save(self, path: str | Path) -> tuple[str, ...]:
        """Write the identified robot as a .urdf, .toml or .xml (MJCF) file.

        Parameters
        ----------
        path : of the file; its ending says the format

        Returns
        -------
        sentences about what the format cannot express, none if nothing is lost

        Examples
        --------
        See `identify`.
        """
        lost = [name for name in self.terms if not TERMS[name].field and self.friction[name].any()]
        told = (f"{', '.join(lost)} of the joints: no file of a robot holds them",) if lost else ()
        return (*save(self.robot, path), *told)

    def plot(self, path: str | Path | None = None) -> Any:
        """Measured and predicted torques by joint, and what is left, as a picture.

        Parameters
        ----------
        path : of a .png, .svg or .pdf file; none: the figure is returned only

        Returns
        -------
        a matplotlib Figure

        Examples
        --------
        See `identify`.
        """
        from .plot import torques  # matplotlib: few draw

        if self.samples is None:
            raise ShapeError("plot: Normals hold no samples; identify a Log to see its torques")
        return torques(self, path)

    def __str__(self) -> str:
        return self.report()

    def __repr__(self) -> str:
        return f"<Identification of {self.source.name}: {self.relative_residual:.3%} of the torque left>"


def predicted(robot: Robot, samples: Mapping[str, Floats], plan: Layout, sought: Unknowns, y: Floats) -> Floats:
    """Torques (…, nv) of unknowns, and of what the robot has beside them; forces at contacts are those that fit."""
    (q, v, a), terms = (samples[name] for name in ("q", "v", "a")), plan.terms
    start, linear = sought.inertial
    numbers = np.zeros((robot.nv, len(terms)))
    for (i, name), value in zip(sought.terms, y[10 * sought.bodies :], strict=True):
        numbers[i, terms.index(name)] = value
    Y = np.asarray(robot.regressor(q, v, a, friction=tuple(terms)))
    tau = Y @ np.r_[start + linear @ y, numbers.ravel()] + known_torque(robot, v, a, terms)
    tau = tau - samples.get("external", 0.0)
    if not plan.contacts or "contacts" not in samples:
        return tau
    left, mask = (samples["tau"] - tau)[..., None], samples["contacts"]
    return samples["tau"] - free_of_contacts(robot, plan.contacts, q, mask, np.ones_like(v), left)[..., 0]


def _deviations(linear: Floats, covariance: Floats) -> Floats:
    return np.sqrt(np.einsum("ij,jk,ik->i", linear, covariance, linear, optimize=True).clip(min=0.0))


def _part(rms: Floats, torque: Floats) -> float:
    whole = float((torque**2).sum())
    return float(np.sqrt((rms**2).sum() / whole)) if whole else 0.0

"""Contacts: the equations and the dynamics of a robot while a set of contacts holds."""

from __future__ import annotations  # help shows types as they are written here

import html
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike

from ..compiler.abi import ENTRY_POINTS
from ..errors import ShapeError, unknown
from ..inputs.choices import flag, floats
from ..robot import Robot
from ..robot.axis_names import KINDS, axis_names
from ..robot.methods import add_methods
from ..text import counted, html_block, html_table, shortened
from .checks import velocities_of
from .constraints import Held
from .derivatives import OfLaw
from .kernels import ContactKernels
from .kinds import Contact, listed, passive_names, remade, remark_on_fixed_base
from .quantities import LAWS, QUANTITIES
from .ranks.structure import Structure
from .ranks.subspaces import Floats
from .study import Study


class Contacts:
    """Contacts of a robot with the ground, and loops between two of its frames, all of which hold.

    Contact forces are what the ground does to the robot, one per row; `rows` names them.  Arrays have any leading
    shape.  Where contacts have another rank than they usually have, or have on flat ground (feet that coincide, a
    stretched leg), it is found from singular values, some hundred times slower.

    Parameters
    ----------
    robot : a Robot
    point : frames that do not move, but turn
    surface : frames that neither move nor turn
    line : frames by the axis (in their own) that they may turn about
    direction : frames by the one direction (of the world) that they do not move along
    loops : (frame, other), (frame, other, "hinge", axis) or (frame, other, "weld")
    passive : joints without a motor

    Examples
    --------
    >>> dog = art.load("quadruped", floating_base=True)
    >>> art.Contacts(dog, point=["FL_FOOT"], surface=["HR_FOOT"])
    <Contacts of quadruped: FL_FOOT, HR_FOOT; 9 rows>
    """

    robot: Robot
    contacts: tuple[Contact, ...]
    passive: tuple[str, ...]  # names of joints
    kernels: ContactKernels

    def __init__(
        self,
        robot: Robot,
        point: Iterable[str] = (),
        surface: Iterable[str] = (),
        line: Mapping[str, ArrayLike] = {},
        direction: Mapping[str, ArrayLike] = {},
        loops: Iterable[Sequence[Any]] = (),
        passive: Iterable[str] = (),
    ):
        if not isinstance(robot, Robot):
            raise ShapeError(f"Contacts takes a robot first, as from art.load; got {robot!r}")
        contacts = listed(robot.model, point, surface, line, direction, loops)
        remark_on_fixed_base(robot.model, [contact.name for contact in contacts])
        self._set_up(robot, contacts, passive_names(passive))

    def _set_up(self, robot: Robot, contacts: tuple[Contact, ...], passive: tuple[str, ...]) -> None:
        self.robot, self.contacts, self.passive = robot, contacts, passive
        floating = [b.joint.name for b in robot.model.independent if b.joint.floats]
        unactuated = {*velocities_of(robot, passive), *velocities_of(robot, floating)}
        self.kernels = ContactKernels(robot, contacts, tuple(sorted(unactuated)), QUANTITIES)

    # -- what it is -------------------------------------------------------------------

    @property
    def k(self) -> int:
        """Number of rows: of constraints, and of contact forces."""
        return self.kernels.k

    @property
    def rows(self) -> list[str]:
        """A name for each row."""
        return [name for contact in self.contacts for name in contact.rows]

    @property
    def names(self) -> list[str]:
        """Names of the contacts: the frame, or both frames of a loop."""
        return [contact.name for contact in self.contacts]

    @property
    def actuated(self) -> list[int]:
        """Indices of the velocities with a motor, in the order of `tau`."""
        return [i for i in range(self.robot.nv) if i not in self.kernels.unactuated]

    @property
    def study(self) -> Study:
        """The set as the USP lecture writes it: base last, S, P, Q, R, S_c and S_u."""
        return Study(self)

    @property
    def goals(self) -> tuple[Held, ...]:
        """Goals of inverse kinematics: every contact stays at a pose, every loop is closed."""
        return tuple(map(Held, self.contacts))

    @property
    def structure(self) -> Structure:
        """The ranks of the set at all but a few configurations."""
        return self.kernels.structure

    @property
    def special_structures(self) -> tuple[Structure, ...]:
        """Lower ranks that the set has at special configurations, as planar legs have on flat ground."""
        return self.kernels.special_structures

    def lift(self, *names: str) -> Self:
        """The set without some of its contacts.

        Parameters
        ----------
        names : of contacts: the frame, or both frames of a loop

        Returns
        -------
        a new set of contacts

        Examples
        --------
        >>> dog = art.load("quadruped", floating_base=True)
        >>> feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
        >>> feet.lift("FR_FOOT").names
        ['FL_FOOT', 'HL_FOOT', 'HR_FOOT']
        """
        for name in names:
            if not isinstance(name, str) or name not in self.names:
                raise unknown("contact", name, "this set", self.names)
        return remade(type(self), self.robot, tuple(c for c in self.contacts if c.name not in names), self.passive)

    def __reduce__(self) -> Any:
        return remade, (type(self), self.robot, self.contacts, self.passive)

    def by_contact(self, forces: ArrayLike) -> dict[str, Floats]:
        """The rows (…, k) of forces, drifts or rates, sorted by contact.

        Parameters
        ----------
        forces : rows (…, k), such as contact forces

        Returns
        -------
        a dict by contact of (…, rows of the contact)

        Examples
        --------
        >>> dog = art.load("quadruped", floating_base=True)
        >>> feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
        >>> feet.by_contact([1.0] * 12)["FL_FOOT"].tolist()
        [1.0, 1.0, 1.0]
        """
        rows = floats("by_contact: forces", forces, self.rows)
        if rows.ndim == 0 or rows.shape[-1] != self.k:
            raise ShapeError(f"by_contact: got shape {rows.shape}, but the set has {self.k} rows: (…, {self.k})")
        ends = np.cumsum([contact.size for contact in self.contacts])
        return dict(zip(self.names, np.split(rows, ends[:-1], axis=-1), strict=True)) if self.contacts else {}

    def _repr_html_(self) -> str:
        """The set in a notebook: a row for each contact; forces are N along a direction, N m about one."""
        rows, first = [], 0
        for contact in self.contacts:
            directions = [name.removeprefix(f"{contact.name} ") for name in contact.rows]
            units = ["N"] * len(contact.linear) + ["N m"] * len(contact.angular)
            forces = ", ".join(f"{name} ({unit})" for name, unit in zip(directions, units, strict=True))
            rows.append([shortened(contact.name), contact.kind, f"{first}:{first + contact.size}", forces])
            first += contact.size
        head = f"<p><b>contacts of {html.escape(shortened(self.robot.name))}</b>: {counted(first, 'row')}</p>"
        passive = ", ".join(map(shortened, self.passive))
        more = f"<p>without a motor: {html.escape(passive)}</p>" if passive else ""
        return html_block(head, html_table(["contact", "kind", "rows", "forces on the robot"], rows), more)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.robot.name}: {', '.join(self.names) or 'none'}; {self.k} rows>"

    def derivatives(self, method: str, wrt: str | Sequence[str] | None = None) -> OfLaw:
        """The derivatives of a law with respect to its arrays: `contacts.derivatives("forward_dynamics")(q, v, tau)`.

        `wrt` names some of them, or further ones: `"parameters"` (of `robot.parameters`), `"forces"` (six columns for
        each frame in `forces=`).  By q in the tangent space.  NaN are those of contact forces where contacts are
        redundant, and all where a rank changes, (forward dynamics) contacts contradict each other, or (inverse
        dynamics) nothing carries the base.  Inverse dynamics takes `tau0`, `weight` and `force_weight`; `forces` are
        taken by both.

        Parameters
        ----------
        method : the name of a law
        wrt : arguments to differentiate with respect to, also "forces" and "parameters"; all arrays if not given

        Returns
        -------
        a function of what the law takes; it returns a NamedTuple with a field per result and argument: a_q, a_v, …

        Notes
        -----
        Source: the equations of the law, differentiated at its solution.

        Examples
        --------
        >>> dog = art.load("quadruped", floating_base=True)
        >>> feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
        >>> q, still = dog.poses["home"], [0.0] * dog.nv
        >>> tau = feet.inverse_dynamics(q, still, still).tau
        >>> feet.derivatives("forward_dynamics")(q, still, tau).a_q.shape
        (18, 18)
        """
        return OfLaw(self, method, wrt)

    def warm(self, *methods: str, subsets: bool = False) -> None:
        """Compile ahead: `methods` (all), and for every subset of the contacts if asked.

        Parameters
        ----------
        subsets : True: for every subset of the contacts as well
        methods : names of laws to compile

        Returns
        -------
        nothing: the kernels are ready

        Examples
        --------
        >>> dog = art.load("quadruped", floating_base=True)
        >>> feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
        >>> feet.warm("acceleration")
        """
        for method in methods or LAWS:
            if not isinstance(method, str) or method not in LAWS:
                raise unknown("method to warm:", method, "Contacts", LAWS)
            if self.kernels.compiled_law(method):
                self.kernels.prepared(method, [self.structure, *self.special_structures], *ENTRY_POINTS)
        if flag("subsets", subsets):
            for i in range(1, 2 ** len(self.names)):
                self.lift(*(name for j, name in enumerate(self.names) if i >> j & 1)).warm(*methods)

    def axis_names(self, of: str) -> Any:
        """A list of names per axis of a method's result after the batch; a dict of such by field of a NamedTuple.

        Parameters
        ----------
        of : name of a method

        Returns
        -------
        a tuple of lists, or a dict of tuples

        Examples
        --------
        >>> dog = art.load("quadruped", floating_base=True)
        >>> art.Contacts(dog, point=["FL_FOOT"]).axis_names("bias")
        (['FL_FOOT x', 'FL_FOOT y', 'FL_FOOT z'],)
        """
        driven = self.kernels.vectors["tau"].names
        own = {
            "row": self.rows,
            "contact": self.names,
            "motor": driven,
            "row of a pose": KINDS["row"](self.robot.model),
        }
        return axis_names(self.robot.model, of, {name: row.axes for name, row in QUANTITIES.items()}, own)


add_methods(Contacts, QUANTITIES)

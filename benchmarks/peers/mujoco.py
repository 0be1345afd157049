"""MuJoCo's steps of the pipeline, as few as each quantity needs; it has no batch but whole simulations."""

import mujoco as mj
import numpy as np

from articulated.robot.conventions import converters as conventions

from .. import ours
from ..robots import Case, States, agree, mujoco_twin
from ..timing import Call
from . import looped

NAME = "mujoco"
ARRAYS = {
    "inverse_dynamics": "q, v, a", "forward_dynamics": "q, v, tau", "mass_matrix": "q",
    "mass_matrix_inverse": "q", "jacobian": "q", "pose": "q", "fused": "q, v",
}  # fmt: skip


class Twin:
    """A model with the arrays of its data at hand: every access through MuJoCo costs a conversion."""

    def __init__(self, case: Case):
        self.model = mujoco_twin(case)
        self.data = mj.MjData(self.model)
        self.qpos, self.qvel, self.qacc = self.data.qpos, self.data.qvel, self.data.qacc
        self.applied, self.n = self.data.qfrc_applied, self.model.nv
        self.body = self.model.body(case.robot.model.frames[case.frame].body.name).id
        self.place, self.turn = self.data.xpos[self.body], self.data.xmat[self.body].reshape(3, 3)

    def _placed(self, q):
        self.qpos[:] = q
        mj.mj_kinematics(self.model, self.data)
        mj.mj_comPos(self.model, self.data)

    def _mass(self):
        M = np.empty((self.n, self.n))
        mj.mj_makeM(self.model, self.data)
        mj.mj_fullM(self.model, self.data, M)
        return M

    def _forces(self, accelerated):
        tau = np.empty(self.n)
        mj.mj_comVel(self.model, self.data)
        mj.mj_rne(self.model, self.data, accelerated, tau)
        return tau

    def _jacobian(self):
        J = np.empty((6, self.n))
        mj.mj_jacBody(self.model, self.data, J[:3], J[3:], self.body)
        return J

    def inverse_dynamics(self, q, v, a):
        self._placed(q)
        self.qvel[:], self.qacc[:] = v, a
        return self._forces(1)

    def forward_dynamics(self, q, v, tau):
        self.qpos[:], self.qvel[:], self.applied[:] = q, v, tau
        mj.mj_forward(self.model, self.data)
        return self.qacc.copy()

    def mass_matrix(self, q):
        self._placed(q)
        return self._mass()

    def mass_matrix_inverse(self, q):
        self._placed(q)
        mj.mj_makeM(self.model, self.data)
        mj.mj_factorM(self.model, self.data)
        found = np.empty((self.n, self.n))
        mj.mj_solveM(self.model, self.data, found, np.eye(self.n))
        return found

    def jacobian(self, q):
        self._placed(q)
        return self._jacobian()

    def pose(self, q):
        self.qpos[:] = q
        mj.mj_kinematics(self.model, self.data)
        X = np.eye(4)
        X[:3, :3], X[:3, 3] = self.turn, self.place
        return X

    def fused(self, q, v):
        self._placed(q)
        self.qvel[:] = v
        return self._mass(), self._forces(0), self._jacobian()


def calls(case: Case, states: States, threads: int = 1) -> dict[str, Call]:
    """The statement of each quantity."""
    twin = Twin(case)
    arrays = conventions.to_mujoco(case.robot, *states)._asdict()
    found = {}
    for quantity, names in ARRAYS.items():
        one, scope = f"twin({names})", {"twin": getattr(twin, quantity)}
        if states.q.ndim == 1:
            found[quantity] = Call(one, {**scope, **arrays})
        elif threads == 1:
            found[quantity] = looped(one, names, arrays, scope, ours.outputs(case, quantity, states))
    return found


def check(case: Case) -> None:
    """Fails unless it gives the same forces and accelerations."""
    twin, (q, v, a, tau) = Twin(case), case.states()
    here = conventions.to_mujoco(case.robot, q, v, a, case.robot.inverse_dynamics(q, v, a))
    agree(f"{case.name}, inverse dynamics, MuJoCo", here.tau, twin.inverse_dynamics(here.q, here.v, here.a), 1e-9)
    here = conventions.to_mujoco(case.robot, q, v, case.robot.forward_dynamics(q, v, tau), tau)
    agree(f"{case.name}, forward dynamics, MuJoCo", here.a, twin.forward_dynamics(here.q, here.v, here.tau), 1e-9)

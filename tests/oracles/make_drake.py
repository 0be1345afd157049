"""Makes drake.json: inverse dynamics of the URDF fixtures by Drake, in Drake's own coordinates.

Drake has wheels for Python >= 3.12 only, so its numbers are stored.  To renew them, in an environment with
`pip install drake numpy`, from the root of the repository: `python tests/oracles/make_drake.py`.
"""

import json
from pathlib import Path

import numpy as np
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import MultibodyForces

HERE = Path(__file__).parent


def case(path: Path, floating: bool, rng: np.random.Generator) -> dict:
    plant = MultibodyPlant(0.0)
    Parser(plant).AddModels(str(path))
    if not floating:
        plant.WeldFrames(plant.world_frame(), plant.GetFrameByName("b0"))
    plant.Finalize()
    context = plant.CreateDefaultContext()
    q = rng.uniform(-1, 1, plant.num_positions())
    if floating:
        q[:4] /= np.linalg.norm(q[:4])
    v, a = rng.normal(size=(2, plant.num_velocities()))
    plant.SetPositions(context, q)
    plant.SetVelocities(context, v)
    forces = MultibodyForces(plant)
    plant.CalcForceElementsContribution(context, forces)
    tau = plant.CalcInverseDynamics(context, a, forces)
    numbers = {"q": q, "v": v, "a": a, "tau": tau}
    return {"urdf": path.name, "floating": floating, **{key: x.tolist() for key, x in numbers.items()}}


def main() -> None:
    rng = np.random.default_rng(1)
    paths = sorted((HERE / "urdf").glob("tree*.urdf"))
    cases = [case(path, floating, rng) for path in paths for floating in (False, True)]
    (HERE / "drake.json").write_text(json.dumps(cases, indent=1) + "\n")


if __name__ == "__main__":
    main()

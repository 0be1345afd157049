"""What is the hand holding?  Mass, center and inertia of a payload, learned by gradient descent in PyTorch.

Accelerations of an arm that carries something were measured.  PyTorch changes what we think it carries until the
accelerations we compute are the measured ones.
"""

import numpy as np
import torch

import articulated as art
import articulated.torch

robot, rng = art.load("panda"), np.random.default_rng(0)
held = robot.attach("panda_link7", art.Inertia(1.3, (0.02, -0.01, 0.2), 0.004 * np.eye(3)))  # nobody knows this
q, v = robot.random(rng, 256), rng.normal(size=(256, 7))
tau = robot.gravity_forces(q) + rng.normal(size=(256, 7)) * 5
measured = torch.tensor(held.forward_dynamics(q, v, tau))
usual = measured.std(dim=0)  # the wrist accelerates hundreds of times as fast as the shoulder

arm = articulated.torch.Robot(robot)
q, v, tau, empty = map(torch.tensor, (q, v, tau, robot.parameters.copy()))
guess = torch.zeros(5, dtype=torch.float64, requires_grad=True)  # log mass, center in link 7, log of its spread


def payload(guess: torch.Tensor) -> torch.Tensor:
    """Ten inertial parameters in link 7, always those of a body that can exist."""
    m, c, spread = guess[0].exp(), 0.1 * guess[1:4], 0.1 * guess[4].exp()
    about_origin = m * ((spread**2 + c @ c) * torch.eye(3, dtype=torch.float64) - torch.outer(c, c))
    return torch.cat([m[None], m * c, about_origin[*torch.tril_indices(3, 3)]])


optimizer = torch.optim.Adam([guess], lr=0.1)
for step in range(401):
    optimizer.zero_grad()
    parameters = torch.cat([empty[:-10], empty[-10:] + payload(guess)])
    error = (arm.forward_dynamics(q, v, tau, parameters=parameters) - measured) / usual
    loss = error.square().mean()
    loss.backward()
    optimizer.step()
    if step % 100 == 0:
        print(f"step {step}: loss {loss.item():.1e}")

with torch.no_grad():
    m, center, spread = guess[0].exp().item(), (0.1 * guess[1:4]).numpy(), 0.1 * guess[4].exp().item()
    print(f"{m:.3f} kg at {np.round(center, 3)} m in link 7, inertia {m * spread**2:.4f} kg m²")

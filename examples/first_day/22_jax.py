"""The same robot in JAX: jit, vmap and derivatives."""

import jax
import numpy as np

import articulated as art
import articulated.jax

jax.config.update("jax_enable_x64", True)
arm = art.load("panda")
robot, q = articulated.jax.Robot(arm), arm.random(0, 5)
energies = jax.jit(jax.vmap(robot.potential_energy))(q)
gradients = jax.jit(jax.vmap(jax.grad(robot.potential_energy)))(q)
print(energies.shape, f"gradient minus gravity forces: {np.abs(gradients - arm.gravity_forces(q)).max():.0e}")

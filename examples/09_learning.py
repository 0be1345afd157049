"""A pole is balanced and a quadruped learns to walk, by evolution strategies in NumPy.

    python examples/09_learning.py [picture.png]

All policies of a generation move at once, in one vector environment.  Needs `pip install 'articulated[rl,plot]'`.
"""

import sys
import time

import numpy as np

try:
    import gymnasium
    import matplotlib.pyplot as plt

    import articulated.gymnasium  # noqa: F401  (its environments are registered)
except ImportError:
    sys.exit("this example learns with Gymnasium and draws with matplotlib: pip install 'articulated[rl,plot]'")


def returns(env, policies, seed):
    """Sum of rewards of one episode of each linear policy, (n, actions, observations)."""
    seen, _ = env.reset(seed=seed)
    total, alive = np.zeros(len(policies)), np.ones(len(policies), bool)
    while alive.any():
        actions = np.tanh(np.einsum("nij,nj->ni", policies, seen))
        seen, reward, over, cut, _ = env.step(actions)
        total += alive * reward
        alive &= ~(over | cut)
    return total


def learn(name, generations, pairs, spread, rate, heeded):
    """Evolution strategies (Salimans et al. 2017): mirrored samples, ranks instead of rewards, steps of one length."""
    env = gymnasium.make_vec(f"articulated/{name}-v0", num_envs=2 * pairs)
    shape = env.single_action_space.shape + env.single_observation_space.shape
    rng, policy, curve = np.random.default_rng(0), np.zeros(shape), []
    for seed in range(generations):
        noise = rng.normal(size=(pairs, *shape)) * heeded
        found = returns(env, policy + spread * np.concatenate([noise, -noise]), seed)
        curve.append(np.percentile(found, [10, 50, 90]))
        rank = np.argsort(np.argsort(found)) / (2 * pairs - 1)
        slope = np.einsum("n,nij->ij", rank[:pairs] - rank[pairs:], noise)
        policy += rate * (1 - seed / generations) * slope / np.linalg.norm(slope)
    return env, policy, np.array(curve)


def walked(env, policy, seed=99):
    """Forward position of the first quadruped over an episode under a policy."""
    seen, _ = env.reset(seed=seed)
    x = []
    for _ in range(199):
        seen, *_ = env.step(np.tanh(seen @ policy.T))
        x.append(env.unwrapped.simulator.q[0, 0])
    return np.array(x)


def main(picture):
    """Learning curves, and the way that the quadruped walks."""
    began = time.process_time()
    _, _, poles = learn("CartPole", 30, 16, spread=0.5, rate=0.6, heeded=np.ones(4))
    # a stride of the clock, corrected by where gravity points and how the base moves; joints are left to their servos
    heeded = np.concatenate([[1, 1, 1, 1, 0], np.full(6, 0.3), np.zeros(24)])
    dogs, policy, steps = learn("QuadrupedWalk", 50, 40, spread=0.12, rate=0.9, heeded=heeded)
    path = walked(dogs, policy)
    print(
        f"balanced {poles[-1, 1]:.0f} of 250, walked {path[-1]:.2f} m in 4 s, after {time.process_time() - began:.0f} s"
    )

    figure, axes = plt.subplots(1, 3, figsize=(10, 3), layout="constrained")
    for ax, curve, title in zip(axes, (poles, steps), ("cart-pole: return", "quadruped: return"), strict=False):
        ax.fill_between(np.arange(len(curve)), curve[:, 0], curve[:, 2], alpha=0.2, linewidth=0)
        ax.plot(curve[:, 1])
        ax.set(title=title, xlabel="generation")
    axes[2].plot(np.arange(1, 200) / 50, path, label="learned")
    axes[2].plot([0, 4], [0, 2], "--", color="gray", label="0.5 m/s, as asked for")
    axes[2].set(title="quadruped: forward position (m)", xlabel="time (s)")
    axes[2].legend(frameon=False)
    figure.savefig(picture, dpi=110)
    print(f"wrote {picture}")


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "09_learning.png")

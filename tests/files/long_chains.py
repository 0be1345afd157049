"""How long it takes to load a chain of 10^3, 10^4, 10^5 links: `python -m tests.files.long_chains`."""

import time

import articulated as art

INERTIAL = (
    '<inertial><origin xyz="0.1 0 0"/><mass value="1.5"/>'
    '<inertia ixx="0.01" iyy="0.02" izz="0.02" ixy="0" ixz="0" iyz="0"/></inertial>'
)
JOINT = (
    '<joint name="j{0}" type="revolute"><origin xyz="0.2 0 0" rpy="0 0.1 0"/><parent link="l{1}"/><child link="l{0}"/>'
    '<axis xyz="0 0 1"/><limit lower="-1" upper="1" effort="1" velocity="1"/></joint>'
)


def chain(n: int) -> str:
    return _robot(n, lambda i: i - 1)


def star(n: int) -> str:
    return _robot(n, lambda i: 0)


def _robot(n, parent) -> str:
    links = [f'<link name="l{i}">{INERTIAL}</link>' for i in range(n + 1)]
    joints = [JOINT.format(i, parent(i)) for i in range(1, n + 1)]
    return "\n".join(['<robot name="long">', *links, *joints, "</robot>"])


def seconds(n: int) -> float:
    """Processor time for a chain with an inertia, an origin and limits at every link."""
    text = chain(n)
    start = time.process_time()
    art.load(text)
    return time.process_time() - start


if __name__ == "__main__":
    seconds(10)
    for size in (10**3, 10**4, 10**5):
        print(f"{size:>7} links: {seconds(size):6.2f} s")

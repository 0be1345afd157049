"""Bags of ROS: every storage gives the joint states that were written."""

from contextlib import closing

import numpy as np
import pytest

import articulated as art
from articulated.logs import LogError, reader
from articulated.logs.fields import Field
from articulated.logs.spellings import wrench_of

pytest.importorskip("rosbags")

from rosbags.rosbag1 import Writer as Ros1
from rosbags.rosbag2 import StoragePlugin
from rosbags.rosbag2 import Writer as Ros2
from rosbags.typesys import Stores, get_typestore

T = np.arange(0, 4, 0.005)
START = 1_700_000_000_000_000_000
Q = np.stack([0.5 * np.sin(2 * T), 0.3 * np.cos(3 * T)], axis=1)
TAU = np.stack([np.sin(3 * T), np.cos(5 * T)], axis=1)
STATE = "sensor_msgs/msg/JointState"


def _bag(path, kind, topics, times=T):
    """A bag with joint states (names, position, effort) by topic; velocities are left out."""
    ros1, stamps = kind == "ros1", START + np.round(times * 1e9).astype(int)
    store = get_typestore(Stores.ROS1_NOETIC if ros1 else Stores.ROS2_HUMBLE)
    Time, Header, State, String = (
        store.types[name]
        for name in ("builtin_interfaces/msg/Time", "std_msgs/msg/Header", STATE, "std_msgs/msg/String")
    )
    bag = Ros1(path) if ros1 else Ros2(path, version=9, storage_plugin=getattr(StoragePlugin, kind.upper()))
    write = store.serialize_ros1 if ros1 else store.serialize_cdr
    with bag:
        chat = bag.add_connection("/chatter", "std_msgs/msg/String", typestore=store)
        bag.write(chat, START, write(String("hello"), "std_msgs/msg/String"))
        for topic, states in topics.items():
            there = bag.add_connection(topic, STATE, typestore=store)
            for names, q, tau in states:
                for k, stamp in enumerate(stamps.tolist()):
                    time = Time(sec=stamp // 10**9, nanosec=stamp % 10**9)
                    header = Header(**({"seq": k} if ros1 else {}), stamp=time, frame_id="")
                    state = State(header, names, q[k].copy(), np.zeros(0), tau[k].copy())
                    bag.write(there, START + int(T[k] * 1e9), write(state, STATE))
    return path


@pytest.mark.parametrize("kind", ["mcap", "sqlite3", "ros1"])
def test_joint_states_come_back(kind, tmp_path):
    turned = [(["joint2", "joint1"], Q[:, ::-1], TAU[:, ::-1])]
    path = _bag(tmp_path / ("run.bag" if kind == "ros1" else "run"), kind, {"/joint_states": turned})
    files = [path] if kind == "ros1" else [path, next(x for x in path.iterdir() if x.suffix != ".yaml")]
    for file in files:
        log = art.read_log(art.load("2r"), file, cutoff=20)
        at = np.round(log.t / 0.005).astype(int)
        assert abs(log.q - Q[at]).max() < 1e-4 and abs(log.tau - TAU[at]).max() < 1e-4
        assert log.columns["q"] == ["/joint_states/joint1/position", "/joint_states/joint2/position"]
    assert len(art.read_log(art.load("2r"), tmp_path, cutoff=20).t) == len(log)  # a folder of bags


def test_wrenches_of_a_force_sensor(tmp_path):
    store = get_typestore(Stores.ROS2_HUMBLE)
    kind = "geometry_msgs/msg/WrenchStamped"
    names = "geometry_msgs/msg/Vector3 geometry_msgs/msg/Wrench std_msgs/msg/Header builtin_interfaces/msg/Time"
    Vector, Wrench, Header, Time = (store.types[name] for name in names.split())
    wrench = np.stack([np.sin((k + 1) * T) for k in range(6)], axis=1)
    with Ros2(tmp_path / "forces", version=9, storage_plugin=StoragePlugin.MCAP) as bag:
        there = bag.add_connection("/ft", kind, typestore=store)
        for t, x in zip(START + np.round(T * 1e9).astype(int), wrench.tolist(), strict=True):
            stamp = Time(sec=int(t) // 10**9, nanosec=int(t) % 10**9)
            message = store.types[kind](Header(stamp=stamp, frame_id=""), Wrench(Vector(*x[:3]), Vector(*x[3:])))
            bag.write(there, int(t), store.serialize_cdr(message, kind))
    with closing(reader(tmp_path / "forces")) as log:
        field = Field("sensors tip", ["tip"], (6,), search=wrench_of)
        log.wanted = {field.name: "/ft"}
        assert log.find([field]) and log.names[1:] == [f"/ft/{part}/{x}" for part in ("force", "torque") for x in "xyz"]
        assert abs(np.concatenate([block[field.name] for block in log.blocks(100)]) - wrench).max() == 0


def test_joints_of_several_publishers_and_topics(tmp_path):
    both = [(["joint1"], Q[:, :1], TAU[:, :1]), (["joint2"], Q[:, 1:], TAU[:, 1:])]
    log = art.read_log(art.load("2r"), _bag(tmp_path / "one", "mcap", {"/joint_states": both}), cutoff=20)
    at = np.round(log.t / 0.005).astype(int)
    assert abs(log.q - Q[at]).max() < 1e-4
    names = ["joint1", "joint2"]
    two = _bag(tmp_path / "two", "mcap", {"/left": [(names, Q, TAU)], "/right": [(names, -Q, TAU)]})
    with pytest.raises(LogError, match=r"/left/joint1/position and /right/joint1/position could both be q; say which"):
        art.read_log(art.load("2r"), two)
    log = art.read_log(art.load("2r"), two, columns="/right", cutoff=20)
    assert abs(log.q + Q[np.round(log.t / 0.005).astype(int)]).max() < 1e-4
    assert "/left/joint2/effort" in log.unused


def test_what_is_refused_and_why(tmp_path):
    states = {"/joint_states": [(["a", "b"], Q, TAU)]}
    with pytest.raises(LogError, match=r"no columns for q.* Other columns: /joint_states/a/position"):
        art.read_log(art.load("2r"), _bag(tmp_path / "names", "mcap", states))
    with pytest.raises(LogError, match=r"no topic of sensor_msgs/msg/JointState; it has: /chatter"):
        reader(_bag(tmp_path / "none", "mcap", {}))
    states = {"/joint_states": [(["joint1", "joint2"], Q, TAU)]}
    back = np.r_[T[:400], T[:400]]
    with pytest.raises(LogError, match=r"time decreases .* in row 401"):
        art.read_log(art.load("2r"), _bag(tmp_path / "back", "mcap", states, back))
    file = next((tmp_path / "back").glob("*.mcap"))
    file.write_bytes(file.read_bytes()[:200])
    for broken in (file, tmp_path / "back"):
        with pytest.raises(LogError, match="not a whole bag"):
            reader(broken)

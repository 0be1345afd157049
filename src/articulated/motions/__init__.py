"""Motions: trajectories between configurations, paths of frames, time-optimal motions."""

from .frame_path import frame_path
from .motion import motion
from .path import Path, path
from .time_optimal import time_optimal

__all__ = ["Path", "frame_path", "motion", "path", "time_optimal"]

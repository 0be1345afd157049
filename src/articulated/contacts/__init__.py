"""Contacts of legged robots and closed loops: ranks, torques without contact forces, motion while contacts hold."""

from .analysis import Analysis
from .contacts import Contacts
from .feasibility import InfeasibleAcceleration
from .methods import Impact, Motion
from .ranks.by_singular_values import Torques

__all__ = ["Analysis", "Contacts", "Impact", "InfeasibleAcceleration", "Motion", "Torques"]

"""Contacts of legged robots and closed loops: ranks, torques without contact forces, motion while contacts hold."""

from .analysis import Analysis
from .contacts import Contacts, Impact, Motion
from .dense import Torques

__all__ = ["Analysis", "Contacts", "Impact", "Motion", "Torques"]

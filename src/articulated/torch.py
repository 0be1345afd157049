"""A robot in PyTorch: `articulated.torch.Robot(robot)`; needs PyTorch (`pip install 'articulated[torch]'`)."""

from .bridges.torch import Contacts as Contacts
from .bridges.torch import Robot as Robot

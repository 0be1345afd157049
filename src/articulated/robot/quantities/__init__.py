"""Tables of methods: a row for each quantity that `Robot` and `robot.study` compute."""

from . import dynamics, kinematics, matrices, study
from .row import OPTIONS, Call, Quantity

#: methods of `Robot` by name
QUANTITIES = {row.name: row for rows in (kinematics, dynamics, matrices) for row in rows.ROWS}
#: routes of `robot.study` by name
STUDY = {row.name: row for row in study.ROWS}

__all__ = ["OPTIONS", "QUANTITIES", "STUDY", "Call", "Quantity"]

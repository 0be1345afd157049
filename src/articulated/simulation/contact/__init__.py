"""Contact that switches: Signorini and Coulomb at velocity level, solved to a residual that is reported."""

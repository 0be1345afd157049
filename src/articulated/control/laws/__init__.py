"""Control laws: PD, computed torque, impedance, LQR; their references and error dynamics."""

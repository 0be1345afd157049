"""Symbolic equations as C, MATLAB or Julia.

topic: Closed forms
words: code generation, C code, MATLAB, Julia, export, embedded, microcontroller
change: "matlab" or "julia"; `robot.c_source("inverse_dynamics")` does it for robots of numbers.
"""

import articulated as art

print(art.derive("2r").export("c", "M,g", named=True))

"""Laws as routines with loops over rows."""

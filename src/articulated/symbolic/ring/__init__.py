"""Polynomials in sines, cosines, coordinates and parameters: the numbers of the closed forms."""

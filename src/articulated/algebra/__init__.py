"""Numbers, vectors, rotations, rigid motions and inertias; generic over the scalar."""

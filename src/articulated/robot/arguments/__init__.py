"""Arguments of the methods of `Robot`: arrays, external forces, states by joint, names of their axes."""

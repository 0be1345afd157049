"""Input checks: choices, numbers, vectors, labelled arrays; and read-only results."""

"""Input checks: choices, numbers, vectors, labeled arrays; and read-only results."""

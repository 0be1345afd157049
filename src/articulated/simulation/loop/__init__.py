"""The time loop: compiled or in Python, with its events."""

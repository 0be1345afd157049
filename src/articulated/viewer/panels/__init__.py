"""What can be learnt about a robot while it moves."""

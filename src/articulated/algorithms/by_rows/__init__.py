"""Recursions for robots of many bodies: the robot is data, and a loop runs the same steps for every body."""

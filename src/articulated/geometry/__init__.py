"""Shapes against shapes: signed distances and contact points, on any scalar and without branches."""

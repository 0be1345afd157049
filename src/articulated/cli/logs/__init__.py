"""Logs in and out, one file per format, joints by column name."""

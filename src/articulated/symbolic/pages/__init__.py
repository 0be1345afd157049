"""Closed forms and recursions on paper: LaTeX, HTML, Markdown, terminal, code."""

"""Robot descriptions to links: one format per file; a convention ends here."""

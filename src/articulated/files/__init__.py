"""Robot descriptions to links and back: one format per folder or file; a convention ends here."""

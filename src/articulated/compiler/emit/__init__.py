"""One file per target language; each is a table over the operations of the graph."""

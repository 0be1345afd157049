"""Programs as text: one emitter per target language, each a table over the operations of the graph."""

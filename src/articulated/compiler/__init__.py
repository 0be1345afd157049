"""From a recursion to machine code: trace, simplify, schedule, emit, cache, call."""

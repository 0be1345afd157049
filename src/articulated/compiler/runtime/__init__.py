"""What runs a compiled program: machine code in memory and on disk, calls, batches, threads."""

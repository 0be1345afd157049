"""The runtime of compiled programs: machine code in memory and on disk, calls, batches, threads."""

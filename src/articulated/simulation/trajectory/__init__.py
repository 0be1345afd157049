"""What a run is afterwards: arrays over time, what can be asked of them, files, tables and pictures."""

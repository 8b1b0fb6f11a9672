"""The yardstick: a bare DRF view that does as many statements as an intent, and nothing else."""

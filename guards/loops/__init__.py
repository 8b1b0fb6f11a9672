"""Loop detection (seed 003): pure decisions, no Django, no clock, no randomness."""

"""The pure flow engine: no Django, no clock, no randomness. Start reading at `runner.py`."""

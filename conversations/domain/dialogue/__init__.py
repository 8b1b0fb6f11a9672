"""The assistant dialogue of seed 002: pure, driven by `engine.handle`."""

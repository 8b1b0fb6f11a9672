"""Recognisers that ask somebody else; the one by rule is pure (`domain/intents/rules.py`)."""

"""Figures from conversations and labels: pure."""

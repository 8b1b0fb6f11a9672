"""Requests to addresses that somebody typed into a form. See docs/responders.md."""

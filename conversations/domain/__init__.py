"""Pure decisions about conversations: no Django, no clock, no randomness."""

"""One handler a state: what a message means there."""

"""What `make run` shows on a fresh machine: a past, and visitors who talk right now. Never in production."""

"""What developers run by `make`: the translations' catalogues, the pictures of the docs."""

"""Static checks before publishing: one file a family, each with a `check`."""

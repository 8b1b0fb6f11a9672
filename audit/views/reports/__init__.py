"""The metrics pages: one small file a tab, each of the shape `tables(answers)`."""

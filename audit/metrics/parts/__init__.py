"""What one conversation adds to the figures: one small file a subject, each of the shape `parts(talk)`."""

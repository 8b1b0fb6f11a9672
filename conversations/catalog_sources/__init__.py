"""Where products come from: one file a source, each giving batches in order."""

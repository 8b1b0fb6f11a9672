"""Facts out of words: typed readers, and an LLM behind the same port. See docs/extraction.md."""

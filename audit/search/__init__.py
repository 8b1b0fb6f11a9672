"""Pure rules of the search: one number for a moment, the words of a payload, what a question may ask. No Django."""

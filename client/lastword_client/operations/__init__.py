"""The calls of the API, each written once: a function of the core and its arguments that returns a plan."""

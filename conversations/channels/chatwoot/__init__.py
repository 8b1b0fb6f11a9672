"""A Chatwoot inbox in which we are the agent bot."""

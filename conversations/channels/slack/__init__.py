"""A Slack workspace in which many personas speak through one app."""

"""Chatwoot and Slack: what their webhooks mean, and how to speak there. See docs/channels.md."""

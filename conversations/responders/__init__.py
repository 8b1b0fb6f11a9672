"""Who words a reply: a template, an agent over HTTP, or a language model. See docs/responders.md."""

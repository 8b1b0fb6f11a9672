"""Audit: auditors read and export everything and change nothing; looking leaves a trace; administrators erase."""

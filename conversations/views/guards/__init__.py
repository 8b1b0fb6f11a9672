"""Guards: the policy, how it came to be, what it would have changed, and what the guards did."""

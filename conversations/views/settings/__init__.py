"""Settings: who speaks, through what, and what came of it. Everybody with a role reads; administrators change."""

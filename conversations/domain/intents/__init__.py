"""What a visitor wants: one shape for an understood message, and a recogniser by rule."""

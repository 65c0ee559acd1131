"""Language models learn to talk with patients."""

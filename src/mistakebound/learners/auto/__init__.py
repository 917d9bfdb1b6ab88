"""The learner that needs no settings."""
